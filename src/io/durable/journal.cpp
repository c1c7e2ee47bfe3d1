#include "io/durable/journal.hpp"

#include <fmt/format.h>

#include <fstream>

namespace beadwave::io {

Journal::Journal(const Output& hdf5, const Kind& kind, std::string_view version,
                 std::uint64_t contents, const Enter& enter)
    : rows_(hdf5, kind.name) {
    const std::string opening = fmt::format("# beadwave {}, ", kind.name);
    first_line_ = fmt::format("{}version {}, {:016x}\n", opening, version, contents);
    if (hdf5.overwrite || rows_.size() == 0) {
        rows_.keep(0);
        put(first_line_);
    } else {
        read(kind, opening, enter);
    }
}

void Journal::read(const Kind& kind, std::string_view opening, const Enter& enter) {
    std::ifstream file(rows_.path(), std::ios::binary);
    std::string line;
    // A line without its end was cut by a kill.
    const auto next = [&] { return std::getline(file, line) && !file.eof(); };
    const bool whole = next();
    if (!line.starts_with(opening) && (whole || !opening.starts_with(line))) {
        refuse(rows_.path(), fmt::format("exists and does not hold {}; refusing to overwrite it "
                                         "without --overwrite",
                                         kind.holds));
    }
    const bool same = whole && line + '\n' == first_line_;
    auto good = static_cast<std::int64_t>(first_line_.size());
    while (whole && next()) {
        if (!same) {
            refuse(rows_.path(), fmt::format("holds {}; --overwrite starts anew, -o names another "
                                             "file",
                                             kind.others));
        }
        const std::int64_t end = good + static_cast<std::int64_t>(line.size()) + 1;
        if (!enter(line, end)) break;
        good = end;
    }
    rows_.keep(same ? good : 0);
    if (!same) put(first_line_);
}

void Journal::keep(std::int64_t end) {
    rows_.keep(end > 0 ? end : static_cast<std::int64_t>(first_line_.size()));
}

void Journal::put(const std::string& row) {
    if (!write_error().empty()) return;
    const auto now = std::chrono::steady_clock::now();
    const bool due = now - synced_ >= std::chrono::seconds(1);
    rows_.put(row, due);
    if (due && write_error().empty()) synced_ = now;
}

}  // namespace beadwave::io

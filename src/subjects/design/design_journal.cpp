#include "subjects/design/design_journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string_view>
#include <utility>

namespace beadwave::tasks {
namespace {

constexpr std::string_view journal_opening = "# beadwave design, ";

std::string row_of(const Evaluation& evaluation) {
    std::string row;
    for (const double x : evaluation.x)
        row += fmt::format("{},", x);
    row += fmt::format("{}", evaluation.value);
    for (const double slope : evaluation.gradient)
        row += fmt::format(",{}", slope);
    for (const double value : evaluation.runs)
        row += fmt::format(",{}", value);
    return row + '\n';
}

std::optional<Evaluation> evaluation_in(std::string_view row, std::size_t unknowns,
                                        std::size_t runs) {
    const std::size_t count = 2 * unknowns + 1 + runs;
    std::vector<double> numbers;
    for (const char* at = row.data(); numbers.size() < count;) {
        double number = 0.0;
        const char* const end = row.data() + row.size();
        const auto [stop, error] = std::from_chars(at, end, number);
        if (error != std::errc{}) return std::nullopt;
        numbers.push_back(number);
        const bool last = numbers.size() == count;
        if (last ? stop != end : (stop == end || *stop != ',')) return std::nullopt;
        at = stop + 1;
    }
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(unknowns);
    const auto slopes_end = middle + 1 + static_cast<std::ptrdiff_t>(unknowns);
    return Evaluation{.x = {numbers.begin(), middle},
                      .value = *middle,
                      .gradient = {middle + 1, slopes_end},
                      .runs = {slopes_end, numbers.end()}};
}

}  // namespace

DesignJournal::DesignJournal(const io::Output& hdf5, std::size_t unknowns, std::size_t runs,
                             std::uint64_t design)
    : rows_(hdf5, "design"),
      unknowns_(unknowns),
      runs_(runs),
      first_line_(
          fmt::format("{}version {}, {:016x}\n", journal_opening, BEADWAVE_VERSION, design)) {
    read(hdf5.overwrite);
}

void DesignJournal::read(bool overwrite) {
    std::ifstream file(rows_.path(), std::ios::binary);
    std::string line;
    std::int64_t good = 0;
    // A line without its end was cut by a kill.
    const auto next = [&] { return std::getline(file, line) && !file.eof(); };
    const off_t size = rows_.size();
    if (!overwrite && size > 0) {
        const bool whole = next();
        if (!line.starts_with(journal_opening) && (whole || !journal_opening.starts_with(line))) {
            io::refuse(rows_.path(),
                       "exists and does not hold evaluations of a design; refusing to overwrite "
                       "it without --overwrite");
        }
        const bool same = whole && line + '\n' == first_line_;
        good = static_cast<std::int64_t>(first_line_.size());
        while (whole && next()) {
            if (!same) {
                io::refuse(rows_.path(),
                           "holds evaluations of another unfinished design, with another "
                           "scenario, other variables or another version; --overwrite starts "
                           "anew, -o names other files");
            }
            auto evaluation = evaluation_in(line, unknowns_, runs_);
            if (!evaluation) break;
            good += static_cast<std::int64_t>(line.size()) + 1;
            found_.push_back(*std::move(evaluation));
            ends_.push_back(good);
        }
        if (!same) good = 0;
    }
    rows_.keep(good);
    if (good == 0) put(first_line_);
}

std::optional<Evaluation> DesignJournal::take(std::span<const double> x) {
    if (left() == 0) return std::nullopt;
    if (std::ranges::equal(found_[taken_].x, x)) return found_[taken_++];
    const std::int64_t good =
        taken_ == 0 ? static_cast<std::int64_t>(first_line_.size()) : ends_[taken_ - 1];
    rows_.keep(good);
    found_.resize(taken_);
    return std::nullopt;
}

void DesignJournal::put(const std::string& text) {
    // After a loss of power the evaluations of the last second are made again.
    const auto now = std::chrono::steady_clock::now();
    const bool due = now - synced_ >= std::chrono::seconds(1);
    rows_.put(text, due);
    if (due && write_error().empty()) synced_ = now;
}

void DesignJournal::add(const Evaluation& evaluation) {
    if (write_error().empty()) put(row_of(evaluation));
}

}  // namespace beadwave::tasks

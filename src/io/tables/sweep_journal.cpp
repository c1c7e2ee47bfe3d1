#include "io/tables/sweep_journal.hpp"

#include "io/durable/full_io.hpp"
#include "io/tables/sweep_writers.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace beadwave::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view opening = "# beadwave sweep, ";

/// Reads the next record with its line ends. Returns false at the end, also if the last one is
/// incomplete.
bool next_record(std::istream& file, std::string& record) {
    record.clear();
    for (std::string line; std::getline(file, line);) {
        if (file.eof()) return false;
        record += line + '\n';
        if (std::ranges::count(record, '"') % 2 == 0) return true;  // not within a quoted cell
    }
    return false;
}

std::vector<std::string> cells_of(std::string_view record) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i + 1 < record.size(); ++i) {  // without the line end
        const char c = record[i];
        if (c == '"') {
            // Two quotes within a quoted cell mean one quote.
            if (quoted && record[i + 1] == '"') {
                cells.back() += record[++i];
            } else {
                quoted = !quoted;
            }
        } else if (c == ',' && !quoted) {
            cells.emplace_back();
        } else {
            cells.back() += c;
        }
    }
    return cells;
}

template <typename Number>
std::optional<Number> number_in(const std::string& cell) {
    Number number{};
    const char* const end = cell.data() + cell.size();
    const auto [stop, error] = std::from_chars(cell.data(), end, number);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return number;
}

/// Enters a row that is done into the table. Returns false if it does not belong to the table.
bool enter(const std::vector<std::string>& cells, SweepTable& table) {
    const SweepPlan& plan = table.plan();
    const std::size_t keys = plan.keys().size(), width = table.columns().width();
    if (cells.size() != 2 + keys + width + 2) return false;
    const auto run = number_in<std::size_t>(cells[0]);
    if (!run || *run >= plan.runs()) return false;
    if (cells[1] != name_of(SweepTable::Status::done)) return false;
    for (std::size_t k = 0; k < keys; ++k) {
        if (cells[2 + k] != unquoted(plan.value(*run, k))) return false;
    }
    std::vector<double> numbers;
    for (std::size_t i = 0; i < width; ++i) {
        const auto number = number_in<double>(cells[2 + keys + i]);
        if (!number) return false;
        numbers.push_back(*number);
    }
    const std::string& warning = cells[2 + keys + width];
    std::vector<std::string> warnings;
    if (!warning.empty()) warnings.push_back(warning);
    if (table.status(*run) != SweepTable::Status::done) table.set_done(*run, numbers, warnings);
    return true;
}

}  // namespace

SweepJournal::SweepJournal(const Output& hdf5, SweepTable& table, std::uint64_t sweep)
    : table_(table), path_(without_links(hdf5.path).concat(".rows")) {
    for (const VariedKey& key : table.plan().keys()) {
        sweep = checksum(key.key, sweep);
        for (const std::string& value : key.values)
            sweep = checksum(value, sweep);
    }
    sweep = checksum(sweep_csv_header(table, true), sweep);
    first_line_ = fmt::format("{}version {}, {:016x}\n", opening, BEADWAVE_VERSION, sweep);
    check_name(hdf5.path, path_);
    while (!open_and_lock(hdf5)) {  // another sweep has just finished, and removed it
    }
    try {
        read(hdf5);
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

bool SweepJournal::open_and_lock(const Output& hdf5) {
    descriptor_ =
        open_again(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (descriptor_ < 0) refuse_folder(hdf5.path, errno);
    struct stat status {};
    const bool regular = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
    const bool locked = regular && lock_to_write(descriptor_);
    if (locked && identity_of(descriptor_) == identity_of(path_)) return true;
    ::close(descriptor_);
    if (!regular) refuse(path_, "is not a regular file");
    if (locked) return false;
    throw std::runtime_error(fmt::format(
        "{}: another sweep is writing it; choose another name with -o", hdf5.path.string()));
}

SweepJournal::~SweepJournal() {
    ::close(descriptor_);
}

void SweepJournal::read(const Output& hdf5) {
    std::ifstream file(path_, std::ios::binary);
    std::string record;
    off_t good = 0;
    struct stat status {};
    naming(path_, [&] {
        if (::fstat(descriptor_, &status) != 0) throw std::runtime_error(reason(errno));
    });
    if (!hdf5.overwrite && status.st_size > 0) {
        std::string first;
        const bool whole = next_record(file, first);
        if (whole && !first.starts_with(opening))
            refuse(path_,
                   "exists and does not hold rows of a sweep; refusing to overwrite it "
                   "without --overwrite");
        const bool header = next_record(file, record);
        good = static_cast<off_t>(first.size() + record.size());
        const bool any = header && file.peek() != std::ifstream::traits_type::eof();
        if (any && first != first_line_) {
            refuse(path_,
                   "holds rows of another unfinished sweep, with another scenario, other values or "
                   "another version; --overwrite starts anew, -o names other files");
        }
        if (!any) good = 0;
        while (any && next_record(file, record) && enter(cells_of(record), table_)) {
            good += static_cast<off_t>(record.size());
            ++found_;
        }
    }
    naming(path_, [&] { full_truncate(descriptor_, good); });
    if (good == 0) put(first_line_ + sweep_csv_header(table_, true));
}

void SweepJournal::put(const std::string& text) {
    struct stat before {};
    try {
        if (::fstat(descriptor_, &before) != 0) throw std::runtime_error(reason(errno));
        full_write(descriptor_, text.data(), text.size(), before.st_size);
    } catch (const std::runtime_error& error) {
        write_error_ = error.what();
        [[maybe_unused]] const int cut = ::ftruncate(descriptor_, before.st_size);
    }
}

void SweepJournal::add(std::size_t run) {
    const std::string row = sweep_csv_row(table_, run, true);
    const std::lock_guard lock(mutex_);
    if (write_error_.empty()) put(row);
}

void SweepJournal::remove() {
    std::error_code ignored;
    if (identity_of(descriptor_) == identity_of(path_)) fs::remove(path_, ignored);
}

}  // namespace beadwave::io

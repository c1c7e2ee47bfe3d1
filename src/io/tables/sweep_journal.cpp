#include "io/tables/sweep_journal.hpp"

#include "io/durable/checksum.hpp"
#include "io/tables/sweep_writers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <string_view>
#include <vector>

namespace beadwave::io {
namespace {

constexpr std::string_view journal_opening = "# beadwave sweep, ";

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
    : table_(table), rows_(hdf5, "sweep") {
    for (const VariedKey& key : table.plan().keys()) {
        sweep = checksum(key.key, sweep);
        for (const std::string& linked : key.linked)
            sweep = checksum(linked, sweep);
        for (const std::string& value : key.values)
            sweep = checksum(value, sweep);
    }
    sweep = checksum(sweep_csv_header(table, true), sweep);
    first_line_ = fmt::format("{}version {}, {:016x}\n", journal_opening, BEADWAVE_VERSION, sweep);
    read(hdf5.overwrite);
}

void SweepJournal::read(bool overwrite) {
    std::ifstream file(path(), std::ios::binary);
    std::string record;
    off_t good = 0;
    const off_t size = rows_.size();
    if (!overwrite && size > 0) {
        std::string first;
        const bool whole = next_record(file, first);
        if (whole && !first.starts_with(journal_opening))
            refuse(path(),
                   "exists and does not hold rows of a sweep; refusing to overwrite it "
                   "without --overwrite");
        const bool header = next_record(file, record);
        good = static_cast<off_t>(first.size() + record.size());
        const bool any = header && file.peek() != std::ifstream::traits_type::eof();
        if (any && first != first_line_) {
            refuse(path(),
                   "holds rows of another unfinished sweep, with another scenario, other values or "
                   "another version; --overwrite starts anew, -o names other files");
        }
        if (!any) good = 0;
        while (any && next_record(file, record) && enter(cells_of(record), table_)) {
            good += static_cast<off_t>(record.size());
            ++found_;
        }
    }
    rows_.keep(good);
    if (good == 0) rows_.put(first_line_ + sweep_csv_header(table_, true));
}

void SweepJournal::add(std::size_t run) {
    const std::string row = sweep_csv_row(table_, run, true);
    const std::lock_guard lock(mutex_);
    if (write_error().empty()) rows_.put(row);
}

}  // namespace beadwave::io

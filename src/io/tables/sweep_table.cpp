#include "io/tables/sweep_table.hpp"

#include "beadwave/input_error.hpp"
#include "io/durable/atomic_file.hpp"
#include "io/durable/full_io.hpp"
#include "io/files/hdf5_results.hpp"
#include "io/tables/sweep_writers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace beadwave::io {
SweepTable::SweepTable(SweepPlan plan, Columns columns)
    : plan_(std::move(plan)),
      columns_(std::move(columns)),
      numbers_(plan_.runs() * columns_.width(), std::numeric_limits<double>::quiet_NaN()),
      status_(plan_.runs(), Status::not_run),
      errors_(plan_.runs()),
      warnings_(plan_.runs()) {}

void SweepTable::set_done(std::size_t run, std::span<const double> numbers,
                          std::span<const std::string> warnings) {
    if (numbers.size() != columns_.width())
        throw std::logic_error("a result that does not fit the table's columns");
    for (const std::string& warning : warnings)
        warnings_[run] += warnings_[run].empty() ? warning : "; " + warning;
    std::ranges::copy(numbers,
                      numbers_.begin() + static_cast<std::ptrdiff_t>(run * numbers.size()));
    status_[run] = Status::done;
}

void SweepTable::set_failed(std::size_t run, std::string error) {
    errors_[run] = std::move(error);
    status_[run] = Status::failed;
}

std::size_t SweepTable::runs_with_warnings() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(warnings_, [](const std::string& note) { return !note.empty(); }));
}

std::size_t SweepTable::count(Status status) const {
    return static_cast<std::size_t>(std::ranges::count(status_, status));
}

const char* name_of(SweepTable::Status status) {
    switch (status) {
        case SweepTable::Status::done:
            return "done";
        case SweepTable::Status::failed:
            return "failed";
        case SweepTable::Status::not_run:
            return "not_run";
    }
    throw std::logic_error("a status without a name");
}

struct SweepFiles::Files {
    Files(const Output& hdf5_place, const Output& csv_place)
        : hdf5_name(hdf5_place.path), hdf5(hdf5_place, sweep_result), csv(csv_place, csv_result) {}

    std::filesystem::path hdf5_name;
    AtomicFile hdf5, csv;
};

SweepFiles::SweepFiles(const Output& hdf5, const Output& csv) {
    if (std::filesystem::weakly_canonical(hdf5.path) ==
        std::filesystem::weakly_canonical(csv.path)) {
        throw InputError(fmt::format(
            "{}: the HDF5 and the CSV table would be the same file; name them with -o and --csv",
            hdf5.path.string()));
    }
    files_ = std::make_unique<Files>(hdf5, csv);
}

SweepFiles::~SweepFiles() = default;

void SweepFiles::write(const SweepTable& table, const std::string& scenario_text) {
    naming(files_->hdf5_name, [&] { write_sweep_hdf5(files_->hdf5.path(), table, scenario_text); });
    files_->csv.write(sweep_csv(table));
    commit_together({&files_->hdf5, &files_->csv});
}

}  // namespace beadwave::io

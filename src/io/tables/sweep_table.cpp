#include "io/tables/sweep_table.hpp"

#include "beadwave/input_error.hpp"
#include "io/files/staged_file.hpp"
#include "io/tables/sweep_writers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

namespace beadwave::io {
namespace {

struct SensorColumn {
    SweepQuantity quantity;
    double (*of)(const observers::SensorResult&);
};

constexpr SensorColumn sensor_columns[] = {
    {{"peak_force", "N", "N"}, [](const observers::SensorResult& s) { return s.peak_force; }},
    {{"arrival", "s", "s"}, [](const observers::SensorResult& s) { return s.peak_force_time; }},
    {{"peak_velocity", "m s-1", "m_per_s"},
     [](const observers::SensorResult& s) { return s.peak_velocity; }},
};

using Result = running::RunResult;

struct RunColumn {
    SweepQuantity quantity;
    double (*of)(const Result&, double time_step);
};

/// Behind the ledger's.
constexpr RunColumn run_columns[] = {
    {{"momentum", "kg m s-1", "kg_m_per_s"}, [](const Result& r, double) { return r.momentum; }},
    {{"steps", "", ""}, [](const Result& r, double) { return static_cast<double>(r.steps); }},
    {{"time_step", "s", "s"}, [](const Result&, double time_step) { return time_step; }},
};

constexpr auto sensor_list = [] {
    std::array<SweepQuantity, std::size(sensor_columns)> list{};
    std::ranges::transform(sensor_columns, list.begin(), &SensorColumn::quantity);
    return list;
}();

constexpr auto run_list = [] {
    std::array<SweepQuantity, observers::ledger_entries.size() + std::size(run_columns)> list{};
    auto next = list.begin();
    for (const observers::LedgerEntry& entry : observers::ledger_entries)
        *next++ = {entry.quantity, entry.unit, entry.unit};  // J, or none
    std::ranges::transform(run_columns, next, &RunColumn::quantity);
    return list;
}();

}  // namespace

std::span<const SweepQuantity> SweepTable::sensor_quantities() {
    return sensor_list;
}
std::span<const SweepQuantity> SweepTable::run_quantities() {
    return run_list;
}

SweepTable::SweepTable(SweepPlan plan, std::vector<std::int64_t> sensor_beads)
    : plan_(std::move(plan)),
      beads_(std::move(sensor_beads)),
      numbers_(plan_.runs() * width(), std::numeric_limits<double>::quiet_NaN()),
      status_(plan_.runs(), Status::not_run),
      errors_(plan_.runs()),
      notes_(plan_.runs()) {}

void SweepTable::set_done(std::size_t run, const running::Finished& finished) {
    const running::RunResult& result = finished.result;
    for (const std::string& note : finished.notes())
        notes_[run] += notes_[run].empty() ? note : "; " + note;
    double* number = numbers_.data() + run * width();
    for (const SensorColumn& column : sensor_columns) {
        for (const observers::SensorResult& sensor : result.sensors)
            *number++ = column.of(sensor);
    }
    for (const observers::LedgerEntry& entry : observers::ledger_entries)
        *number++ = entry.of(result.ledger);
    for (const RunColumn& column : run_columns)
        *number++ = column.of(result, finished.attempt.time_step.step);
    status_[run] = Status::done;
}

void SweepTable::set_failed(std::size_t run, std::string error) {
    errors_[run] = std::move(error);
    status_[run] = Status::failed;
}

std::size_t SweepTable::noted() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(notes_, [](const std::string& note) { return !note.empty(); }));
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

struct SweepFiles::Staged {
    Staged(const std::filesystem::path& hdf5_path, const std::filesystem::path& csv_path)
        : hdf5_name(hdf5_path), csv_name(csv_path), hdf5(hdf5_path), csv(csv_path, csv_result) {}

    std::filesystem::path hdf5_name, csv_name;
    StagedFile hdf5, csv;
};

SweepFiles::SweepFiles(const std::filesystem::path& hdf5, const std::filesystem::path& csv) {
    if (std::filesystem::weakly_canonical(hdf5) == std::filesystem::weakly_canonical(csv)) {
        throw InputError(fmt::format(
            "{}: the HDF5 and the CSV table would be one file; name them with -o and --csv",
            hdf5.string()));
    }
    staged_ = std::make_unique<Staged>(hdf5, csv);
}

SweepFiles::~SweepFiles() = default;

void SweepFiles::write(const SweepTable& table, const std::string& scenario_text) {
    const auto named = [](const std::filesystem::path& name, const auto& action) {
        try {
            action();
        } catch (const std::exception& error) {
            throw std::runtime_error(name.string() + ": " + error.what());
        }
    };
    named(staged_->hdf5_name,
          [&] { write_sweep_hdf5(staged_->hdf5.path(), table, scenario_text); });
    named(staged_->csv_name, [&] { write_sweep_csv(staged_->csv.path(), table); });
    staged_->hdf5.publish();
    staged_->csv.publish();
}

}  // namespace beadwave::io

// The table of a sweep: one row per run, in the order of the plan, for any number of threads.
//
// HDF5, with R runs and S sensors. The numbers of runs that are not done are NaN (steps: 0):
//
//     /sweep                     attribute `varied`: the keys, the last one fastest
//     /sweep/parameters/<key>    [R] values of the key: integers, numbers or text
//     /sweep/status              [R] enumeration: done, failed, not_run
//     /sweep/error               [R] text, why a run failed
//     /sweep/warnings            [R] text, the warnings of a run; empty: none
//     /sweep/sensor_beads        [S] the sensors' beads; packings: sensor_particles
//     /sweep/sensor_peak_force   [R][S] attribute `unit`, and `beads` up to 4,000 sensors; so do
//                                sensor_arrival_time and sensor_peak_velocity
//     /sweep/initial_energy      [R] attribute `unit`; so do the other entries of the ledger
//                                (observers/ledger.hpp), momentum, steps, time_step
//     /sweep/over_time           time [T], and each quantity over time [R][T]
//     /sweep/ensemble            of the members of each of N ensembles: ensemble.hpp
//     /parameters                scenario: the TOML text without the varied keys; version
//
// CSV: a header, then one line per run with the same columns: run, status, the varied keys,
// peak_force_<bead>_N, arrival_time_<bead>_s, peak_velocity_<bead>_m_per_s, initial_energy_J, ...,
// time_step_s, warnings, error. Numbers have all digits.
//
// The arrival time at a sensor is that of `beadwave run`: observers/arrival.hpp.
#pragma once

#include "io/files/output_path.hpp"
#include "io/tables/columns.hpp"
#include "io/tables/sweep_plan.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace beadwave::io {

class SweepTable {
  public:
    enum class Status { done, failed, not_run };

    /// All runs have the status not_run.
    SweepTable(SweepPlan plan, Columns columns);

    // Threads may fill different rows at the same time.

    /// `numbers` in the order of the columns.
    void set_done(std::size_t run, std::span<const double> numbers,
                  std::span<const std::string> warnings);
    void set_failed(std::size_t run, std::string error);

    const SweepPlan& plan() const { return plan_; }
    const Columns& columns() const { return columns_; }
    Status status(std::size_t run) const { return status_[run]; }
    const std::string& error(std::size_t run) const { return errors_[run]; }
    const std::string& warnings(std::size_t run) const { return warnings_[run]; }
    std::size_t runs_with_warnings() const;  ///< number of runs with warnings
    std::size_t count(Status status) const;

    /// All rows, each in the order of the columns.
    std::span<const double> numbers() const { return numbers_; }
    double at_sensor(std::size_t run, std::size_t quantity, std::size_t sensor) const {
        return row(run)[quantity * columns_.sensors.size() + sensor];
    }
    double of_run(std::size_t run, std::size_t quantity) const {
        return row(run)[columns_.of_sensor.size() * columns_.sensors.size() + quantity];
    }
    double over_time(std::size_t run, std::size_t quantity, std::size_t time) const {
        return row(run)[columns_.first_over_time() + quantity * columns_.times.size() + time];
    }

  private:
    const double* row(std::size_t run) const { return numbers_.data() + run * columns_.width(); }

    SweepPlan plan_;
    Columns columns_;
    std::vector<double> numbers_;  ///< rows of columns_.width()
    std::vector<Status> status_;
    std::vector<std::string> errors_, warnings_;
};

/// "done", "failed", "not_run".
const char* name_of(SweepTable::Status status);

/// The HDF5 and the CSV file of one sweep. They get their final names when both are
/// written, or neither does: see commit_together().
class SweepFiles {
  public:
    /// Throws InputError, without changing an existing file, if a folder is missing or not
    /// writable, if a file of this name is not an earlier result, or if both paths are the same.
    SweepFiles(const Output& hdf5, const Output& csv);
    ~SweepFiles();

    /// Throws std::runtime_error if a file cannot be written (disk full).
    void write(const SweepTable& table, const std::string& scenario_text);

  private:
    struct Files;
    std::unique_ptr<Files> files_;
};

}  // namespace beadwave::io

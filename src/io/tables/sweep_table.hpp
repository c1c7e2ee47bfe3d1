// The table of a sweep: one row a run, in the order of the plan, however many threads ran it.
//
// HDF5, R runs and S sensors; numbers of runs that are not done are NaN (steps: 0):
//
//     /sweep                     attribute `varied`: the keys, the last one fastest
//     /sweep/parameters/<key>    [R] what the key was set to: integers, numbers or text
//     /sweep/status              [R] enumeration: done, failed, not_run
//     /sweep/error               [R] text, why a run failed
//     /sweep/note                [R] text, why a run is to be doubted or began again; else empty
//     /sweep/sensor_beads        [S] the sensors' beads; of a packing sensor_particles
//     /sweep/sensor_peak_force   [R][S] attribute `unit`, and `beads` up to 4,000 sensors; so do
//                                sensor_arrival and sensor_peak_velocity
//     /sweep/initial_energy      [R] attribute `unit`; so do the other entries of the ledger
//                                (observers/ledger.hpp), momentum, steps, time_step
//     /parameters                scenario: the TOML text but for the varied keys; version
//
// CSV: a header, then a line a run with the same columns: run, status, the varied keys,
// peak_force_<bead>_N, arrival_<bead>_s, peak_velocity_<bead>_m_per_s, initial_energy_J, ...,
// time_step_s, note, error. Numbers read back exactly.
//
// The arrival at a sensor is that of `beadwave run`: observers/arrival.hpp.
#pragma once

#include "io/files/result_place.hpp"
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

    /// Every run is not_run so far.
    SweepTable(SweepPlan plan, Columns columns);

    // Threads may fill different rows at once.

    /// `numbers` in the order of the columns.
    void set_done(std::size_t run, std::span<const double> numbers,
                  std::span<const std::string> notes);
    void set_failed(std::size_t run, std::string error);

    const SweepPlan& plan() const { return plan_; }
    const Columns& columns() const { return columns_; }
    Status status(std::size_t run) const { return status_[run]; }
    const std::string& error(std::size_t run) const { return errors_[run]; }
    const std::string& note(std::size_t run) const { return notes_[run]; }
    std::size_t noted() const;  ///< runs with a note
    std::size_t count(Status status) const;

    /// All rows, each in the order of the columns.
    std::span<const double> numbers() const { return numbers_; }
    double at_sensor(std::size_t run, std::size_t quantity, std::size_t sensor) const {
        return row(run)[quantity * columns_.sensors.size() + sensor];
    }
    double of_run(std::size_t run, std::size_t quantity) const {
        return row(run)[columns_.of_sensor.size() * columns_.sensors.size() + quantity];
    }

  private:
    const double* row(std::size_t run) const { return numbers_.data() + run * columns_.width(); }

    SweepPlan plan_;
    Columns columns_;
    std::vector<double> numbers_;  ///< rows of columns_.width()
    std::vector<Status> status_;
    std::vector<std::string> errors_, notes_;
};

/// "done", "failed", "not_run".
const char* name_of(SweepTable::Status status);

/// The HDF5 and the CSV file of one sweep, which take their names once both are written.
class SweepFiles {
  public:
    /// Throws InputError, leaving what was there untouched, if a folder is missing or not writable,
    /// or if a file stands there that is not an earlier result, or if both are one.
    SweepFiles(const Output& hdf5, const Output& csv);
    ~SweepFiles();

    /// Throws std::runtime_error when a file cannot be written (disk full).
    void write(const SweepTable& table, const std::string& scenario_text);

  private:
    struct Staged;
    std::unique_ptr<Staged> staged_;
};

}  // namespace beadwave::io

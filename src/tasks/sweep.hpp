// Runs one scenario with many values, on all threads, and writes one table.
#pragma once

#include "io/tables/sweep_table.hpp"
#include "jobs/job.hpp"
#include "ranks/communicator.hpp"
#include "tasks/disturb.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace beadwave::tasks {

struct SweepRequest {
    std::string scenario;
    std::vector<std::string> vary;  ///< key=values, in the order of the product
    std::vector<std::string> overrides{};
    /// The HDF5 and the CSV table. Empty output: neither is written. Empty csv: the name of the
    /// HDF5 table with .csv.
    std::string output{}, csv{};
    int threads = 0;         ///< per rank; 0: all
    bool overwrite = false;  ///< replace files that beadwave sweep did not write, and restart
    EnsembleRequest ensemble{};
    std::vector<std::string> over_time{};  ///< what the table keeps over time: over_time.hpp
};

/// Called while a sweep runs. Of the inherited members a sweep calls stop(), warn() for warnings
/// about the sweep itself, and begin(runs) before the first run.
class SweepProgressCallback : public jobs::ProgressCallback {
  public:
    /// The rows of so many runs are in the journal; in any thread.
    virtual void entered(std::size_t /*done*/) {}
    // About ten times per second, in the thread that called sweep().
    virtual void checking(std::size_t /*done*/, std::size_t /*runs*/, double /*wall_seconds*/) {}
    virtual void running(std::size_t /*done*/, std::size_t /*runs*/, double /*wall_seconds*/) {}
};

/// The result of a sweep: a few lines of text, or one JSON object.
struct Sweep {
    io::SweepTable table;
    int threads;                                 ///< on all ranks
    double wall_seconds = 0.0;                   ///< for all runs
    double updates = 0.0;                        ///< steps times bodies of the runs that are done
    std::string hdf5 = {}, csv = {}, rows = {};  ///< names of files; see io::SweepJournal

    double updates_per_second() const { return wall_seconds > 0.0 ? updates / wall_seconds : 0.0; }
    std::string text() const;
    nlohmann::ordered_json json() const;
    nlohmann::ordered_json ensembles_json() const;
    /// The number of runs that failed or were not run, and the first that failed; empty if all are
    /// done.
    std::string failure() const;
};

/// Checks all runs before the first one starts. Throws InputError; running::RunError if no run can
/// start. Collective: the other ranks call serve_sweep().
Sweep sweep(const SweepRequest& request, SweepProgressCallback& callback,
            ranks::Communicator& ranks);
/// Runs the sweep by this process alone.
Sweep sweep(const SweepRequest& request, SweepProgressCallback& callback);

/// The part of the other ranks: makes runs that the first rank distributes, until none are left.
void serve_sweep(const SweepRequest& request, SweepProgressCallback& callback,
                 ranks::Communicator& ranks);

}  // namespace beadwave::tasks

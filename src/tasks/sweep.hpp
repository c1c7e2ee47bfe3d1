// One scenario with many values, a run a thread, into one table.
#pragma once

#include "io/tables/sweep_table.hpp"
#include "jobs/job.hpp"
#include "ranks/ranks.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace beadwave::tasks {

struct SweepRequest {
    std::string scenario;
    std::vector<std::string> vary;  ///< key=values, in the order of the product
    std::vector<std::string> overrides{};
    /// The HDF5 and the CSV table; without the first neither is written. An empty CSV is the HDF5
    /// table's name with .csv.
    std::string output{}, csv{};
    int threads = 0;     ///< of each rank; 0: as many as there are
    bool force = false;  ///< replace whatever stands in the results' places, and begin anew
};

/// Who looks on at a sweep: of the others' questions it hears stop(), say() for what everybody
/// should know, and begin(runs) before the first run.
class SweepWatcher : public jobs::Watcher {
  public:
    /// What those who look on closely also want to know.
    virtual void hint(const std::string&) {}
    // About ten times a second, in the thread that called sweep().
    virtual void checking(std::size_t /*done*/, std::size_t /*runs*/, double /*wall_seconds*/) {}
    virtual void running(std::size_t /*done*/, std::size_t /*runs*/, double /*wall_seconds*/) {}
};

/// What a sweep has to say at its end: for people a few lines, for scripts one JSON object.
struct Sweep {
    io::SweepTable table;
    int threads;                                 ///< of all ranks
    double wall_seconds = 0.0;                   ///< of the runs
    double updates = 0.0;                        ///< of the runs that are done
    std::string hdf5 = {}, csv = {}, rows = {};  ///< names of files; see io::SweepJournal

    double updates_per_second() const { return wall_seconds > 0.0 ? updates / wall_seconds : 0.0; }
    std::string text() const;
    nlohmann::ordered_json json() const;
    /// How many runs failed or were not run, and the first that failed; empty if all are done.
    std::string trouble() const;
};

/// Checks every run before the first begins. Throws InputError, and running::RunError where none
/// can start. Other ranks call help_sweep() meanwhile.
Sweep sweep(const SweepRequest& request, SweepWatcher& watcher, ranks::Ranks& ranks);
/// Of a process that is alone.
Sweep sweep(const SweepRequest& request, SweepWatcher& watcher);

/// Does runs that the first rank hands out, until there are no more.
void help_sweep(const SweepRequest& request, SweepWatcher& watcher, ranks::Ranks& ranks);

}  // namespace beadwave::tasks

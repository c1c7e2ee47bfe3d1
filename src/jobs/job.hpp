// One scenario, read and checked and ready to run, whatever it describes. `run`, `resume`, `sweep`
// and `compare` know only this; read_job.hpp makes it.
#pragma once

#include "io/checkpoint/checkpoint_file.hpp"
#include "io/tables/columns.hpp"
#include "jobs/recording.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace beadwave::jobs {

/// Who looks on while a job runs.
class Watcher {
  public:
    virtual ~Watcher() = default;
    /// Asked now and then, from any thread; true ends the run early.
    virtual bool stop() { return false; }
    /// What a person should know before the result.
    virtual void say(const std::string&) {}
    /// A run of so many steps begins, perhaps anew; each updates `count` bodies.
    virtual void begin(std::int64_t /*steps*/, double /*time_step*/, std::size_t /*count*/) {}
    virtual void progress(std::int64_t /*step*/, double /*wall_seconds*/) {}
};

/// What the sensors felt, a row a sample: in a chain the force inside the bead, in a packing the
/// size of the net contact force on the particle.
struct SensorTraces {
    std::vector<double> times;   ///< [s]
    std::vector<double> forces;  ///< [N], times x sensors
    std::vector<double> row;     ///< [N], room for one
    void add(double time) {
        times.push_back(time);
        forces.insert(forces.end(), row.begin(), row.end());
    }
};

struct Request {
    std::filesystem::path output{};  ///< the history; empty: none is written
    SensorTraces* traces = nullptr;  ///< if no history is written: gets what that would hold
    bool keep = false;               ///< the same, of all of it, as Outcome::recording
    int threads = 0;                 ///< 0: as many as there are
    bool check = false;  ///< run again at half the step, and say by how much the numbers differ
    bool force = false;  ///< begin although the disk may not hold the history, or another file than
                         ///< a history stands there
    const io::CheckpointFile* from = nullptr;  ///< null: from the start
    std::filesystem::path checkpoint{};        ///< that file's path
};

struct Outcome {
    std::vector<double> numbers;      ///< in the order of columns()
    std::vector<std::string> notes;   ///< all that was noted
    std::vector<std::string> doubts;  ///< those that were not said while it ran
    std::string stopped;  ///< empty, or "interrupted at ...": where the watcher stopped it
    double updates;       ///< steps times bodies
    double wall_seconds;
    double largest_energy;  ///< in the ledger, at any time [J]
    std::string text;       ///< for people
    nlohmann::ordered_json json;
    std::shared_ptr<const Recording> recording{};  ///< where it was asked for
};

class Job {
  public:
    virtual ~Job() = default;

    /// Keys that are right but have no effect, a sentence each, and other doubts before it runs.
    virtual std::vector<std::string> notes() const = 0;
    virtual io::Columns columns() const = 0;
    /// By dotted key, the texts of the files that its scenario names.
    virtual const std::map<std::string, std::string>& file_texts() const = 0;
    /// That a run begins with [s]; 0 for a mechanism, which has no fixed one.
    virtual double time_step() const = 0;
    /// That a run takes at most [bytes].
    virtual double memory() const = 0;
    /// Throws InputError, leaving what was there untouched, if the history cannot stand at its
    /// place; running::RunError if the run fails.
    virtual Outcome run(const Request& request, Watcher& watcher) const = 0;
};

}  // namespace beadwave::jobs

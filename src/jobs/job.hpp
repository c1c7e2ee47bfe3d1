// A job: one scenario of any kind, read, checked and ready to run. `run`, `resume`, `sweep` and
// `compare` use only this interface; read_job.hpp makes jobs.
#pragma once

#include "beadwave/running/own_part.hpp"
#include "beadwave/stepping/time_step.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "io/tables/columns.hpp"
#include "jobs/own_observables.hpp"
#include "jobs/recording.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace beadwave::jobs {

/// The functions that a job calls while it runs.
class ProgressCallback {
  public:
    virtual ~ProgressCallback() = default;
    /// Whether a run may start however long it takes; otherwise one that takes more than a month
    /// at the least is refused (base/long_run.hpp).
    bool accepts_long_runs = false;
    /// Called repeatedly, from any thread; true ends the run early.
    virtual bool stop() { return false; }
    /// A warning before the result is known.
    virtual void warn(const std::string&) {}
    /// A run of `steps` steps starts or restarts; each step updates `count` bodies.
    virtual void begin(std::int64_t /*steps*/, double /*time_step*/, std::size_t /*count*/) {}
    virtual void progress(std::int64_t /*step*/, double /*wall_seconds*/) {}
    /// Between these calls stop() is not called for minutes. All that is needed to continue is on
    /// the disk: the process may end, and say `last_words`.
    virtual void solve_begins(const std::string& /*last_words*/) {}
    virtual void solve_ends() {}
};

/// Forces of the sensors, one row per sample: in a chain the force inside the bead, in a packing
/// the magnitude of the net contact force on the particle.
struct SensorTraces {
    std::vector<double> times{};   ///< [s]
    std::vector<double> forces{};  ///< [N], times x sensors
    int axis = 3;                  ///< of a packing: 0, 1, 2: this component; 3: the magnitude
};

/// The samples go to a history file, with checkpoints.
struct ToFile {
    std::filesystem::path output;
    bool overwrite = false;          ///< replace a file at `output` that is no history of beadwave
    bool ignore_disk_space = false;  ///< start although the disk may not hold the history
    const io::CheckpointFile* from = nullptr;  ///< null: from the start
    std::filesystem::path checkpoint{};        ///< path of that file
    std::string resume_options{};  ///< that another `beadwave resume` needs: " --device gpu"
};
/// The samples go to JobResult::recording.
struct ToMemory {};

struct RunRequest {
    /// Where the samples go; the sensor traces must outlive the run.
    std::variant<std::monostate, ToFile, ToMemory, SensorTraces*> record{};
    int threads = 0;     ///< 0: all that there are
    bool check = false;  ///< repeat the run with half the step and report the differences
    std::vector<OwnObservable> observables{};  ///< only with ToMemory
    /// Called with each snapshot of a chain or packing; a run that starts anew with a shorter step
    /// calls it anew.
    std::function<void(const running::OwnPart&)> each_snapshot{};

    const ToFile* file() const { return std::get_if<ToFile>(&record); }
    /// Whether a person or a script reads the result: a history has a summary.
    bool has_summary() const {
        return file() != nullptr || std::holds_alternative<ToMemory>(record);
    }
};

struct JobResult {
    std::vector<double> numbers;           ///< in the order of columns()
    std::vector<std::string> warnings;     ///< all of them
    std::vector<std::string> diagnostics;  ///< those that the progress callback did not get
    std::string stopped;  ///< "interrupted at ..." if the callback stopped the run, otherwise empty
    double updates;       ///< number of steps times number of bodies
    double wall_seconds;
    double largest_energy;  ///< largest entry of the ledger at any time [J]
    std::string text{};     ///< the printed summary
    std::shared_ptr<const nlohmann::ordered_json> json{};  ///< with a summary
    std::shared_ptr<const Recording> recording{};          ///< with ToMemory
};

class Job {
  public:
    virtual ~Job() = default;

    /// Keys that are valid but have no effect, and other warnings before the run; one sentence
    /// each.
    virtual std::vector<std::string> warnings() const = 0;
    virtual io::Columns columns() const = 0;
    /// The texts of the files that the scenario names, by dotted key.
    virtual const std::map<std::string, std::string>& file_texts() const = 0;
    /// The scenario as read, overrides applied (TOML). Empty: it was made from arrays.
    virtual const std::string& scenario_text() const = 0;
    /// The initial time step of a run [s]; 0 for a mechanism, which has no fixed step.
    virtual double time_step() const = 0;
    /// The initial time step in full, with which JobFile::variant() makes the same job faster; none
    /// if its choice costs nothing.
    virtual std::optional<stepping::TimeStep> chosen_step() const { return std::nullopt; }
    /// Jobs with equal keys can run together. Empty: only alone.
    virtual std::string together_key() const { return {}; }
    /// How many jobs with this key run together in the time of one, or little more.
    virtual std::size_t most_together() const { return 1; }
    /// Runs jobs with the key of this one, which is among them, without records, on one thread;
    /// their results are those of run(). None for a job that has to run alone; none at all if the
    /// callback asks to stop.
    virtual std::vector<std::optional<JobResult>> run_together(
        std::span<const std::unique_ptr<Job>> /*jobs*/, ProgressCallback& /*callback*/) const {
        return {};
    }
    /// Upper bound of the memory of a run [bytes].
    virtual double memory() const = 0;
    /// Lower bound of the wall time of a run on one machine [s]: base/long_run.hpp.
    virtual double least_wall_time() const = 0;
    /// Throws InputError if the history cannot be written to its path (an existing file is then not
    /// changed) or if the run takes too long, running::RunError if the run fails.
    virtual JobResult run(const RunRequest& request, ProgressCallback& callback) const = 0;
};

}  // namespace beadwave::jobs

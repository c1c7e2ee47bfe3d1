// Sends the samples of a run where the request says, for every system: begins each trial of the
// time step anew, writes checkpoints, and names the checkpoint from which a failed run can be
// resumed.
#pragma once

#include "beadwave/running/step_trials.hpp"
#include "io/history/shared_history_store.hpp"
#include "jobs/checkpoints.hpp"
#include "jobs/job.hpp"
#include "running/device_lost.hpp"
#include "scenario/common.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

namespace beadwave::jobs {

/// What the history holds of the scenario; empty for a chain made from arrays.
struct RunSource {
    std::string text{}, law{};
    std::map<std::string, std::string> file_texts{};
    std::optional<scenario::Checkpoints> checkpoints{};
    std::vector<std::string> warnings{};  ///< known before the run, as Job::warnings()
};
/// The sentence about a run that takes at least so long [s].
std::string long_run_text(const stepping::TimeStep& step, double seconds);

RunSource source_of(const scenario::Common& scenario, std::vector<std::string> warnings);

class RunRecorder {
  public:
    /// The arguments must outlive it. `ranks`: that share the run; null: there is one process.
    /// Throws InputError if the name of the checkpoint cannot be used.
    RunRecorder(const RunRequest& request, RunSource source, ProgressCallback& callback,
                ranks::Communicator* ranks = nullptr);

    /// Runs a chain or a packing: `run(start, from)` calls running::run_chain or run_packing.
    /// Throws InputError if the history cannot be written to its path (an existing file is then not
    /// changed); running::RunError.
    template <class Run>
    auto run(const Run& run) {
        std::optional<running::SavedState> from;
        if (from_ != nullptr) from = from_->saved_state();
        auto finished = guarded([&] {
            try {
                return run([&](const running::StepTrial& trial,
                               running::System& system) { return start(trial, system); },
                           from ? &*from : nullptr);
            } catch (const std::length_error& error) {
                refuse_damaged_state(error);
                throw;
            }
        });
        finish(finished.result.stopped, finished.warnings());
        return finished;
    }

    // The parts of it, for systems with a loop of their own.

    /// Begins a trial: discards the samples of an earlier one. Null: samples go nowhere.
    recording::Store* begin(const running::StepTrial& trial, recording::Description description,
                            int threads);
    bool checkpoint_due(std::int64_t step) { return checkpoints_ && checkpoints_->due(step); }
    void write_checkpoint(const io::RunState& state);
    /// Flushes the history from time to time.
    void flush() {
        if (file() != nullptr) file()->flush_if_due();
    }
    /// Whether the callback or the loss of the history ends the run.
    bool stop();
    /// Runs `action`. If it fails, the history keeps what was written, but replaces no earlier one;
    /// the error also says where it is, and names the checkpoint from which the run can continue.
    template <class Action>
    auto guarded(const Action& action);
    /// Closes the history, which holds all_warnings(of_run). If the run is complete, removes its
    /// checkpoint.
    void finish(bool stopped, const std::vector<std::string>& of_run);
    /// The warnings known before the run, then those of the run: what a history, a summary and a
    /// table hold, so that none is on the terminal alone.
    std::vector<std::string> all_warnings(const std::vector<std::string>& of_run) const;

    std::shared_ptr<const Recording> recording() const { return memory_; }
    /// "; continue with: ..." if there is a checkpoint.
    std::string how_to_continue() const {
        return checkpoints_ ? checkpoints_->how_to_continue() : "";
    }

  private:
    running::Callbacks start(const running::StepTrial& trial, running::System& system);
    /// Throws InputError for a run of so many bodies that takes too long (base/long_run.hpp),
    /// unless the callback accepts it or it continues a run.
    void refuse_long(const stepping::TimeStep& step, double bodies) const;
    recording::Store& begin_file(const running::StepTrial& trial,
                                 recording::Description description, const io::RunDescription& run);
    std::string close_incomplete() { return file() != nullptr ? file()->close_incomplete() : ""; }
    /// Whether others have removed the history of this process, looked up now and then.
    bool history_lost();
    /// Throws InputError if the run continues a checkpoint whose numbers are too few or too many.
    void refuse_damaged_state(const std::length_error& error) const;
    bool first_rank() const { return ranks_ == nullptr || ranks_->first(); }
    /// The open history of this process, if any.
    io::HistoryStore* file() { return shared_ ? shared_->file() : own_ ? &*own_ : nullptr; }

    const RunRequest& request_;
    const ToFile* to_file_;
    io::Output output_;
    RunSource source_;
    ProgressCallback& callback_;
    ranks::Communicator* ranks_;
    const io::CheckpointFile* from_;
    std::optional<Checkpoints> checkpoints_;  ///< on the first rank
    running::StepTrial trial_{};
    std::optional<io::HistoryStore> own_;
    std::optional<io::SharedHistoryStore> shared_;
    std::shared_ptr<Recording> memory_;
    std::unique_ptr<ObservingStore> observing_;
    std::unique_ptr<recording::Store> traces_;
    std::chrono::steady_clock::time_point looked_{};  ///< by history_lost()
    bool lost_ = false;                               ///< the result of history_lost()
    std::size_t warned_ = 0;                          ///< warnings of trials that the callback got
    bool begun_ = false;
    bool size_checked_ = false;
};

template <class Action>
auto RunRecorder::guarded(const Action& action) {
    try {
        return action();
    } catch (const WriteError& error) {
        throw running::RunError(error.what() + close_incomplete() + how_to_continue());
    } catch (const running::DeviceLost& error) {
        throw running::RunError(error.what() + close_incomplete() + how_to_continue());
    } catch (const running::RunError& error) {
        throw running::RunError(error.what() + close_incomplete());
    } catch (const ranks::RankFailure& failure) {
        throw ranks::RankFailure(failure.rank(), failure.status(),
                                 failure.what() + close_incomplete() + how_to_continue());
    } catch (const std::bad_alloc&) {
        std::string why = close_incomplete();
        why.insert(0, "not enough memory").append(how_to_continue());
        throw running::RunError(why);
    } catch (...) {
        close_incomplete();
        throw;
    }
}

/// The trial of a checkpoint; `chosen` is the time step that its system gets. Throws InputError if
/// the checkpoint has another time step.
running::StepTrial trial_of(const io::CheckpointFile& checkpoint, const stepping::TimeStep& chosen,
                            const running::Settings& settings, const std::string& name);
/// The first trial of a run; see trial_of().
running::StepTrial first_trial(const RunRequest& request, const stepping::TimeStep& chosen,
                               const running::Settings& settings);

}  // namespace beadwave::jobs

#include "jobs/packing_recording.hpp"

#include "io/history/packing_history.hpp"
#include "jobs/checkpoints.hpp"
#include "jobs/history_disk_space.hpp"

#include <optional>
#include <utility>

namespace beadwave::jobs {
namespace {

/// Writes the results of a run; each trial restarts it.
class Recorder {
  public:
    Recorder(const packing::Scenario& scenario, const packing::Packing& packing,
             const running::Settings& settings, const RunRequest& request,
             ProgressCallback& callback)
        : scenario_(scenario),
          packing_(packing),
          settings_(settings),
          request_(request),
          callback_(callback),
          output_(request.output, request.overwrite, request.ignore_disk_space),
          checkpoints_(scenario.checkpoints, output_, request.checkpoint) {}

    running::PackingSinks begin(const running::StepTrial& trial,
                                const packing::PackingEngine& engine) {
        const bool resumes = request_.from != nullptr && !history_;
        if (history_) history_->discard();
        // Errors of input are found before this point or when the file is created.
        const bool snapshots = settings_.snapshot_interval.has_value();
        if (resumes) {
            history_.emplace(output_, packing_, settings_.sensors, snapshots,
                             request_.from->history());
        } else {
            history_.emplace(output_, packing_, settings_.sensors, snapshots,
                             io::RunDescription{.scenario_text = scenario_.text,
                                                .law = scenario_.law.name,
                                                .time_step = trial.time_step.step,
                                                .threads = engine.threads(),
                                                .file_texts = scenario_.file_texts,
                                                .steps = trial.time_step.count});
        }
        if (!std::exchange(size_checked_, true)) {
            const auto samples = running::sample_counts(settings_, trial.time_step);
            check_history_disk_space(*history_,
                                     history_->bytes_of(samples, engine.closed_contacts()), output_,
                                     callback_);
        }
        checkpoints_.begin(trial, resumes ? request_.from->step() : 0);
        callback_.begin(trial.time_step.count, trial.time_step.step, packing_.particles());
        for (; said_ < trial.warnings.size(); ++said_)
            callback_.warn(trial.warnings[said_]);
        return sinks(engine);
    }

    /// Throws RunError if the history cannot be renamed to its final name.
    void finish(bool stopped, const std::vector<std::string>& warnings) {
        checkpoints_.finish(*history_, stopped, warnings);
    }

    const Checkpoints& checkpoints() const { return checkpoints_; }

    std::string how_to_continue() const { return checkpoints_.how_to_continue(); }

  private:
    running::PackingSinks sinks(const packing::PackingEngine& engine) {
        running::PackingSinks sinks;
        if (!settings_.sensors.empty()) {
            sinks.sensors = [this](auto step, auto time, auto force, auto velocity) {
                history_->append_sensors(step, time, force, velocity);
            };
        }
        sinks.snapshot = [this](auto step, auto time, const auto& now) {
            history_->append_snapshot(step, time, now);
        };
        sinks.energy = [this](auto step, auto time, const auto& ledger, const auto& totals) {
            history_->append_energy(step, time, ledger, totals);
        };
        sinks.progress = [this](auto step, auto seconds) {
            callback_.progress(step, seconds);
            history_->flush_if_due();
        };
        sinks.stop = [this] { return callback_.stop() || history_->lost(); };
        sinks.checkpoint_due = [this](auto step) { return checkpoints_.due(step); };
        sinks.checkpoint = [this, &engine](const auto& observers) {
            checkpoints_.write(*history_, packing_, engine, observers);
        };
        return sinks;
    }

    const packing::Scenario& scenario_;
    const packing::Packing& packing_;
    const running::Settings& settings_;
    const RunRequest& request_;
    ProgressCallback& callback_;
    io::Output output_;
    Checkpoints checkpoints_;
    std::optional<io::PackingHistory> history_;
    std::size_t said_ = 0;
    bool size_checked_ =
        false;  ///< whether the history's size has been compared with the disk space
};

}  // namespace

RecordedPacking record_packing(const packing::Scenario& scenario, const packing::Packing& packing,
                               const running::Settings& settings, const running::StepTrial& first,
                               const RunRequest& request, ProgressCallback& callback) {
    Recorder recorder(scenario, packing, settings, request, callback);
    std::optional<running::PackingSavedState> from;
    if (request.from != nullptr) from = request.from->saved_state(packing);
    running::PackingFinished finished = recorder.checkpoints().guarded([&] {
        return running::run_packing(
            packing, settings, first, request.threads,
            [&](const running::StepTrial& trial, packing::PackingEngine& engine) {
                return recorder.begin(trial, engine);
            },
            from ? &*from : nullptr);
    });
    recorder.finish(finished.result.stopped, finished.warnings());
    return {.finished = std::move(finished), .how_to_continue = recorder.how_to_continue()};
}

}  // namespace beadwave::jobs

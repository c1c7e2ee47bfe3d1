#include "jobs/chain_recording.hpp"

#include "beadwave/input_error.hpp"
#include "io/history/history_file.hpp"
#include "jobs/checkpoints.hpp"
#include "jobs/history_disk_space.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace beadwave::jobs {
namespace {

/// The files of a run, restarted by each trial.
class Record {
  public:
    Record(const chain::Chain& chain, const running::Settings& settings, const ChainRecording& how,
           ProgressCallback& callback)
        : chain_(chain),
          settings_(settings),
          how_(how),
          callback_(callback),
          checkpoints_(how.checkpoints, how.output, how.checkpoint) {}

    running::Sinks begin(const running::StepTrial& trial, dynamics::Engine& engine) {
        const bool goes_on = how_.from != nullptr && !history_;
        if (goes_on) how_.from->check_fits(chain_, engine);
        if (history_) history_->discard();
        // All errors in the input are found by now, or when the file is created.
        const bool snapshots = settings_.snapshot_interval.has_value();
        if (goes_on) {
            history_.emplace(how_.output, chain_, settings_.sensors, snapshots,
                             how_.from->history());
        } else {
            history_.emplace(how_.output, chain_, settings_.sensors, snapshots,
                             how_.description(trial, engine.threads()));
        }
        if (!std::exchange(sized_, true)) {
            check_history_disk_space(
                *history_, history_->bytes_of(running::sample_counts(settings_, trial.time_step)),
                how_.output, callback_);
        }
        checkpoints_.begin(trial, goes_on ? how_.from->step() : 0);
        const dynamics::TimeStep& step = trial.time_step;
        callback_.begin(step.count, step.step, chain_.beads());
        return sinks(engine);
    }

    /// Throws RunError if the history cannot get its final name.
    void finish(bool stopped, const std::vector<std::string>& warnings) {
        checkpoints_.finish(*history_, stopped, warnings);
    }

    const Checkpoints& checkpoints() const { return checkpoints_; }

    std::string how_to_continue() const { return checkpoints_.how_to_continue(); }

  private:
    running::Sinks sinks(dynamics::Engine& engine) {
        running::Sinks sinks = samples_to(*history_, settings_, callback_);
        sinks.snapshot = [this](auto step, auto time, auto displacement, auto velocity,
                                auto contact_force) {
            history_->append_snapshot(step, time, displacement, velocity, contact_force);
        };
        sinks.stop = [this] { return callback_.stop() || history_->lost(); };
        sinks.checkpoint_due = [this](auto step) { return checkpoints_.due(step); };
        sinks.checkpoint = [this, &engine](const auto& observers) {
            checkpoints_.write(*history_, chain_, engine, observers);
        };
        return sinks;
    }

    const chain::Chain& chain_;
    const running::Settings& settings_;
    const ChainRecording& how_;
    ProgressCallback& callback_;
    Checkpoints checkpoints_;
    std::optional<io::HistoryFile> history_;
    bool sized_ = false;  ///< whether its size has been checked
};

}  // namespace

io::RunDescription ChainRecording::description(const running::StepTrial& trial, int threads) const {
    return {.scenario_text = scenario_text,
            .law = law,
            .time_step = trial.time_step.step,
            .threads = threads,
            .file_texts = file_texts,
            .steps = trial.time_step.count};
}

running::Sinks samples_to(io::HistoryFile& file, const running::Settings& settings,
                          ProgressCallback& callback) {
    running::Sinks sinks;
    if (!settings.sensors.empty()) {
        sinks.sensors = [&file](auto step, auto time, auto force, auto velocity) {
            file.append_sensors(step, time, force, velocity);
        };
    }
    sinks.energy = [&file](auto step, auto time, const observers::Ledger& ledger, auto observed) {
        file.append_energy(step, time, ledger, observed);
    };
    sinks.progress = [&file, &callback](auto step, auto seconds) {
        callback.progress(step, seconds);
        file.flush_if_due();
    };
    return sinks;
}

Recorded record_chain(const chain::Chain& chain, const running::Settings& settings,
                      const running::StepTrial& first, int threads, const ChainRecording& how,
                      ProgressCallback& callback) {
    if (chain.partition) return record_shared_chain(chain, settings, first, threads, how, callback);
    Record record(chain, settings, how, callback);
    std::optional<running::SavedState> from;
    if (how.from != nullptr) from = how.from->saved_state();
    std::size_t said = 0;
    const auto begin = [&](const running::StepTrial& trial, dynamics::Engine& engine) {
        running::Sinks sinks = record.begin(trial, engine);
        for (; said < trial.warnings.size(); ++said)
            callback.warn(trial.warnings[said]);
        return sinks;
    };
    running::Finished finished = record.checkpoints().guarded([&] {
        return running::run_chain(chain, settings, first, threads, begin, from ? &*from : nullptr);
    });
    record.finish(finished.result.stopped, finished.warnings());
    return {.finished = std::move(finished), .how_to_continue = record.how_to_continue()};
}

running::StepTrial trial_of(const io::CheckpointFile& checkpoint, const dynamics::TimeStep& chosen,
                            const running::Settings& settings, const std::string& name) {
    const double step = checkpoint.time_step();
    if (step == chosen.step) return {.time_step = chosen, .warnings = checkpoint.warnings()};
    if (chosen.given || checkpoint.warnings().empty() || !(step > 0.0 && step < chosen.step)) {
        throw InputError(fmt::format("{}: its time step is {} s; expected {} s, from its scenario",
                                     name, step, chosen.step));
    }
    return {.time_step = dynamics::with_step(chosen, step, settings.step_request()),
            .warnings = checkpoint.warnings()};
}

}  // namespace beadwave::jobs

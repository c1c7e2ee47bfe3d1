#include "jobs/chain_recording.hpp"

#include "beadwave/input_error.hpp"
#include "io/history/history_file.hpp"
#include "jobs/checkpoints.hpp"
#include "jobs/history_room.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace beadwave::jobs {
namespace {

/// What a run writes, begun anew by each attempt.
class Record {
  public:
    Record(const chain::Chain& chain, const running::Settings& settings, const ChainRecording& how,
           Watcher& watcher)
        : chain_(chain),
          settings_(settings),
          how_(how),
          watcher_(watcher),
          checkpoints_(how.checkpoints, how.output, how.checkpoint) {}

    running::Sinks begin(const running::Attempt& attempt, dynamics::Engine& engine) {
        const bool goes_on = how_.from != nullptr && !history_;
        if (goes_on) how_.from->check_fits(chain_, engine);
        if (history_) history_->discard();
        // All that a person can get wrong is found by now or by creating the file.
        const bool snapshots = settings_.snapshot_interval.has_value();
        if (goes_on) {
            history_.emplace(how_.output, chain_, settings_.sensors, snapshots,
                             how_.from->history());
        } else {
            history_.emplace(how_.output, chain_, settings_.sensors, snapshots,
                             how_.description(attempt, engine.threads()));
        }
        if (!std::exchange(sized_, true)) {
            check_history_room(
                *history_, history_->bytes_of(running::sample_counts(settings_, attempt.time_step)),
                how_.output.force, how_.output.path, watcher_);
        }
        checkpoints_.begin(attempt, goes_on ? how_.from->step() : 0);
        const dynamics::TimeStep& step = attempt.time_step;
        watcher_.begin(step.count, step.step, chain_.beads());
        return sinks(engine);
    }

    /// Throws RunError if the history cannot get its name.
    void finish(bool stopped, const std::vector<std::string>& notes) {
        checkpoints_.finish(*history_, stopped, notes);
    }

    const Checkpoints& checkpoints() const { return checkpoints_; }

    std::string how_to_continue() const { return checkpoints_.how_to_continue(); }

  private:
    running::Sinks sinks(dynamics::Engine& engine) {
        running::Sinks sinks = samples_to(*history_, settings_, watcher_);
        sinks.snapshot = [this](auto step, auto time, auto displacement, auto velocity,
                                auto contact_force) {
            history_->append_snapshot(step, time, displacement, velocity, contact_force);
        };
        sinks.stop = [this] { return watcher_.stop() || history_->lost(); };
        sinks.checkpoint_due = [this](auto step) { return checkpoints_.due(step); };
        sinks.checkpoint = [this, &engine](const auto& observers) {
            checkpoints_.write(*history_, chain_, engine, observers);
        };
        return sinks;
    }

    const chain::Chain& chain_;
    const running::Settings& settings_;
    const ChainRecording& how_;
    Watcher& watcher_;
    Checkpoints checkpoints_;
    std::optional<io::HistoryFile> history_;
    bool sized_ = false;  ///< whether its size has been looked at
};

}  // namespace

io::RunDescription ChainRecording::description(const running::Attempt& attempt, int threads) const {
    return {.scenario_text = scenario_text,
            .law = law,
            .time_step = attempt.time_step.step,
            .threads = threads,
            .file_texts = file_texts,
            .steps = attempt.time_step.count};
}

running::Sinks samples_to(io::HistoryFile& file, const running::Settings& settings,
                          Watcher& watcher) {
    running::Sinks sinks;
    if (!settings.sensors.empty()) {
        sinks.sensors = [&file](auto step, auto time, auto force, auto velocity) {
            file.append_sensors(step, time, force, velocity);
        };
    }
    sinks.energy = [&file](auto step, auto time, const observers::Ledger& ledger, auto observed) {
        file.append_energy(step, time, ledger, observed);
    };
    sinks.progress = [&file, &watcher](auto step, auto seconds) {
        watcher.progress(step, seconds);
        file.keep_current();
    };
    return sinks;
}

Recorded record_chain(const chain::Chain& chain, const running::Settings& settings,
                      const running::Attempt& first, int threads, const ChainRecording& how,
                      Watcher& watcher) {
    if (chain.share) return record_shared_chain(chain, settings, first, threads, how, watcher);
    Record record(chain, settings, how, watcher);
    std::optional<running::SavedState> from;
    if (how.from != nullptr) from = how.from->saved_state();
    std::size_t said = 0;
    const auto begin = [&](const running::Attempt& attempt, dynamics::Engine& engine) {
        running::Sinks sinks = record.begin(attempt, engine);
        for (; said < attempt.notes.size(); ++said)
            watcher.say(attempt.notes[said]);
        return sinks;
    };
    running::Finished finished = record.checkpoints().guarded([&] {
        return running::run_chain(chain, settings, first, threads, begin, from ? &*from : nullptr);
    });
    record.finish(finished.result.stopped, finished.notes());
    return {.finished = std::move(finished), .how_to_continue = record.how_to_continue()};
}

running::Attempt attempt_of(const io::CheckpointFile& checkpoint, const dynamics::TimeStep& chosen,
                            const running::Settings& settings, const std::string& name) {
    const double step = checkpoint.time_step();
    if (step == chosen.step) return {.time_step = chosen, .notes = checkpoint.notes()};
    if (chosen.given || checkpoint.notes().empty() || !(step > 0.0 && step < chosen.step)) {
        throw InputError(fmt::format("{}: its time step is {} s, but its scenario gives {} s", name,
                                     step, chosen.step));
    }
    return {.time_step = dynamics::with_step(chosen, step, settings.step_request()),
            .notes = checkpoint.notes()};
}

}  // namespace beadwave::jobs

#include "jobs/packing_recording.hpp"

#include "io/history/packing_history.hpp"
#include "jobs/checkpoints.hpp"
#include "jobs/history_room.hpp"

#include <optional>
#include <utility>

namespace beadwave::jobs {
namespace {

/// What a run writes, begun anew by each attempt.
class Record {
  public:
    Record(const packing::Scenario& scenario, const packing::Packing& packing,
           const running::Settings& settings, const Request& request, Watcher& watcher)
        : scenario_(scenario),
          packing_(packing),
          settings_(settings),
          request_(request),
          watcher_(watcher),
          output_(request.output, request.force),
          checkpoints_(scenario.checkpoints, output_, request.checkpoint) {}

    running::PackingSinks begin(const running::Attempt& attempt,
                                const packing::PackingEngine& engine) {
        const bool goes_on = request_.from != nullptr && !history_;
        if (history_) history_->discard();
        // All that a person can get wrong is found by now or by creating the file.
        const bool snapshots = settings_.snapshot_interval.has_value();
        if (goes_on) {
            history_.emplace(output_, packing_, settings_.sensors, snapshots,
                             request_.from->history());
        } else {
            history_.emplace(output_, packing_, settings_.sensors, snapshots,
                             io::RunDescription{.scenario_text = scenario_.text,
                                                .law = scenario_.law.name,
                                                .time_step = attempt.time_step.step,
                                                .threads = engine.threads(),
                                                .file_texts = scenario_.file_texts,
                                                .steps = attempt.time_step.count});
        }
        if (!std::exchange(sized_, true)) {
            const auto samples = running::sample_counts(settings_, attempt.time_step);
            check_history_room(*history_, history_->bytes_of(samples, engine.closed_contacts()),
                               request_.force, request_.output, watcher_);
        }
        checkpoints_.begin(attempt, goes_on ? request_.from->step() : 0);
        watcher_.begin(attempt.time_step.count, attempt.time_step.step, packing_.particles());
        for (; said_ < attempt.notes.size(); ++said_)
            watcher_.say(attempt.notes[said_]);
        return sinks(engine);
    }

    /// Throws RunError if the history cannot get its name.
    void finish(bool stopped, const std::vector<std::string>& notes) {
        checkpoints_.finish(*history_, stopped, notes);
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
            watcher_.progress(step, seconds);
            history_->keep_current();
        };
        sinks.stop = [this] { return watcher_.stop() || history_->lost(); };
        sinks.checkpoint_due = [this](auto step) { return checkpoints_.due(step); };
        sinks.checkpoint = [this, &engine](const auto& observers) {
            checkpoints_.write(*history_, packing_, engine, observers);
        };
        return sinks;
    }

    const packing::Scenario& scenario_;
    const packing::Packing& packing_;
    const running::Settings& settings_;
    const Request& request_;
    Watcher& watcher_;
    io::Output output_;
    Checkpoints checkpoints_;
    std::optional<io::PackingHistory> history_;
    std::size_t said_ = 0;
    bool sized_ = false;  ///< whether the history's size has been looked at
};

}  // namespace

RecordedPacking record_packing(const packing::Scenario& scenario, const packing::Packing& packing,
                               const running::Settings& settings, const running::Attempt& first,
                               const Request& request, Watcher& watcher) {
    Record record(scenario, packing, settings, request, watcher);
    std::optional<running::PackingSavedState> from;
    if (request.from != nullptr) from = request.from->saved_state(packing);
    running::PackingFinished finished = record.checkpoints().guarded([&] {
        return running::run_packing(
            packing, settings, first, request.threads,
            [&](const running::Attempt& attempt, packing::PackingEngine& engine) {
                return record.begin(attempt, engine);
            },
            from ? &*from : nullptr);
    });
    record.finish(finished.result.stopped, finished.notes());
    return {.finished = std::move(finished), .how_to_continue = record.how_to_continue()};
}

}  // namespace beadwave::jobs

// The run of a chain that several ranks share, with what it writes: rank 0 holds the files.

#include "io/history/shared_history.hpp"
#include "jobs/chain_recording.hpp"
#include "jobs/checkpoints.hpp"
#include "jobs/history_room.hpp"
#include "ranks/together.hpp"

#include <optional>
#include <utility>

namespace beadwave::jobs {
namespace {

class SharedRecord {
  public:
    SharedRecord(const chain::Chain& chain, const running::Settings& settings,
                 const ChainRecording& how, Watcher& watcher)
        : chain_(chain),
          ranks_(*chain.share->ranks),
          settings_(settings),
          how_(how),
          watcher_(watcher) {
        ranks::together(&ranks_, [&] {
            if (ranks_.first()) checkpoints_.emplace(how.checkpoints, how.output, how.checkpoint);
        });
    }

    running::Sinks begin(const running::Attempt& attempt, dynamics::Engine& engine) {
        const bool goes_on = how_.from != nullptr && !begun_;
        begun_ = true;
        if (goes_on) how_.from->check_fits(chain_, engine);
        if (history_ && history_->file() != nullptr) history_->file()->discard();
        attempt_ = attempt;
        const bool snapshots = settings_.snapshot_interval.has_value();
        if (goes_on) {
            history_.emplace(how_.output, chain_, settings_.sensors, snapshots,
                             how_.from->history());
        } else {
            history_.emplace(how_.output, chain_, settings_.sensors, snapshots,
                             how_.description(attempt, engine.threads()));
        }
        ranks::together(&ranks_, [&] {
            if (!ranks_.first()) return;
            io::HistoryFile& file = *history_->file();
            const auto samples = running::sample_counts(settings_, attempt.time_step);
            check_history_room(file, file.bytes_of(samples), how_.output.force, how_.output.path,
                               watcher_);
            checkpoints_->begin(attempt, goes_on ? how_.from->step() : 0);
        });
        watcher_.begin(attempt.time_step.count, attempt.time_step.step, chain_.total());
        return sinks(engine);
    }

    /// Runs `action`. Where it fails no earlier history is replaced, and the first rank says with
    /// the error where this one is and what the run can go on from.
    template <class Action>
    auto guarded(const Action& action) {
        try {
            return action();
        } catch (const running::RunError& error) {
            throw running::RunError(error.what() + leave());
        } catch (const WriteError& error) {
            throw running::RunError(error.what() + leave() + how_to_continue());
        } catch (const ranks::RankFailure& failure) {
            throw ranks::RankFailure(failure.rank(), failure.status(),
                                     failure.what() + leave() + how_to_continue());
        } catch (...) {
            leave();
            throw;
        }
    }

    void finish(bool stopped, const std::vector<std::string>& notes) {
        ranks::together(&ranks_, [&] {
            if (ranks_.first()) checkpoints_->finish(*history_->file(), stopped, notes);
        });
    }

    std::string how_to_continue() const {
        return checkpoints_ ? checkpoints_->how_to_continue() : "";
    }

  private:
    std::string leave() {
        return history_ && history_->file() != nullptr ? history_->file()->leave() : "";
    }

    running::Sinks sinks(dynamics::Engine& engine) {
        running::Sinks sinks;
        if (ranks_.first()) sinks = samples_to(*history_->file(), settings_, watcher_);
        // The watcher asks all ranks.
        sinks.stop = [this] { return watcher_.stop() | lost(); };
        sinks.snapshot = [this](auto step, auto time, auto displacement, auto velocity,
                                auto contact_force) {
            history_->append_snapshot(step, time, displacement, velocity, contact_force);
        };
        sinks.checkpoint_due = [this](auto step) {
            if (!how_.checkpoints) return false;
            bool due = checkpoints_ && checkpoints_->due(step);
            ranks_.broadcast(due);
            return due;
        };
        sinks.checkpoint = [this, &engine](const auto& observers) {
            checkpoint(engine, observers);
        };
        return sinks;
    }

    bool lost() { return ranks_.any(ranks_.first() && history_->file()->lost()); }

    void checkpoint(dynamics::Engine& engine, const std::vector<double>& observers) {
        io::HistoryFile* const file = history_->file();
        const auto write = [&](const io::Output& place) {
            history_->sync();
            io::write_shared_checkpoint(place, file, how_.output.path, attempt_, chain_, engine,
                                        observers);
        };
        if (file != nullptr) {
            checkpoints_->write_with(*file, engine.step(), write);
        } else {
            write({io::checkpoint_beside(how_.output.path), how_.output.force});
        }
    }

    const chain::Chain& chain_;
    ranks::Ranks& ranks_;
    const running::Settings& settings_;
    const ChainRecording& how_;
    Watcher& watcher_;
    std::optional<Checkpoints> checkpoints_;  ///< of rank 0
    running::Attempt attempt_{};
    std::optional<io::SharedHistory> history_;
    bool begun_ = false;
};

}  // namespace

Recorded record_shared_chain(const chain::Chain& chain, const running::Settings& settings,
                             const running::Attempt& first, int threads, const ChainRecording& how,
                             Watcher& watcher) {
    SharedRecord record(chain, settings, how, watcher);
    std::size_t said = 0;
    const auto begin = [&](const running::Attempt& attempt, dynamics::Engine& engine) {
        running::Sinks sinks = record.begin(attempt, engine);
        for (; said < attempt.notes.size(); ++said)
            watcher.say(attempt.notes[said]);
        return sinks;
    };
    std::optional<running::SavedState> from;
    if (how.from != nullptr) from = how.from->saved_state();
    running::Finished finished = record.guarded([&] {
        return running::run_chain(chain, settings, first, threads, begin, from ? &*from : nullptr);
    });
    record.finish(finished.result.stopped, finished.notes());
    return {.finished = std::move(finished), .how_to_continue = record.how_to_continue()};
}

}  // namespace beadwave::jobs

// The run of a chain that several ranks share, with its files, which rank 0 writes.

#include "io/history/parallel_history_writer.hpp"
#include "jobs/chain_recording.hpp"
#include "jobs/checkpoints.hpp"
#include "jobs/history_disk_space.hpp"
#include "ranks/collective.hpp"

#include <optional>
#include <utility>

namespace beadwave::jobs {
namespace {

class SharedRecord {
  public:
    SharedRecord(const chain::Chain& chain, const running::Settings& settings,
                 const ChainRecording& how, ProgressCallback& callback)
        : chain_(chain),
          ranks_(*chain.partition->ranks),
          settings_(settings),
          how_(how),
          callback_(callback) {
        ranks::collective(&ranks_, [&] {
            if (ranks_.first()) checkpoints_.emplace(how.checkpoints, how.output, how.checkpoint);
        });
    }

    running::Sinks begin(const running::StepTrial& trial, dynamics::Engine& engine) {
        const bool goes_on = how_.from != nullptr && !begun_;
        begun_ = true;
        if (goes_on) how_.from->check_fits(chain_, engine);
        if (history_ && history_->file() != nullptr) history_->file()->discard();
        trial_ = trial;
        const bool snapshots = settings_.snapshot_interval.has_value();
        if (goes_on) {
            history_.emplace(how_.output, chain_, settings_.sensors, snapshots,
                             how_.from->history());
        } else {
            history_.emplace(how_.output, chain_, settings_.sensors, snapshots,
                             how_.description(trial, engine.threads()));
        }
        ranks::collective(&ranks_, [&] {
            if (!ranks_.first()) return;
            io::HistoryFile& file = *history_->file();
            const auto samples = running::sample_counts(settings_, trial.time_step);
            check_history_disk_space(file, file.bytes_of(samples), how_.output, callback_);
            checkpoints_->begin(trial, goes_on ? how_.from->step() : 0);
        });
        callback_.begin(trial.time_step.count, trial.time_step.step, chain_.total());
        return sinks(engine);
    }

    /// Runs `action`. If it fails, no earlier history is replaced, and the error of rank 0 also
    /// names the unfinished history and the checkpoint from which the run can continue.
    template <class Action>
    auto guarded(const Action& action) {
        try {
            return action();
        } catch (const running::RunError& error) {
            throw running::RunError(error.what() + close_incomplete());
        } catch (const WriteError& error) {
            throw running::RunError(error.what() + close_incomplete() + how_to_continue());
        } catch (const ranks::RankFailure& failure) {
            throw ranks::RankFailure(failure.rank(), failure.status(),
                                     failure.what() + close_incomplete() + how_to_continue());
        } catch (...) {
            close_incomplete();
            throw;
        }
    }

    void finish(bool stopped, const std::vector<std::string>& warnings) {
        ranks::collective(&ranks_, [&] {
            if (ranks_.first()) checkpoints_->finish(*history_->file(), stopped, warnings);
        });
    }

    std::string how_to_continue() const {
        return checkpoints_ ? checkpoints_->how_to_continue() : "";
    }

  private:
    std::string close_incomplete() {
        return history_ && history_->file() != nullptr ? history_->file()->close_incomplete() : "";
    }

    running::Sinks sinks(dynamics::Engine& engine) {
        running::Sinks sinks;
        if (ranks_.first()) sinks = samples_to(*history_->file(), settings_, callback_);
        // The callback collects the answers of all ranks.
        sinks.stop = [this] { return callback_.stop() | lost(); };
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
            io::write_shared_checkpoint(place, file, how_.output.path, trial_, chain_, engine,
                                        observers);
        };
        if (file != nullptr) {
            checkpoints_->write_with(*file, engine.step(), write);
        } else {
            write({io::checkpoint_path(how_.output.path), how_.output.overwrite});
        }
    }

    const chain::Chain& chain_;
    ranks::Communicator& ranks_;
    const running::Settings& settings_;
    const ChainRecording& how_;
    ProgressCallback& callback_;
    std::optional<Checkpoints> checkpoints_;  ///< on rank 0
    running::StepTrial trial_{};
    std::optional<io::ParallelHistoryWriter> history_;
    bool begun_ = false;
};

}  // namespace

Recorded record_shared_chain(const chain::Chain& chain, const running::Settings& settings,
                             const running::StepTrial& first, int threads,
                             const ChainRecording& how, ProgressCallback& callback) {
    SharedRecord record(chain, settings, how, callback);
    std::size_t said = 0;
    const auto begin = [&](const running::StepTrial& trial, dynamics::Engine& engine) {
        running::Sinks sinks = record.begin(trial, engine);
        for (; said < trial.warnings.size(); ++said)
            callback.warn(trial.warnings[said]);
        return sinks;
    };
    std::optional<running::SavedState> from;
    if (how.from != nullptr) from = how.from->saved_state();
    running::Finished finished = record.guarded([&] {
        return running::run_chain(chain, settings, first, threads, begin, from ? &*from : nullptr);
    });
    record.finish(finished.result.stopped, finished.warnings());
    return {.finished = std::move(finished), .how_to_continue = record.how_to_continue()};
}

}  // namespace beadwave::jobs

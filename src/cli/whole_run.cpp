#include "cli/whole_run.hpp"

#include "cli/checkpoints.hpp"
#include "cli/half_step.hpp"
#include "cli/progress_bar.hpp"
#include "cli/signal_guard.hpp"
#include "cli/summary.hpp"
#include "io/history/history_file.hpp"
#include "running/model.hpp"

#include <fmt/core.h>

#include <optional>
#include <system_error>

namespace beadwave::cli {
namespace {

void say(const std::vector<std::string>& notes) {
    for (const std::string& note : notes)
        fmt::print(stderr, "beadwave: note: {}\n", note);
}

/// What a run writes, begun anew by each attempt.
class Record {
  public:
    explicit Record(const WholeRun& run)
        : run_(run),
          settings_(running::settings_of(run.read.scenario)),
          checkpoints_(run.read.scenario.checkpoints, run.output, run.checkpoint) {}

    running::Sinks begin(const running::Attempt& attempt, dynamics::Engine& engine) {
        const bool goes_on = run_.from != nullptr && !history_;
        if (goes_on) run_.from->check_fits(engine);
        if (history_) history_->discard();
        // All that a person can get wrong is found by now or by creating the file.
        if (goes_on) {
            history_.emplace(run_.output, run_.chain, settings_.sensors,
                             settings_.snapshot_interval.has_value(), run_.from->file());
        } else {
            history_.emplace(run_.output, run_.chain, settings_.sensors,
                             settings_.snapshot_interval.has_value(), description(attempt, engine));
        }
        checkpoints_.begin(attempt, goes_on ? run_.from->step() : 0);
        const dynamics::TimeStep& step = attempt.time_step;
        bar_.emplace(!run_.quiet, step.count, step.step, run_.chain.beads());
        return sinks(engine);
    }

    /// Throws RunError if the history is gone.
    void finish(bool stopped) {
        history_->close();
        std::error_code ignored;
        if (!std::filesystem::exists(run_.output, ignored)) {
            throw running::RunError(
                fmt::format("{}: was removed, or its folder, while the run was writing it; its "
                            "results are lost{}",
                            run_.output.string(), how_to_continue()));
        }
        if (!stopped) checkpoints_.remove();
        bar_->clear();
    }

    std::string how_to_continue() const { return checkpoints_.how_to_continue(); }

  private:
    io::RunDescription description(const running::Attempt& attempt,
                                   const dynamics::Engine& engine) const {
        const chain::Scenario& scenario = run_.read.scenario;
        return {.scenario_text = scenario.text,
                .law = scenario.law.name,
                .time_step = attempt.time_step.step,
                .threads = engine.threads(),
                .file_texts = scenario.file_texts,
                .steps = attempt.time_step.count};
    }

    running::Sinks sinks(dynamics::Engine& engine) {
        running::Sinks sinks;
        if (!settings_.sensors.empty()) {
            sinks.sensors = [this](auto step, auto time, auto force, auto velocity) {
                history_->append_sensors(step, time, force, velocity);
            };
        }
        sinks.snapshot = [this](auto step, auto time, auto displacement, auto velocity,
                                auto contact_force) {
            history_->append_snapshot(step, time, displacement, velocity, contact_force);
        };
        sinks.energy = [this](auto step, auto time, const observers::Ledger& ledger) {
            history_->append_energy(step, time, ledger);
        };
        sinks.progress = [this](auto step, auto seconds) {
            bar_->show(step, seconds);
            history_->keep_current();
        };
        sinks.stop = interrupted;
        sinks.checkpoint_due = [this](auto step) { return checkpoints_.due(step); };
        sinks.checkpoint = [this, &engine](const auto& observers) {
            checkpoints_.write(*history_, engine, observers);
        };
        return sinks;
    }

    const WholeRun& run_;
    running::Settings settings_;
    Checkpoints checkpoints_;
    std::optional<io::HistoryFile> history_;
    std::optional<ProgressBar> bar_;
};

}  // namespace

int carry_out(const WholeRun& run) {
    const chain::Scenario& scenario = run.read.scenario;
    const running::Settings settings = running::settings_of(scenario);
    Record record(run);

    const SignalGuard signals;
    std::optional<running::Standing> from;
    if (run.from != nullptr) from = run.from->standing();
    bool began = false;
    const running::Finished finished = running::run_chain(
        run.chain, settings, run.first, run.threads,
        [&](const running::Attempt& attempt, dynamics::Engine& engine) {
            running::Sinks sinks = record.begin(attempt, engine);
            if (!began) {
                if (!run.quiet) say(run.read.notes);
                say(attempt.notes);  // of a run that goes on
            } else {
                say({attempt.notes.back()});
            }
            began = true;
            return sinks;
        },
        from ? &*from : nullptr);
    const running::RunResult& result = finished.result;
    record.finish(result.stopped);
    const dynamics::TimeStep& step = finished.attempt.time_step;

    Summary summary{.scenario = scenario,
                    .beads = run.chain.beads(),
                    .finished = finished,
                    .output = run.output.string(),
                    .half_step = {}};
    if (run.check && !result.stopped)
        summary.half_step = run_at_half_step(run.chain, settings, finished);
    if (run.json) fmt::print("{}\n", summary.json().dump(2));
    if (!run.quiet) fmt::print(run.json ? stderr : stdout, "{}", summary.text());
    say(finished.doubts);
    if (result.stopped) {
        throw running::RunError(fmt::format(
            "interrupted at t = {:.6g} s of {:.6g} s; {} holds the history up to there{}",
            static_cast<double>(result.steps) * step.step, scenario.time.end, run.output.string(),
            record.how_to_continue()));
    }
    return 0;
}

}  // namespace beadwave::cli

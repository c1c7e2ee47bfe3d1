#include "whole_run.hpp"

#include "progress_bar.hpp"
#include "signal_guard.hpp"
#include "summary.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <system_error>

namespace beadwave::cli {
namespace {

void say_notes(const io::ReadScenario& read, const dynamics::TimeStep& time_step) {
    for (const std::string& note : read.notes)
        fmt::print(stderr, "beadwave: note: {}\n", note);
    const double steps = time_step.shortest_contact / time_step.step;
    if (time_step.shortest_contact > 0.0 && steps < dynamics::few_steps_per_contact) {
        fmt::print(stderr,
                   "beadwave: note: only {:.0f} steps in the shortest contact ({:.3g} s); the "
                   "results are rough\n",
                   steps, time_step.shortest_contact);
    }
}

observers::Sinks sinks_of(const WholeRun& run, ProgressBar& bar) {
    observers::Sinks sinks;
    if (run.read.scenario.sensors) {
        sinks.sensors = [&](auto step, auto time, auto force, auto velocity) {
            run.history.append_sensors(step, time, force, velocity);
        };
    }
    sinks.snapshot = [&](auto step, auto time, auto displacement, auto velocity,
                         auto contact_force) {
        run.history.append_snapshot(step, time, displacement, velocity, contact_force);
    };
    sinks.energy = [&](auto step, auto time, const observers::Ledger& ledger) {
        run.history.append_energy(step, time, ledger);
    };
    sinks.progress = [&](auto step, auto seconds) {
        bar.show(step, seconds);
        run.history.keep_current();
    };
    sinks.stop = interrupted;
    sinks.checkpoint_due = [&](auto step) { return run.checkpoints.due(step); };
    sinks.checkpoint = [&](const auto& observers) {
        run.checkpoints.write(run.history, run.engine, observers);
    };
    return sinks;
}

}  // namespace

std::vector<std::int64_t> sensor_beads(const chain::Scenario& scenario) {
    return scenario.sensors ? scenario.sensors->beads : std::vector<std::int64_t>{};
}

int carry_out(const WholeRun& run) {
    const chain::Scenario& scenario = run.read.scenario;
    if (!run.quiet) say_notes(run.read, run.time_step);

    const SignalGuard signals;
    ProgressBar bar(!run.quiet, run.time_step.count, run.time_step.step, run.chain.beads());
    const observers::Sinks sinks = sinks_of(run, bar);
    const observers::RunResult result =
        run.from == nullptr
            ? observers::simulate(scenario, run.chain, run.time_step, run.engine, sinks)
            : observers::continue_simulation(scenario, run.chain, run.time_step, run.engine, sinks,
                                             *run.from);
    run.history.close();
    std::error_code ignored;
    if (!std::filesystem::exists(run.output, ignored)) {
        throw observers::RunError(fmt::format(
            "{}: was removed, or its folder, while the run was writing it; its results are lost{}",
            run.output.string(), run.checkpoints.how_to_continue()));
    }
    if (!result.stopped) run.checkpoints.remove();
    bar.clear();

    const Summary summary{.scenario = scenario,
                          .beads = run.chain.beads(),
                          .time_step = run.time_step,
                          .result = result,
                          .threads = run.engine.threads(),
                          .output = run.output.string()};
    if (run.json) fmt::print("{}\n", summary.json().dump(2));
    if (!run.quiet) fmt::print(run.json ? stderr : stdout, "{}", summary.text());
    if (result.stopped) {
        throw observers::RunError(fmt::format(
            "interrupted at t = {:.6g} s of {:.6g} s; {} holds the history up to there{}",
            static_cast<double>(result.steps) * run.time_step.step, scenario.time.end,
            run.output.string(), run.checkpoints.how_to_continue()));
    }
    return 0;
}

}  // namespace beadwave::cli

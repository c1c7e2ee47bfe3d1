#include <fmt/core.h>

#include <filesystem>

#include "beadwave/chain/chain.hpp"
#include "beadwave/io/history_file.hpp"
#include "beadwave/io/scenario_reader.hpp"
#include "beadwave/observers/simulation.hpp"
#include "commands.hpp"
#include "engine_choice.hpp"
#include "progress_bar.hpp"
#include "signal_guard.hpp"
#include "summary.hpp"

namespace beadwave::cli {
namespace {

std::filesystem::path output_path(const RunOptions& options) {
    if (!options.output.empty()) return options.output;
    return std::filesystem::path(options.scenario).stem().concat(".h5");
}

void say_notes(const io::ReadScenario& read, const dynamics::TimeStep& time_step) {
    for (const std::string& note : read.notes) fmt::print(stderr, "beadwave: note: {}\n", note);
    const double steps = time_step.shortest_contact / time_step.step;
    if (time_step.shortest_contact > 0.0 && steps < dynamics::few_steps_per_contact) {
        fmt::print(stderr, "beadwave: note: only {:.0f} steps in the shortest contact ({:.3g} s); the results are rough\n",
                   steps, time_step.shortest_contact);
    }
}

}  // namespace

int run_command(const RunOptions& options) {
    const io::ReadScenario read = io::read_scenario(options.scenario, options.overrides);
    const chain::Scenario& scenario = read.scenario;
    const chain::Chain chain = chain::build_chain(scenario);
    const dynamics::TimeStep time_step = dynamics::choose_time_step(scenario, chain);
    const auto engine = make_engine(chain, scenario.time, time_step.step, options.threads);

    // All that a person can get wrong is found by now or by creating the file.
    const std::filesystem::path output = output_path(options);
    const std::vector<std::int64_t> sensor_beads =
        scenario.sensors ? scenario.sensors->beads : std::vector<std::int64_t>{};
    io::HistoryFile history(output, chain, sensor_beads, scenario.snapshot_interval.has_value(),
                            {.scenario_text = scenario.text,
                             .law = scenario.law.name,
                             .time_step = time_step.step,
                             .threads = engine->threads()});
    if (!options.quiet) say_notes(read, time_step);

    const SignalGuard signals;
    ProgressBar bar(!options.quiet, time_step.count, time_step.step, chain.beads());
    observers::Sinks sinks;
    if (!sensor_beads.empty()) {
        sinks.sensors = [&](auto step, auto time, auto force, auto velocity) {
            history.append_sensors(step, time, force, velocity);
        };
    }
    sinks.snapshot = [&](auto step, auto time, auto displacement, auto velocity, auto contact_force) {
        history.append_snapshot(step, time, displacement, velocity, contact_force);
    };
    sinks.energy = [&](auto step, auto time, const observers::Ledger& ledger) {
        history.append_energy(step, time, ledger.kinetic, ledger.stored, ledger.dissipated);
    };
    sinks.progress = [&](auto step, auto seconds) { bar.show(step, seconds); };
    sinks.stop = interrupted;

    const observers::RunResult result = observers::simulate(scenario, chain, time_step, *engine, sinks);
    history.close();
    bar.clear();

    const Summary summary{.scenario = scenario,
                          .beads = chain.beads(),
                          .time_step = time_step,
                          .result = result,
                          .threads = engine->threads(),
                          .output = output.string()};
    if (options.json) fmt::print("{}\n", summary.json().dump(2));
    if (!options.quiet) fmt::print(options.json ? stderr : stdout, "{}", summary.text());
    if (result.stopped) {
        throw observers::RunError(fmt::format("interrupted at t = {:.6g} s of {:.6g} s; {} holds the history up to there",
                                              static_cast<double>(result.steps) * time_step.step, scenario.time.end,
                                              output.string()));
    }
    return 0;
}

}  // namespace beadwave::cli

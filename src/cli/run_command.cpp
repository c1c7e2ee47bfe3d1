#include "commands.hpp"
#include "engine_choice.hpp"
#include "make_chain.hpp"
#include "whole_run.hpp"

#include <filesystem>

namespace beadwave::cli {
namespace {

std::filesystem::path output_path(const RunOptions& options) {
    if (!options.output.empty()) return options.output;
    return std::filesystem::path(options.scenario).stem().concat(".h5");
}

}  // namespace

int run_command(const RunOptions& options) {
    const io::ReadScenario read = io::read_scenario(options.scenario, options.overrides);
    const chain::Scenario& scenario = read.scenario;
    const chain::Chain chain = make_chain(scenario);
    const dynamics::TimeStep time_step = dynamics::choose_time_step(scenario, chain);
    const auto engine = make_engine(chain, scenario.time, time_step.step, options.threads);

    // All that a person can get wrong is found by now or by creating the file.
    const std::filesystem::path output = output_path(options);
    Checkpoints checkpoints(scenario.checkpoints, output, time_step.step, 0, {});
    io::HistoryFile history(output, chain, sensor_beads(scenario),
                            scenario.snapshot_interval.has_value(),
                            {.scenario_text = scenario.text,
                             .law = scenario.law.name,
                             .time_step = time_step.step,
                             .threads = engine->threads(),
                             .file_texts = scenario.file_texts,
                             .steps = time_step.count});
    return carry_out({.read = read,
                      .chain = chain,
                      .time_step = time_step,
                      .engine = *engine,
                      .history = history,
                      .output = output,
                      .checkpoints = checkpoints,
                      .from = nullptr,
                      .quiet = options.quiet,
                      .json = options.json});
}

}  // namespace beadwave::cli

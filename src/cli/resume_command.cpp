#include "beadwave/input_error.hpp"
#include "beadwave/io/checkpoint_file.hpp"
#include "commands.hpp"
#include "engine_choice.hpp"
#include "make_chain.hpp"
#include "whole_run.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace beadwave::cli {
namespace {

std::filesystem::path output_path(const ResumeOptions& options,
                                  const io::CheckpointFile& checkpoint) {
    const std::filesystem::path output =
        options.output.empty() ? checkpoint.history_path() : std::filesystem::path(options.output);
    std::error_code ignored;
    if (std::filesystem::equivalent(output, options.checkpoint, ignored)) {
        throw InputError(
            fmt::format("{}: is the checkpoint itself; name the history with -o", output.string()));
    }
    return output;
}

}  // namespace

int resume_command(const ResumeOptions& options) {
    const io::CheckpointFile checkpoint(options.checkpoint);
    const io::ReadScenario read = io::read_scenario_text(
        checkpoint.scenario_text(), options.checkpoint, checkpoint.file_texts());
    const chain::Scenario& scenario = read.scenario;
    const chain::Chain chain = make_chain(scenario);
    const dynamics::TimeStep time_step = dynamics::choose_time_step(scenario, chain);
    if (time_step.step != checkpoint.time_step()) {
        throw InputError(fmt::format("{}: its time step is {} s, but its scenario gives {} s",
                                     options.checkpoint, checkpoint.time_step(), time_step.step));
    }
    const auto engine = make_engine(chain, scenario.time, time_step.step, options.threads);
    checkpoint.check_fits(*engine);

    const std::filesystem::path output = output_path(options, checkpoint);
    Checkpoints checkpoints(scenario.checkpoints, output, time_step.step, checkpoint.step(),
                            options.checkpoint);
    io::HistoryFile history(output, chain, sensor_beads(scenario),
                            scenario.snapshot_interval.has_value(), checkpoint.file());
    const observers::Standing from = checkpoint.standing();
    return carry_out({.read = read,
                      .chain = chain,
                      .time_step = time_step,
                      .engine = *engine,
                      .history = history,
                      .output = output,
                      .checkpoints = checkpoints,
                      .from = &from,
                      .quiet = options.quiet,
                      .json = options.json});
}

}  // namespace beadwave::cli

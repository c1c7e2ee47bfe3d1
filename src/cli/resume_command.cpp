#include "beadwave/input_error.hpp"
#include "cli/commands.hpp"
#include "cli/whole_run.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "running/model.hpp"

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

/// The attempt that the checkpoint is of.
running::Attempt attempt_of(const io::CheckpointFile& checkpoint, const chain::Scenario& scenario,
                            const chain::Chain& chain, const std::string& name) {
    const dynamics::TimeStep chosen = running::choose_time_step(scenario, chain);
    const double step = checkpoint.time_step();
    if (step == chosen.step) return {.time_step = chosen, .notes = checkpoint.notes()};
    if (chosen.given || checkpoint.notes().empty() || !(step > 0.0 && step < chosen.step)) {
        throw InputError(fmt::format("{}: its time step is {} s, but its scenario gives {} s", name,
                                     step, chosen.step));
    }
    return {.time_step =
                dynamics::with_step(chosen, step, running::settings_of(scenario).step_request()),
            .notes = checkpoint.notes()};
}

}  // namespace

int resume_command(const ResumeOptions& options) {
    const io::CheckpointFile checkpoint(options.checkpoint);
    const io::ReadScenario read = io::read_scenario_text(
        checkpoint.scenario_text(), options.checkpoint, checkpoint.file_texts());
    const chain::Chain chain = running::build_chain(read.scenario);
    const running::Attempt attempt =
        attempt_of(checkpoint, read.scenario, chain, options.checkpoint);
    const std::filesystem::path output = output_path(options, checkpoint);
    return carry_out({.read = read,
                      .chain = chain,
                      .first = attempt,
                      .output = output,
                      .from = &checkpoint,
                      .checkpoint = options.checkpoint,
                      .threads = options.threads,
                      .quiet = options.quiet,
                      .json = options.json,
                      .check = false});
}

}  // namespace beadwave::cli

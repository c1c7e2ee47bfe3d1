#include "cli/commands.hpp"
#include "cli/whole_run.hpp"
#include "running/model.hpp"

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
    const chain::Chain chain = running::build_chain(read.scenario);
    return carry_out({.read = read,
                      .chain = chain,
                      .first = {.time_step = running::choose_time_step(read.scenario, chain)},
                      .output = output_path(options),
                      .from = nullptr,
                      .checkpoint = {},
                      .threads = options.threads,
                      .quiet = options.quiet,
                      .json = options.json,
                      .check = options.check});
}

}  // namespace beadwave::cli

#include "cli/commands.hpp"
#include "cli/run_job.hpp"
#include "jobs/read_job.hpp"

#include <filesystem>

namespace beadwave::cli {
namespace {

std::filesystem::path output_path(const RunOptions& options) {
    if (!options.output.empty()) return options.output;
    return std::filesystem::path(options.scenario).stem().concat(".h5");
}

}  // namespace

int run_command(const RunOptions& options, ranks::Communicator& ranks) {
    const auto job = jobs::read_job(options.scenario, options.overrides, &ranks);
    return run_job(*job,
                   {.output = output_path(options),
                    .threads = options.threads,
                    .check = options.check,
                    .overwrite = options.overwrite,
                    .ignore_disk_space = options.ignore_disk_space},
                   {.quiet = options.quiet, .json = options.json});
}

}  // namespace beadwave::cli

#include "beadwave/input_error.hpp"
#include "cli/commands.hpp"
#include "cli/run_job.hpp"
#include "jobs/read_job.hpp"

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
    const auto job = jobs::read_job(checkpoint, options.checkpoint);
    return run_job(*job,
                   {.output = output_path(options, checkpoint),
                    .threads = options.threads,
                    .force = options.force,
                    .from = &checkpoint,
                    .checkpoint = options.checkpoint},
                   {.quiet = options.quiet, .json = options.json});
}

}  // namespace beadwave::cli

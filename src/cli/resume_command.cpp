#include "cli/commands.hpp"
#include "cli/run_job.hpp"
#include "jobs/read_job.hpp"

namespace beadwave::cli {

int resume_command(const ResumeOptions& options, ranks::Ranks& ranks) {
    const io::CheckpointFile checkpoint(options.checkpoint, &ranks);
    const auto job = jobs::read_job(checkpoint, options.checkpoint, &ranks);
    return run_job(*job,
                   {.output = jobs::resumed_history(checkpoint, options.checkpoint, options.output),
                    .threads = options.threads,
                    .force = options.force,
                    .from = &checkpoint,
                    .checkpoint = options.checkpoint},
                   {.quiet = options.quiet, .json = options.json});
}

}  // namespace beadwave::cli

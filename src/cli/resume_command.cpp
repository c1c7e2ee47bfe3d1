#include "cli/commands.hpp"
#include "cli/run_job.hpp"
#include "jobs/read_job.hpp"

namespace beadwave::cli {

int resume_command(const ResumeOptions& options, ranks::Communicator& ranks) {
    const io::CheckpointFile checkpoint(options.checkpoint, &ranks);
    const auto job = jobs::read_job(checkpoint, options.checkpoint, &ranks);
    return run_job(*job,
                   {.output = jobs::resumed_history(checkpoint, options.checkpoint, options.output),
                    .threads = options.threads,
                    .overwrite = options.overwrite,
                    .ignore_disk_space = options.ignore_disk_space,
                    .from = &checkpoint,
                    .checkpoint = options.checkpoint},
                   {.quiet = options.quiet, .json = options.json});
}

}  // namespace beadwave::cli

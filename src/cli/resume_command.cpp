#include "cli/command_line.hpp"
#include "cli/run_job.hpp"
#include "jobs/read_job.hpp"

#include <memory>

namespace beadwave::cli {

Command resume_command(CLI::App& app) {
    struct Options {
        std::string checkpoint, output, device;
        jobs::RunRequest request;
        jobs::ToFile file;
        Display display;
    };
    const auto given = std::make_shared<Options>();
    Line line(app, "resume", "Continue an interrupted run");
    line.add_option("CHECKPOINT.h5", given->checkpoint,
                    "the checkpoint that the run left next to its history")
        .required();
    line.add_option("-o,--output", given->output,
                    "history file, HDF5 (default: the history of the run)");
    add_threads(line, given->request.threads);
    add_device(line, given->device);
    add_quiet(line, given->display.quiet);
    add_json(line, given->display.json);
    add_log(line, given->display.log_interval);
    add_history_flags(line, given->file.overwrite, given->file.ignore_disk_space);

    const auto run = [given](ranks::Communicator& ranks) {
        const io::CheckpointFile checkpoint(given->checkpoint, &ranks);
        std::vector<std::string> overrides;
        if (!given->device.empty()) {
            overrides.push_back("device=" + given->device);
            given->file.resume_options = " --device " + given->device;
        }
        const auto job = jobs::read_job(checkpoint, given->checkpoint, &ranks, overrides);
        given->file.output = jobs::resumed_history(checkpoint, given->checkpoint, given->output);
        given->file.from = &checkpoint;
        given->file.checkpoint = given->checkpoint;
        given->request.record = given->file;
        return run_job(*job, given->request, given->display);
    };
    return {.line = line, .run = run, .shared = true};
}

}  // namespace beadwave::cli

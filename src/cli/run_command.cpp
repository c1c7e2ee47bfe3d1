#include "cli/command_line.hpp"
#include "cli/run_job.hpp"
#include "jobs/read_job.hpp"

#include <memory>

namespace beadwave::cli {

Command run_command(CLI::App& app) {
    struct Options {
        std::string scenario, output, device;
        std::vector<std::string> overrides;
        jobs::RunRequest request;
        jobs::ToFile file;
        Display display;
        bool yes = false;
    };
    const auto given = std::make_shared<Options>();
    Line line(app, "run", "Simulate a scenario and write its history");
    add_scenario(line, given->scenario);
    line.add_option("-o,--output", given->output,
                    "history file, HDF5 (default: name of SCENARIO with .h5, in the current "
                    "folder)");
    add_set(line, given->overrides);
    add_threads(line, given->request.threads);
    add_device(line, given->device);
    add_quiet(line, given->display.quiet);
    add_json(line, given->display.json);
    add_log(line, given->display.log_interval);
    line.add_flag("--check", given->request.check,
                  "run again at half the time step (mechanisms: a hundredth of the accuracy) and "
                  "print the differences");
    add_history_flags(line, given->file.overwrite, given->file.ignore_disk_space);

    add_yes(line, given->yes);

    const auto run = [given](ranks::Communicator& ranks) {
        if (!given->device.empty()) given->overrides.push_back("device=" + given->device);
        const auto job = jobs::read_job(given->scenario, given->overrides, &ranks);
        given->file.output =
            given->output.empty() ? named_after(given->scenario, ".h5") : given->output;
        given->request.record = given->file;
        return run_job(*job, given->request, given->display, given->yes);
    };
    return {.line = line, .run = run, .shared = true, .inputs = [given] {
                return std::vector<std::string>{given->scenario};
            }};
}

}  // namespace beadwave::cli

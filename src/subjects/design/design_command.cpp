#include "cli/command_line.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/terminal.hpp"
#include "subjects/design/designs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

extern "C" {
extern const int beadwave_registered_design_command;
const int beadwave_registered_design_command = 0;
}

namespace beadwave::cli {
namespace {

Command design_command(CLI::App& app) {
    struct Options {
        tasks::DesignRequest request;
        Display display;
    };
    const auto given = std::make_shared<Options>();
    tasks::DesignRequest& request = given->request;
    Line line(app, "design",
              "Optimise numbers of a chain's beads by the exact gradient of its run");
    line.add_option("design", request.design,
                    "what may change, what must stay and what is optimised, TOML")
        .type_name("DESIGN.toml")
        .required();
    line.add_option("-o,--output", request.output,
                    "result, HDF5; the best scenario has the same name with .best.toml (default: "
                    "name of DESIGN with .design.h5, in the current folder)");
    add_overwrite(line, request.overwrite, ", and restart an interrupted design");
    add_quiet(line, given->display.quiet, "print no progress and no summary");
    add_json(line, given->display.json);
    const auto run = [given](ranks::Communicator&) {
        tasks::DesignRequest wanted = given->request;
        if (wanted.output.empty()) wanted.output = named_after(wanted.design, ".design.h5");
        tasks::DesignProgress now;
        InterruptGuard callback(!given->display.quiet, [&now](std::int64_t, double wall_seconds) {
            return fmt::format("{} of {} evaluations  value {:.6g}  best {:.6g}  {:.0f} s",
                               now.evaluations, now.limit, now.value, now.best, wall_seconds);
        });
        wanted.evaluated = [&now](const tasks::DesignProgress& progress) { now = progress; };
        const tasks::DesignResult result = tasks::design(wanted, callback);
        callback.clear();
        print_result(result, given->display);
        for (const std::string& warning : result.warnings)
            print_warning(warning);
        return result.stopped == "interrupted" ? 1 : 0;
    };
    return {.line = line, .run = run, .inputs = [given] {
                return std::vector<std::string>{given->request.design};
            }};
}

const RegisterCommand design({.name = "design", .add = design_command});

}  // namespace
}  // namespace beadwave::cli

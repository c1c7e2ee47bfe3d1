#include "cli/command_line.hpp"
#include "cli/terminal.hpp"
#include "subjects/gradients/gradients.hpp"

#include <nlohmann/json.hpp>

#include <memory>

extern "C" {
extern const int beadwave_registered_gradients_command;
const int beadwave_registered_gradients_command = 0;
}

namespace beadwave::cli {
namespace {

Command gradient_command(CLI::App& app) {
    struct Options {
        tasks::GradientRequest request;
        Display display;
    };
    const auto given = std::make_shared<Options>();
    tasks::GradientRequest& request = given->request;
    Line line(app, "gradient", "Derivatives of numbers of a run with respect to many inputs");
    add_scenario(line, request.scenario);
    line.add_option("--objective", request.objective,
                    "file with [[objective]] tables, TOML: their weighted sum is differentiated")
        .type_name("FILE.toml")
        .required();
    line.add_option(
            "--inputs", request.inputs,
            "with respect to what, separated by commas: mass, radius, youngs_modulus, gap, "
            "velocity (one number per bead; gap: per contact), of packings position and "
            "friction.coefficient, parameters of the law, such as restitution, or others of "
            "docs/GRADIENTS.md")
        .type_name("NAMES")
        .required();
    line.add_flag("--check", request.check,
                  "compare with central differences of runs, of at most 100 numbers");
    line.add_option("--states", request.states,
                    "most states of the system stored at the same time (default: 2 sqrt(steps)); "
                    "with fewer, more steps are computed again")
        .range(2, 1000000000);
    line.add_option("--threads", request.threads,
                    "number of threads, of which a chain's gradient uses at most two (default: 1)")
        .range(1, 4096);
    add_set(line, request.overrides);
    add_quiet(line, given->display.quiet, "print no summary");
    add_json(line, given->display.json);
    return {
        .line = line,
        .run =
            [given](ranks::Communicator&) {
                const tasks::GradientResult result = tasks::gradient_of(given->request);
                for (const std::string& warning : result.warnings)
                    print_warning(warning);
                print_result(result, given->display);
                return 0;
            },
        .inputs =
            [given] {
                return std::vector<std::string>{given->request.scenario, given->request.objective};
            }};
}

const RegisterCommand gradient({.name = "gradient", .add = gradient_command});

}  // namespace
}  // namespace beadwave::cli

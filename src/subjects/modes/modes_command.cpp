#include "cli/command_line.hpp"
#include "cli/signal_guard.hpp"
#include "cli/terminal.hpp"
#include "subjects/modes/modes.hpp"

#include <nlohmann/json.hpp>

#include <memory>

extern "C" {
extern const int beadwave_registered_modes_command;
const int beadwave_registered_modes_command = 0;
}

namespace beadwave::cli {
namespace {

Command modes_command(CLI::App& app) {
    struct Options {
        tasks::ModesRequest request;
        Display display;
    };
    const auto given = std::make_shared<Options>();
    tasks::ModesRequest& request = given->request;
    Line line(app, "modes", "Frequencies, shapes, bands and transfer function of small motions");
    add_scenario(line, request.scenario);
    line.add_option("-o,--output", request.output,
                    "file of the results, HDF5 (default: none is written)");
    line.add_option("--transfer", request.transfer,
                    "also the response of the sensors to a harmonic input, at COUNT frequencies "
                    "in Hz")
        .type_name("LOW:HIGH:COUNT");
    line.add_option("--input", request.input,
                    "what moves them: left or right, the displacement of this wall, or the number "
                    "of a bead, a force on it; in packings \"wall 0\", or \"12 x\", a particle and "
                    "the axis of the force (default: the driven wall)")
        .type_name("INPUT");
    line.add_option("--path", request.path,
                    "wave vectors of a packing's bands, corners of a path in units of the "
                    "reciprocal vectors, such as 0,0,0:0.5,0,0:0.5,0.5,0")
        .type_name("PATH");
    line.add_option("--grid", request.grid,
                    "also the waves of a packing at a grid of wave vectors over the whole zone, so "
                    "many along each reciprocal vector, such as 12 or 24,24,1")
        .type_name("N");
    line.add_option("--lowest", request.lowest,
                    "only the N lowest modes of a packing, of any size, without damping")
        .type_name("N")
        .range(std::uint64_t{1}, std::uint64_t{1000});
    line.add_flag("--no-modes", request.no_modes,
                  "only bands and the transfer function, which take less time than the modes of "
                  "large systems");
    add_set(line, request.overrides);
    add_threads(line, request.threads);
    add_overwrite(line, request.overwrite);
    add_quiet(line, given->display.quiet, "print no summary");
    add_json(line, given->display.json);

    return {.line = line, .run = [given](ranks::Communicator&) {
                const tasks::ModesResult result = tasks::modes_of(given->request);
                {
                    const SignalGuard signals;  // an interruption leaves no incomplete file
                    tasks::write_modes(result, given->request);
                }
                for (const std::string& warning : result.warnings)
                    print_warning(warning);
                print_result(result, given->display);
                return 0;
            }};
}

const RegisterCommand modes({.name = "modes", .add = modes_command});

}  // namespace
}  // namespace beadwave::cli

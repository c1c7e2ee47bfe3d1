#include "cli/command_line.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/terminal.hpp"
#include "subjects/fit/fit_laws.hpp"
#include "tasks/law_names.hpp"

#include <nlohmann/json.hpp>

#include <memory>

extern "C" {
extern const int beadwave_registered_fit_command;
const int beadwave_registered_fit_command = 0;
}

namespace beadwave::cli {
namespace {

Command fit_command(CLI::App& app) {
    struct Options {
        tasks::FitRequest request;
        std::string laws;
        Display display;
    };
    const auto given = std::make_shared<Options>();
    tasks::FitRequest& request = given->request;
    Line line(app, "fit", "Fit numbers of a scenario to measured forces");
    add_scenario(line, request.scenario);
    add_measured(line, request.measured).required();
    add_repeated(
        line, "--bounds", request.bounds, "KEY=LOW:HIGH",
        "lower and upper bound of one free parameter, for example law.psi=2:4; KEY is a "
        "key of the scenario, clock.shift (in s), sensor.gain, sensor.offset, or these .N; may be "
        "given several times")
        .required();
    add_set(line, request.overrides, "; for a key with --bounds: the start of its fit");
    line.add_option("--target", request.target,
                    "what is fitted: traces, peaks, arrivals, or peaks,arrivals (default: traces)");
    line.add_option("--laws", given->laws,
                    "names of the laws to fit and rank, separated by commas (default: the law of "
                    "the scenario)");
    line.add_option("--noise", request.noise,
                    "standard deviation of the forces in N: one number, or one per trace, "
                    "separated by commas (default: estimated)");
    line.add_option("--arrival-noise", request.arrival_noise,
                    "standard deviation of the arrival times in s (default: estimated)");
    line.add_option("--errors", request.errors,
                    "standard errors: white (noise that is white and equal in all rows), or robust "
                    "(from blocks of rows, for noise that correlates or varies; default: white)");
    line.add_option("--loss", request.loss,
                    "what is minimised: squares, or huber or soft-l1, which limit the weight of "
                    "outliers (default: squares)");
    add_repeated(line, "--mask", request.masks, "[SENSOR=]FROM:TO",
                 "leave out the rows of these times in s, of all sensors or of that of one bead or "
                 "particle; may be given several times");
    add_repeated(line, "--prior", request.priors, "KEY=MEAN:DEVIATION",
                 "what is known of a free parameter without the measurement, a normal "
                 "distribution; may be given several times");
    add_repeated(line, "--start", request.starts, "KEY=VALUE",
                 "the start of a free parameter (default: its value in the scenario); may be given "
                 "several times");
    line.add_option("--component", request.component,
                    "of the net contact force of packings: x, y, z, or norm, its magnitude "
                    "(default: norm)");
    line.add_option("--multistart", request.multistart,
                    "number of extra starting points between the bounds (default: 0)")
        .range(1, 1000000);
    add_repeated(line, "--profile-likelihood", request.profile_likelihood, "KEY",
                 "compute the profile likelihood of this key; may be given several times");
    line.add_option("-o,--output", request.output,
                    "result, HDF5; the fitted scenario has the same name with .toml (default: "
                    "name of SCENARIO with .fit.h5, in the current folder)");
    add_threads(line, request.threads);
    add_overwrite(line, request.overwrite);
    add_quiet(line, given->display.quiet, "print no progress and no summary");
    add_json(line, given->display.json);

    const auto run = [given](ranks::Communicator& ranks) {
        tasks::FitRequest& wanted = given->request;
        InterruptGuard callback(!given->display.quiet && ranks.first(), fit_line);
        wanted.laws = tasks::separated(given->laws);
        if (wanted.output.empty()) wanted.output = named_after(wanted.scenario, ".fit.h5");
        if (!ranks.first()) {
            tasks::serve_fit(wanted, callback, ranks);
            return 0;
        }
        const tasks::FitResult fit = tasks::fit_laws(wanted, callback, ranks);
        callback.clear();
        print_result(fit, given->display);
        for (const std::string& warning : fit.warnings())
            print_warning(warning);
        return 0;
    };
    return {.line = line, .run = run, .shared = true, .inputs = [given] {
                return std::vector<std::string>{given->request.scenario, given->request.measured};
            }};
}

const RegisterCommand fit({.name = "fit",
                           .add = fit_command,
                           .retired = {{"fit", "--vary", "--bounds"},
                                       {"fit", "--of", "--target"},
                                       {"fit", "--starts", "--multistart"},
                                       {"fit", "--profile", "--profile-likelihood"},
                                       {"fit", "--force", "--overwrite"}}});

}  // namespace
}  // namespace beadwave::cli

#include "fit/fit_problem.hpp"

#include "beadwave/input_error.hpp"
#include "fit/setting.hpp"
#include "io/toml/toml_document.hpp"
#include "jobs/read_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace beadwave::fit {
namespace {

std::vector<std::string> overrides_of(const FitInput& input, const std::string& law) {
    std::vector<std::string> overrides = input.settings.overrides;
    if (!law.empty()) overrides.push_back("law.name=" + law);
    return overrides;
}

/// The start, each bound alone, and corners of the bounds: all of them for up to four keys.
std::vector<std::vector<double>> points_of(const std::vector<double>& start,
                                           const FitProblem& problem) {
    std::vector<std::vector<double>> points{start};
    const std::size_t p = start.size();
    for (std::size_t k = 0; k < p; ++k) {
        for (const double bound : {problem.low[k], problem.high[k]}) {
            points.push_back(start);
            points.back()[k] = bound;
        }
    }
    constexpr std::size_t few = 4;
    const std::size_t corners = std::size_t{1} << std::min(p, few);
    for (std::size_t corner = 0; p > 1 && corner < corners; ++corner) {
        points.emplace_back(p);
        for (std::size_t k = 0; k < p; ++k)
            points.back()[k] = (corner >> (k % few)) % 2 == 1 ? problem.high[k] : problem.low[k];
    }
    return points;
}

}  // namespace

FitProblem make_fit_problem(const FitInput& input, const std::string& law) {
    FitProblem problem{.scenario = input.settings.scenario,
                       .overrides = overrides_of(input, law),
                       .keys = {},
                       .low = {},
                       .high = {},
                       .threads = input.settings.threads,
                       .stop = input.settings.stop,
                       .evaluated = input.settings.evaluated,
                       .component = input.settings.component};
    std::vector<double> start;
    for (const FreeParameter& parameter : input.parameters) {
        if (parameter.role != Role::scenario) continue;
        problem.keys.push_back(parameter.key);
        problem.low.push_back(parameter.low);
        problem.high.push_back(parameter.high);
        start.push_back(parameter.start);
    }
    problem.overrides.push_back(setting("sensors.interval", input.interval));
    const jobs::JobFile file(problem.scenario, problem.overrides);
    double step = std::numeric_limits<double>::infinity();
    for (const std::vector<double>& point : points_of(start, problem)) {
        std::vector<std::string> values;
        std::string text;
        for (std::size_t k = 0; k < point.size(); ++k) {
            values.push_back(setting(problem.keys[k], point[k]));
            text += (k == 0 ? "" : ", ") + values.back();
        }
        try {
            step = std::min(step, naming_bounds([&] { return file.variant(values)->time_step(); }));
        } catch (const InputError& error) {
            // A corner at which the scenario cannot run is no error: the fit avoids it, as it does
            // all points where a run fails.
            const std::string why = error.what();
            if (why.starts_with("--bounds ")) throw;
            if (point != start) continue;
            throw InputError(fmt::format("with --bounds {}: {}", text, why));
        }
    }
    problem.overrides.push_back(setting("time.step", step));
    return problem;
}

std::string scenario_with(const FitInput& input, const std::string& law,
                          const std::vector<Estimate>& estimates) {
    std::vector<std::string> overrides = overrides_of(input, law);
    for (std::size_t k = 0; k < estimates.size(); ++k) {
        if (input.parameters[k].role == Role::scenario)
            overrides.push_back(setting(estimates[k].key, estimates[k].value));
    }
    return io::load_toml(input.settings.scenario, overrides).text;
}

}  // namespace beadwave::fit

#include "beadwave/input_error.hpp"
#include "subjects/orbits/guess_file.hpp"
#include "subjects/orbits/motion_start.hpp"
#include "subjects/orbits/orbits.hpp"
#include "subjects/orbits/prepared.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::tasks {
namespace {

std::size_t starts_of(const OrbitRequest& request, bool damped) {
    const std::uint64_t wanted = request.lyapunov.starts;
    if (!damped && wanted > 1) {
        throw InputError(fmt::format(
            "{}: --starts {}: nothing is damped, so that each start keeps exponents of its own; "
            "expected --starts 1",
            request.scenario, wanted));
    }
    if (wanted > 0) return wanted;
    constexpr std::size_t many = 16;
    return damped && !has_state(request) ? many : 1;
}

}  // namespace

LyapunovResult lyapunov_of(const OrbitRequest& request) {
    const jobs::JobFile file(request.scenario, request.overrides);
    const auto job = file.variant({});
    return lyapunov_of(*job, request);
}

LyapunovResult lyapunov_of(const jobs::Job& job, const OrbitRequest& request) {
    refuse_orbit_options(request, "--lyapunov");
    if (!request.basins.axes.empty() || request.section.wanted) {
        throw InputError(fmt::format("--lyapunov and {} are both given; expected one of the two",
                                     request.section.wanted ? "--poincare" : "--basins"));
    }
    refuse_motion_options(request);
    refuse_output(request, "--lyapunov");
    const Prepared prepared(job, request);
    orbits::PeriodMap& map = *prepared.map;
    const LyapunovOptions& options = request.lyapunov;
    const double frequency = frequency_of(request, map);
    map.set_drive(frequency);
    const std::size_t most = 2 * map.freedoms();
    if (options.exponents > most) {
        throw InputError(fmt::format("{}: --exponents {}: the chain has {}; expected at most these",
                                     request.scenario, options.exponents, most));
    }
    if (options.transient && *options.transient < 0) {
        throw InputError(
            fmt::format("--transient {}: expected 0 or more periods", *options.transient));
    }
    const std::size_t starts = starts_of(request, map.damped());
    constexpr std::size_t few = 4;
    constexpr std::int64_t all_periods = 6400;
    const auto count = static_cast<std::int64_t>(starts);
    LyapunovResult result{
        .frequency = frequency,
        .request = {.period = 1.0 / frequency,
                    .steps = request.steps > 0 ? request.steps
                                               : motion_steps(prepared.job, 1.0 / frequency),
                    .exponents = options.exponents > 0 ? options.exponents : std::min(most, few),
                    .transient = options.transient.value_or(100),
                    .periods = request.periods > 0 ? static_cast<std::int64_t>(request.periods)
                                                   : (all_periods + count - 1) / count,
                    .starts = starts,
                    .spread = orbits::typical_length(prepared.chain, map),
                    .seed = options.seed,
                    .stop = request.stop},
        .warnings = job.warnings()};
    const orbits::State start = motion_start(request, prepared, result.request.steps);
    map.set_drive(frequency);
    result.found = orbits::lyapunov(map, start, result.request);
    if (result.found.crossed_jump) refuse_jump(request);
    if (result.found.starts_differ) {
        const auto [low, high] = std::ranges::minmax(result.found.largest_of_starts);
        result.warnings.push_back(fmt::format(
            "the starts differ by more than chance, from {:.4g} to {:.4g} 1/s: several states may "
            "attract, or a longer --transient is needed",
            low, high));
    }
    return result;
}

std::string LyapunovResult::text() const {
    std::string out;
    for (std::size_t k = 0; k < found.exponents.size(); ++k) {
        out += fmt::format("  {:<20}{:.6g} +- {:.2g} 1/s\n", k == 0 ? "largest exponents" : "",
                           found.exponents[k], found.standard_errors[k]);
    }
    const auto row = [&](const char* what, const std::string& value) {
        out += fmt::format("  {:<20}{}\n", what, value);
    };
    row("frequency", fmt::format("{:.10g} Hz", frequency));
    row("least overlap", fmt::format("{:.4g} m{}", found.least_overlap,
                                     found.least_overlap < 0.0 ? ", contacts open" : ""));
    row("averaged over",
        fmt::format("{} start{} of {} periods, after {} periods", request.starts,
                    request.starts == 1 ? "" : "s", request.periods, request.transient));
    row("steps per period", fmt::format("{}", request.steps));
    return out;
}

nlohmann::ordered_json LyapunovResult::json() const {
    return {{"exponents", found.exponents},
            {"standard_errors", found.standard_errors},
            {"largest_of_starts", found.largest_of_starts},
            {"frequency", frequency},
            {"least_overlap", found.least_overlap},
            {"starts", request.starts},
            {"periods", request.periods},
            {"transient", request.transient},
            {"steps", request.steps},
            {"warnings", warnings}};
}

}  // namespace beadwave::tasks

#include "beadwave/input_error.hpp"
#include "subjects/orbits/guess_file.hpp"
#include "subjects/orbits/orbits.hpp"
#include "subjects/orbits/prepared.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::tasks {
namespace {

/// Steps of one period: those of `time.step`, if it is given; otherwise 120 in the shortest
/// contact, a tenth of those of a run: their error of 1e-3 is far below the standard errors.
std::int64_t lyapunov_steps(const jobs::ChainJob& job, double period) {
    const stepping::TimeStep chosen = job.chosen_step().value();
    double step = chosen.step;
    constexpr double in_contact = 120.0, coarser = 12.0;
    const double coarse = chosen.shortest_contact / in_contact;
    // A step that damping, springs or jumps have made short stays as it is.
    if (!chosen.given && coarse > step && coarse < coarser * step) step = coarse;
    constexpr double fewest = 400.0;
    return static_cast<std::int64_t>(std::max(std::ceil(period / step), fewest));
}

/// Options that say where the search of an orbit begins, and what it is.
void refuse_other_options(const OrbitRequest& request) {
    const auto refuse = [](const char* option, const char* why) {
        throw InputError(
            fmt::format("{} is not for --lyapunov, {}; expected one of the two", option, why));
    };
    if (!request.continuation.empty()) refuse("--continue", "which is of one run");
    if (request.accuracy > 0.0) refuse("--accuracy", "whose standard errors say how exact it is");
    if (request.which != 1) refuse("--which", "which is of a run, not of an orbit");
    if (request.most_points > 0) refuse("--points", "which is of one run");
    if (request.guess.starts_with("mode:"))
        refuse("--guess mode:K", "which starts as the scenario does");
    refuse_output(request, "--lyapunov");
}

/// The scenario's own, or that of a file.
orbits::State start_of(const OrbitRequest& request, const Prepared& prepared, std::int64_t steps) {
    if (has_state(request)) return read_guess(prepared, request, steps);
    orbits::State start = prepared.map->rest();
    const std::vector<std::size_t> beads = prepared.beads();
    for (std::size_t i = 0; i < beads.size(); ++i)
        start.velocity[i] = prepared.chain.velocity[beads[i]];
    return start;
}

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
    refuse_travelling(request, "--lyapunov");
    refuse_other_options(request);
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
                                               : lyapunov_steps(prepared.job, 1.0 / frequency),
                    .exponents = options.exponents > 0 ? options.exponents : std::min(most, few),
                    .transient = options.transient.value_or(100),
                    .periods = request.periods > 0 ? static_cast<std::int64_t>(request.periods)
                                                   : (all_periods + count - 1) / count,
                    .starts = starts,
                    .spread = orbits::typical_length(prepared.chain, map),
                    .seed = options.seed,
                    .stop = request.stop},
        .warnings = job.warnings()};
    const orbits::State start = start_of(request, prepared, result.request.steps);
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

#include "subjects/orbits/orbits.hpp"

#include "beadwave/input_error.hpp"
#include "jobs/read_job.hpp"
#include "subjects/chain/chain_job.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <memory>
#include <utility>

namespace beadwave::tasks {
namespace {

/// The chain of a scenario; no time step is chosen, because the period has one of its own.
std::unique_ptr<jobs::Job> read_chain(const OrbitRequest& request) {
    const jobs::JobFile file(request.scenario, request.overrides);
    const stepping::TimeStep unused{.step = 1.0, .count = 1, .shortest_contact = 0.0,
                                    .largest_speed = 0.0, .given = true};
    auto job = file.variant({}, &unused);
    if (dynamic_cast<const jobs::ChainJob*>(job.get()) == nullptr) {
        throw InputError(fmt::format("{}: is no chain; orbits are computed of chains (beads in a "
                                     "row, [[segment]])",
                                     request.scenario));
    }
    return job;
}

std::optional<std::size_t> mode_of(const OrbitRequest& request, bool driven) {
    const std::string& guess = request.guess;
    if (guess.empty() || guess == "zero") {
        if (guess == "zero" && !driven) {
            throw InputError(fmt::format(
                "{}: --guess zero: nothing drives the chain, whose orbit near zero is rest; "
                "expected --guess mode:K, a linear mode",
                request.scenario));
        }
        return std::nullopt;
    }
    const std::string prefix = "mode:";
    std::size_t mode = 0;
    const char* const begin = guess.data() + std::min(prefix.size(), guess.size());
    const char* const end = guess.data() + guess.size();
    const auto read = std::from_chars(begin, end, mode);
    if (!guess.starts_with(prefix) || read.ec != std::errc() || read.ptr != end) {
        throw InputError(fmt::format(
            "--guess {}: expected mode:K, K from 0 (`beadwave modes` lists them), history:FILE or "
            "zero",
            shortened(guess)));
    }
    if (driven) {
        throw InputError(fmt::format(
            "{}: --guess {}: the chain is driven; its orbits have the period of the drive and are "
            "found from --guess zero",
            request.scenario, guess));
    }
    return mode;
}

double frequency_of(const OrbitRequest& request, const orbits::PeriodMap& map) {
    if (!request.frequency) {
        if (map.driven()) return map.drive_frequency();
        throw InputError(
            fmt::format("{}: --frequency is missing, and nothing drives the chain; expected the "
                        "frequency of the orbit in Hz",
                        request.scenario));
    }
    if (!(*request.frequency > 0.0) || !std::isfinite(*request.frequency)) {
        throw InputError(fmt::format("--frequency {:g}: expected a number above 0, in Hz",
                                     *request.frequency));
    }
    return *request.frequency;
}

}  // namespace

OrbitResult orbit_of(const OrbitRequest& request) {
    if (request.steps != 0 && (request.steps < 8 || request.steps % 2 != 0)) {
        throw InputError(
            fmt::format("--steps {}: expected an even number from 8, the steps of one period",
                        request.steps));
    }
    const auto job = read_chain(request);
    const chain::Chain& chain = dynamic_cast<const jobs::ChainJob&>(*job).system();
    const auto map = std::make_shared<orbits::PeriodMap>(chain, request.scenario);
    const double frequency = frequency_of(request, *map);
    const orbits::Search search{.map = map,
                                .chain = chain,
                                .name = request.scenario,
                                .frequency = frequency,
                                .mode = mode_of(request, map->driven()),
                                .which = request.which,
                                .stop = request.stop};
    OrbitResult result;
    result.warnings = job->warnings();
    const std::int64_t steps = orbits::search_steps(map->freedoms());
    std::vector<double> guess = orbits::find_orbit(search, steps);
    map->set_drive(frequency);
    const double least = map->driven() ? 0.01 * orbits::typical_length(chain, *map) : 0.0;
    result.orbit = orbits::solve_orbit(orbits::by_period(map), -std::log(frequency),
                                       std::move(guess), steps, least,
                                       {request.steps, request.accuracy}, search);
    result.orbit.frequency = frequency;
    for (const std::size_t body : map->body()) {
        result.bead.push_back(body < chain.beads()
                                  ? body
                                  : chain.elements.resonators[body - chain.beads()].bead);
    }
    return result;
}

}  // namespace beadwave::tasks

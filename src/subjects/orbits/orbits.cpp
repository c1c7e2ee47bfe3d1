#include "subjects/orbits/orbits.hpp"

#include "beadwave/input_error.hpp"
#include "jobs/read_job.hpp"
#include "subjects/chain/chain_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>
#include <utility>

namespace beadwave::tasks {
namespace {

/// The chain of a scenario with one of its numbers changed; no time step is chosen, because the
/// period has one of its own.
std::unique_ptr<jobs::Job> read_chain(const jobs::JobFile& file, const OrbitRequest& request,
                                      const std::vector<std::string>& settings = {}) {
    const stepping::TimeStep unused{
        .step = 1.0, .count = 1, .shortest_contact = 0.0, .largest_speed = 0.0, .given = true};
    auto job = file.variant(settings, &unused);
    if (dynamic_cast<const jobs::ChainJob*>(job.get()) == nullptr) {
        throw InputError(
            fmt::format("{}: is no chain; orbits are computed of chains (beads in a "
                        "row, [[segment]])",
                        request.scenario));
    }
    return job;
}

const chain::Chain& chain_of(const jobs::Job& job) {
    return dynamic_cast<const jobs::ChainJob&>(job).system();
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
        throw InputError(
            fmt::format("--guess {}: expected mode:K, K from 0 (`beadwave modes` lists them) or "
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
        throw InputError(
            fmt::format("--frequency {:g}: expected a number above 0, in Hz", *request.frequency));
    }
    return *request.frequency;
}

void check_steps(const OrbitRequest& request) {
    if (request.steps != 0 && (request.steps < 8 || request.steps % 2 != 0)) {
        throw InputError(fmt::format(
            "--steps {}: expected an even number from 8, the steps of one period", request.steps));
    }
}

/// A scenario that is read, and where its orbits begin.
struct Prepared {
    Prepared(const OrbitRequest& request, const std::vector<std::string>& settings = {})
        : file(request.scenario, request.overrides),
          job(read_chain(file, request, settings)),
          map(std::make_shared<orbits::PeriodMap>(chain_of(*job), request.scenario)) {
        check_steps(request);
    }

    const chain::Chain& chain() const { return chain_of(*job); }
    double least() const {
        return map->driven() ? 0.01 * orbits::typical_length(chain(), *map) : 0.0;
    }
    orbits::Search search(const OrbitRequest& request, double frequency) const {
        return {.map = map,
                .chain = chain(),
                .name = request.scenario,
                .frequency = frequency,
                .mode = mode_of(request, map->driven()),
                .which = request.which,
                .stop = request.stop};
    }

    jobs::JobFile file;
    std::unique_ptr<jobs::Job> job;
    std::shared_ptr<orbits::PeriodMap> map;
};

struct Range {
    std::string key;
    double from, to;
};

Range range_of(const std::string& text) {
    const std::size_t equals = text.find('=');
    double from = 0.0, to = 0.0;
    char rest = '\0';
    if (equals == std::string::npos || equals == 0 ||
        std::sscanf(text.c_str() + equals + 1, "%lf:%lf%c", &from, &to, &rest) != 2 ||
        !std::isfinite(from) || !std::isfinite(to) || from == to) {
        throw InputError(
            fmt::format("--continue {}: expected KEY=FROM:TO, such as "
                        "frequency=4000:3300 or precompression.force=10:20",
                        shortened(text)));
    }
    return {text.substr(0, equals), from, to};
}

std::string setting_of(const std::string& key, double value) {
    return fmt::format("{}={}", key, value);
}

/// The orbits of one scenario whose number `key` is the parameter.
orbits::Problem::Family by_key(const Prepared& prepared, const OrbitRequest& request,
                               const std::string& key, double frequency) {
    return [&prepared, &request, key, frequency](double value) {
        const auto job = read_chain(prepared.file, request, {setting_of(key, value)});
        auto map = std::make_shared<orbits::PeriodMap>(chain_of(*job), request.scenario);
        map->set_drive(frequency);
        return orbits::Setting{std::move(map), 1.0 / frequency};
    };
}

}  // namespace

OrbitResult orbit_of(const OrbitRequest& request) {
    if (request.most_points > 0)
        throw InputError("--points is for a branch; expected --continue KEY=FROM:TO with it");
    const Prepared prepared(request);
    const double frequency = frequency_of(request, *prepared.map);
    const orbits::Search search = prepared.search(request, frequency);
    OrbitResult result;
    result.warnings = prepared.job->warnings();
    orbits::PeriodMap& map = *prepared.map;
    const std::int64_t steps = orbits::search_steps(map.freedoms());
    std::vector<double> guess = orbits::find_orbit(search, steps);
    map.set_drive(frequency);
    constexpr std::size_t few = 16;
    const double accuracy = request.accuracy > 0.0  ? request.accuracy
                            : map.freedoms() <= few ? 1e-11
                                                    : 1e-9;
    result.orbit =
        orbits::solve_orbit(orbits::by_period(prepared.map), -std::log(frequency), std::move(guess),
                            steps, prepared.least(), {request.steps, accuracy}, search);
    result.orbit.frequency = frequency;
    const chain::Chain& chain = prepared.chain();
    for (const std::size_t body : map.body()) {
        result.bead.push_back(
            body < chain.beads() ? body : chain.elements.resonators[body - chain.beads()].bead);
    }
    return result;
}

BranchResult branch_of(const OrbitRequest& request) {
    const Range range = range_of(request.continuation);
    const bool by_frequency = range.key == "frequency";
    if (by_frequency && request.frequency) {
        throw InputError(fmt::format(
            "--frequency is not for --continue {}, whose frequencies it gives; expected one of the "
            "two",
            request.continuation));
    }
    if (request.accuracy > 0.0) {
        throw InputError(
            "--accuracy is not for --continue, whose orbits have a fixed number of "
            "steps; expected --steps N");
    }
    std::vector<std::string> settings;
    if (!by_frequency) settings.push_back(setting_of(range.key, range.from));
    const Prepared prepared(request, settings);
    if (by_frequency && !(std::min(range.from, range.to) > 0.0)) {
        throw InputError(fmt::format("--continue {}: expected frequencies above 0, in Hz",
                                     request.continuation));
    }
    const double frequency = by_frequency ? range.from : frequency_of(request, *prepared.map);
    const orbits::Search search = prepared.search(request, frequency);
    BranchResult result{.key = range.key, .branch = {}, .warnings = prepared.job->warnings()};
    const std::int64_t first = orbits::search_steps(prepared.map->freedoms());
    std::vector<double> guess = orbits::find_orbit(search, first);
    orbits::Problem::Family family;
    if (by_frequency) {
        family = [map = prepared.map](double value) {
            map->set_drive(value);
            return orbits::Setting{map, 1.0 / value};
        };
    } else {
        family = by_key(prepared, request, range.key, frequency);
    }
    result.steps = request.steps > 0 ? request.steps : std::max<std::int64_t>(first, 1024);
    const orbits::Problem problem(family, range.from, result.steps);
    const double least = prepared.least();
    orbits::NewtonResult start = orbits::newton(problem, std::move(guess), range.from, least);
    if (!start.converged) {
        throw InputError(fmt::format(
            "{}: --continue {}: Newton's method does not converge at the start; expected another "
            "start",
            request.scenario, request.continuation));
    }
    result.branch = orbits::follow_branch(
        problem, std::move(start.x), least,
        {.from = range.from,
         .to = range.to,
         .most_points = request.most_points > 0 ? request.most_points : std::uint64_t{1000},
         .stop = request.stop});
    if (!result.branch.ended.empty())
        result.warnings.push_back(fmt::format("the branch ends early: {}", result.branch.ended));
    return result;
}

}  // namespace beadwave::tasks

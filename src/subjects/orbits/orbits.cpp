#include "subjects/orbits/orbits.hpp"

#include "beadwave/input_error.hpp"
#include "io/files/error_message.hpp"
#include "orbits/find_wave.hpp"
#include "subjects/orbits/branch_record.hpp"
#include "subjects/orbits/key_range.hpp"
#include "subjects/orbits/orbit_file.hpp"
#include "subjects/orbits/orbit_scenario.hpp"
#include "subjects/orbits/prepared.hpp"
#include "subjects/orbits/switch_branch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace beadwave::tasks {
namespace {

KeyRange range_of(const std::string& text) {
    if (auto range = key_range_in(text)) return *std::move(range);
    throw InputError(
        fmt::format("--continue {}: expected KEY=FROM:TO, such as "
                    "frequency=4000:3300 or precompression.force=10:20",
                    shortened(text)));
}

bool by_frequency(const KeyRange& range) {
    return range.key == "frequency";
}

std::string setting_of(const std::string& key, double value) {
    return fmt::format("{}={}", key, value);
}

/// The orbits of one scenario whose number `key` is the parameter.
orbits::Problem::Family by_key(const jobs::JobFile& file, const OrbitRequest& request,
                               const std::string& key, double frequency) {
    return [&file, &request, key, frequency](double value) {
        const auto job = read_chain(file, request, {setting_of(key, value)});
        auto map = std::make_shared<orbits::PeriodMap>(chain_job(*job, request.scenario).system(),
                                                       request.scenario);
        map->set_drive(frequency);
        return orbits::Setting{std::move(map), 1.0 / frequency};
    };
}

/// The range of --continue, which other options agree with.
KeyRange checked_range(const OrbitRequest& request) {
    refuse_lyapunov_options(request);
    if (request.travelling > 0 && request.switch_at != 0) {
        throw InputError(
            "--switch is for orbits; no branches are followed that leave one of waves "
            "(--travelling)");
    }
    refuse_run_scenario(request);
    const KeyRange range = range_of(request.continuation);
    if (by_frequency(range) && request.frequency) {
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
    return range;
}

/// x of the first orbit. Throws InputError.
std::vector<double> start_of_branch(const orbits::Search& search, const orbits::Problem& problem,
                                    const KeyRange& range, double least,
                                    const OrbitRequest& request) {
    std::vector<double> guess =
        orbits::find_orbit(search, orbits::search_steps(search.map->freedoms()));
    orbits::NewtonResult start = orbits::newton(problem, std::move(guess), range.from, least);
    if (!start.converged) {
        throw InputError(fmt::format(
            "{}: --continue {}: Newton's method does not converge at the start; expected another "
            "start",
            request.scenario, request.continuation));
    }
    return std::move(start.x);
}

/// Throws InputError if an orbit of `steps` steps repeats before all periods of the drive have
/// passed.
void refuse_shorter_period(orbits::PeriodMap& map, const orbits::State& start, double step,
                           std::int64_t steps, std::size_t periods, const OrbitRequest& request) {
    orbits::State state = start;
    const auto is_back = [](const std::vector<double>& now, const std::vector<double>& before) {
        double most = 0.0;
        for (std::size_t i = 0; i < now.size(); ++i)
            most = std::max(most, std::fabs(now[i] - before[i]));
        return most <= 1e-4 * orbits::largest(before);
    };
    for (std::size_t period = 1; period < periods; ++period) {
        map.run(state, step, steps / static_cast<std::int64_t>(periods));
        if (!is_back(state.displacement, start.displacement) ||
            !is_back(state.velocity, start.velocity))
            continue;
        throw InputError(fmt::format(
            "{}: --periods {}: the orbit that is found repeats after {} of them; expected --guess "
            "history:FILE with a state nearer to an orbit of {}, or no --periods",
            request.scenario, periods, period, periods));
    }
}

/// What tells that a wave is wider than the chain.
std::string wide_wave(double tail) {
    return fmt::format(
        "beads at the ends of the chain move at {:.1g} of the largest speed: the wave is wider "
        "than the chain, which more beads mend, or leaves beads in motion and so loses energy",
        tail);
}
constexpr double small_tail = 1e-9;

void warn_of_branch(const orbits::Search& search, BranchResult& result) {
    if (!result.branch.ended.empty())
        result.warnings.push_back(fmt::format("the branch ends early: {}", result.branch.ended));
    if (!std::ranges::all_of(result.branch.points, [](const orbits::BranchPoint& point) {
            return point.stability.complete();
        })) {
        result.warnings.emplace_back(
            "only the largest multipliers of the orbits are known, by Arnoldi's method: orbits "
            "that are called stable may have weak instabilities");
    }
    double tail = 0.0;
    for (const orbits::BranchPoint& each : result.branch.points)
        if (search.cell > 0) tail = std::max(tail, orbits::tail_of_wave(each.state, search.cell));
    if (tail > small_tail) result.warnings.push_back(wide_wave(tail));
}

/// `job`: at the start of the range. `file`: null if the parameter is the frequency.
BranchResult branch_from(const jobs::Job& job, const jobs::JobFile* file, const KeyRange& range,
                         const OrbitRequest& request) {
    const Prepared prepared(job, request);
    if (by_frequency(range) && !(std::min(range.from, range.to) > 0.0)) {
        throw InputError(fmt::format("--continue {}: expected frequencies above 0, in Hz",
                                     request.continuation));
    }
    const double frequency =
        by_frequency(range) ? range.from : frequency_of(request, *prepared.map);
    BranchResult result{.key = range.key,
                        .branch = {},
                        .warnings = job.warnings(),
                        .bead = prepared.beads(),
                        .radius = prepared.chain.radius};
    const std::int64_t first = orbits::search_steps(prepared.map->freedoms());
    orbits::Problem::Family family;
    if (by_frequency(range)) {
        family = [map = prepared.map](double value) {
            map->set_drive(value);
            return orbits::Setting{map, 1.0 / value};
        };
    } else {
        family = by_key(*file, request, range.key, frequency);
    }
    result.steps = request.steps > 0 ? request.steps : std::max<std::int64_t>(first, 1024);
    const double least = prepared.least();
    const orbits::Search search = prepared.search(request, frequency);
    result.periods = search.periods;
    result.steps *= static_cast<std::int64_t>(search.periods);
    family = orbits::repeated(family, search.periods);
    const orbits::Problem problem(family, range.from, result.steps, search.cell, search.method);
    orbits::BranchRequest wanted{
        .from = range.from,
        .to = range.to,
        .most_points = request.most_points > 0 ? request.most_points : std::uint64_t{1000},
        .stop = request.stop};
    const orbits::BranchRequest before = wanted;
    std::optional<BranchRecord> record;
    if (!request.output.empty()) {
        record.emplace(request, prepared, file);
        wanted.earlier = record->earlier();
        result.resumed = wanted.earlier ? wanted.earlier->branch.points.size() : 0;
    }
    wanted.reached = [&](const orbits::Branch& branch, const orbits::BranchPlace& place) {
        if (record) record->add(branch, place);
        if (request.reached) request.reached(branch.points.back(), branch.points.size());
    };
    const bool switches = request.switch_at != 0;
    try {
        // A branch that leaves another one is kept; the other one is followed again each time.
        std::vector<double> start;
        if (switches || !wanted.earlier)
            start = start_of_branch(search, problem, range, least, request);
        if (!start.empty() && search.periods > 1) {
            const orbits::Setting setting = problem.at(range.from);
            refuse_shorter_period(*setting.map, problem.state(start),
                                  setting.period / static_cast<double>(result.steps), result.steps,
                                  search.periods, request);
        }
        result.branch =
            orbits::follow_branch(problem, std::move(start), least, switches ? before : wanted);
        if (switches) switch_branch(result, problem, least, wanted, request);
    } catch (const InputError&) {
        if (record) record->keep_points();
        throw;
    } catch (const std::exception& error) {
        const std::string kept = record ? record->keep_points() : "";
        if (kept.empty()) throw;
        throw std::runtime_error(fmt::format("{}: {}", io::message_of(error), kept));
    }
    if (result.branch.points.front().crossed_jump) {
        if (record) record->drop_points();
        refuse_jump(request);
    }
    warn_of_branch(search, result);
    const std::size_t times = result.periods / search.periods;
    if (record) {
        record->write(result, orbits::Problem(orbits::repeated(family, times), range.from,
                                              result.steps, search.cell, search.method));
    }
    return result;
}

void describe_wave(const orbits::Search& search, OrbitResult& result) {
    result.cell = search.cell;
    result.speed = orbits::speed_of_wave(search);
    const double tail = orbits::tail_of_wave(result.orbit.state, search.cell);
    if (tail > small_tail) result.warnings.push_back(wide_wave(tail));
}

}  // namespace

OrbitResult orbit_of(const OrbitRequest& request) {
    const jobs::JobFile file(request.scenario, request.overrides);
    const std::shared_ptr<const jobs::Job> job = read_chain(file, request);
    OrbitResult result = orbit_of(*job, request);
    result.scenario_text = file.text();
    result.job = job;
    return result;
}

void write_orbit(const OrbitResult& result, const OrbitRequest& request) {
    if (!request.output.empty())
        write_orbit_file({request.output, request.overwrite}, *result.prepared, result);
    write_orbit_scenario(result, request);
}

OrbitResult orbit_of(const jobs::Job& job, const OrbitRequest& request) {
    refuse_lyapunov_options(request);
    if (request.most_points > 0 || request.switch_at != 0) {
        throw InputError(fmt::format("{} is for a branch; expected --continue KEY=FROM:TO with it",
                                     request.most_points > 0 ? "--points" : "--switch"));
    }
    if (!request.output.empty()) check_orbit_file({request.output, request.overwrite});
    check_orbit_scenario(request);
    OrbitResult result;
    result.prepared = std::make_shared<Prepared>(job, request);
    const Prepared& prepared = *result.prepared;
    check_orbit_scenario(request, prepared.job);
    const double frequency = frequency_of(request, *prepared.map);
    const orbits::Search search = prepared.search(request, frequency);
    result.warnings = job.warnings();
    result.scenario_text = prepared.job.scenario().text;
    result.file = request.output;
    orbits::PeriodMap& map = *prepared.map;
    const std::int64_t steps = orbits::search_steps(map.freedoms());
    std::vector<double> guess = orbits::find_orbit(search, steps);
    map.set_drive(frequency);
    constexpr std::size_t few = 16;
    const double accuracy = request.accuracy > 0.0  ? request.accuracy
                            : map.freedoms() <= few ? 1e-11
                                                    : 1e-9;
    const auto periods = static_cast<std::int64_t>(search.periods);
    result.periods = search.periods;
    result.orbit =
        orbits::solve_orbit(orbits::repeated(orbits::by_period(prepared.map), search.periods),
                            -std::log(frequency), std::move(guess), periods * steps,
                            prepared.least(), {periods * request.steps, accuracy}, search);
    if (result.orbit.crossed_jump) refuse_jump(request);
    result.orbit.frequency = frequency / static_cast<double>(periods);
    refuse_shorter_period(*result.prepared->map, result.orbit.state,
                          1.0 / result.orbit.frequency / static_cast<double>(result.orbit.steps),
                          result.orbit.steps, result.periods, request);
    result.bead = prepared.beads();
    if (search.cell > 0) describe_wave(search, result);
    return result;
}

BranchResult branch_of(const OrbitRequest& request) {
    return branch_of(jobs::JobFile(request.scenario, request.overrides), request);
}

BranchResult branch_of(const jobs::JobFile& file, const OrbitRequest& request) {
    const KeyRange range = checked_range(request);
    std::vector<std::string> settings;
    if (!by_frequency(range)) settings.push_back(setting_of(range.key, range.from));
    return branch_from(*read_chain(file, request, settings), &file, range, request);
}

BranchResult branch_of(const jobs::Job& job, const OrbitRequest& request) {
    const KeyRange range = checked_range(request);
    if (!by_frequency(range)) {
        throw InputError(fmt::format(
            "{}: --continue {}: is a chain that is made already; expected frequency=FROM:TO, or "
            "the scenario itself",
            request.scenario, request.continuation));
    }
    return branch_from(job, nullptr, range, request);
}

}  // namespace beadwave::tasks

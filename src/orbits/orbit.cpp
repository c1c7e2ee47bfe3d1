#include "orbits/orbit.hpp"

#include "beadwave/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace beadwave::orbits {
namespace {

constexpr std::int64_t most_steps = 1 << 16;

/// An orbit of a number of steps.
struct Level {
    std::vector<double> x;
    Matrix monodromy;
    Band within{};  // in its place, of a long chain
};

/// (4 fine - coarse) / 3: without the error that falls as the square of the step.
std::vector<double> extrapolated(const std::vector<double>& coarse,
                                 const std::vector<double>& fine) {
    std::vector<double> limit(fine.size());
    for (std::size_t i = 0; i < fine.size(); ++i)
        limit[i] = fine[i] + (fine[i] - coarse[i]) / 3.0;
    return limit;
}

Band extrapolated(const Band& coarse, const Band& fine) {
    Band limit = fine;
    for (std::size_t i = 0; i < fine.size; ++i) {
        for (std::size_t j = fine.first(i); j < fine.end(i); ++j) {
            const bool known = j >= coarse.first(i) && j < coarse.end(i);
            limit(i, j) += (fine(i, j) - (known ? coarse(i, j) : 0.0)) / 3.0;
        }
    }
    return limit;
}

double distance(const std::vector<double>& a, const std::vector<double>& b,
                const std::vector<double>& scale) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        most = std::max(most, std::fabs(a[i] - b[i]) / scale[i]);
    return most;
}

std::vector<double> solve(const Problem& problem, std::vector<double> guess, double parameter,
                          double least, const Search& search, std::vector<double>& errors) {
    if (search.stop && search.stop()) throw std::runtime_error("interrupted");
    const double before = largest(guess);
    NewtonResult found = newton(problem, std::move(guess), parameter, least);
    errors = std::move(found.errors);
    const bool rests = largest(found.x) < 1e-3 * before;
    if (search.cell > 0 && rests) {
        throw InputError(fmt::format(
            "{}: --travelling {}: the search ends at rest: no wave passes {:.6g} cells per second; "
            "such waves are faster than sound; expected a higher --frequency",
            search.name, search.cell, search.frequency));
    }
    if (!found.converged || rests) {
        throw InputError(fmt::format(
            "{}: Newton's method does not converge to an orbit with {} steps per period; its "
            "errors are {:.2g}; expected another frequency or guess{}",
            search.name, problem.steps(), fmt::join(errors, ", "),
            search.cell > 1 ? ", or other masses: with several beads in a cell most chains have no "
                              "wave that keeps its shape"
                            : ""));
    }
    return found.x;
}

/// Chooses that of the two turning points where a bead is farther from rest; if they are alike,
/// that where it has moved towards higher numbers.
void choose_turn(const Problem& problem, double parameter, std::vector<double>& x) {
    const Setting setting = problem.at(parameter);
    State other = problem.state(x);
    setting.map->run(other, setting.period / static_cast<double>(problem.steps()),
                     problem.steps() / 2);
    const double here = largest(x), there = largest(other.displacement);
    const auto farthest = std::ranges::max_element(x, {}, [](double u) { return std::fabs(u); });
    const bool alike = std::fabs(here - there) <= 1e-6 * here;
    if (alike ? *farthest < 0.0 : there > here) x = other.displacement;
}

/// An eigenvector of the monodromy in the order of x; that of a band is along the chain.
std::vector<Complex> in_order(const std::vector<Complex>& vector, const Problem& problem,
                              const PeriodMap& map) {
    if (!problem.by_products()) return vector;
    const std::vector<std::size_t>& order = map.along_chain();
    std::vector<Complex> x(vector.size());
    for (std::size_t place = 0; place < order.size(); ++place) {
        x[order[place]] = vector[problem.turns() ? place : 2 * place];
        if (!problem.turns()) x[order.size() + order[place]] = vector[2 * place + 1];
    }
    return x;
}

/// The largest displacement of a bead; of a mass inside a bead if no bead moves but by rounding.
Complex largest_of(const Direction& direction, const PeriodMap& map) {
    Complex of_beads = 0.0, of_all = 0.0;
    for (std::size_t i = 0; i < map.freedoms(); ++i) {
        const Complex u = direction.displacement[i];
        if (std::abs(u) > std::abs(of_all)) of_all = u;
        if (map.body()[i] < map.beads() && std::abs(u) > std::abs(of_beads)) of_beads = u;
    }
    constexpr double rounding = 1e-12;
    return std::abs(of_beads) > rounding * std::abs(of_all) ? of_beads : of_all;
}

/// The changes of the state at the start that belong to the instabilities.
std::vector<Direction> unstable_directions(const Problem& problem, const std::vector<double>& x,
                                           double parameter, const Stability& stability) {
    std::vector<Direction> all;
    const Setting setting = problem.at(parameter);
    const std::size_t n = setting.map->freedoms();
    const double time = problem.units(x, parameter, 1e-30).time;
    for (const Instability& each : stability.instabilities) {
        if (each.vector.empty()) return {};
        const std::vector<Complex> vector = in_order(each.vector, problem, *setting.map);
        Direction direction{
            .displacement = {vector.begin(), vector.begin() + static_cast<std::ptrdiff_t>(n)},
            .velocity = std::vector<Complex>(n)};
        if (!problem.turns()) {
            for (std::size_t i = 0; i < n; ++i)
                direction.velocity[i] = vector[n + i] / time;
        } else {
            // With the monodromy matrix [[A, B], [C, D]]: A u = (mu + 1/mu)/2 u, the same of D and
            // v, because motion may be reversed; so C u = (mu - 1/mu)/2 v.
            State state = problem.state(x);
            Tangent tangent{Matrix(n, 2), Matrix(n, 2)};
            for (std::size_t i = 0; i < n; ++i) {
                tangent.displacement(i, 0) = vector[i].real();
                tangent.displacement(i, 1) = vector[i].imag();
            }
            setting.map->run(state, setting.period / static_cast<double>(problem.steps()),
                             problem.steps(), &tangent);
            const Complex half = 0.5 * (each.multiplier - 1.0 / each.multiplier);
            for (std::size_t i = 0; i < n; ++i)
                direction.velocity[i] =
                    Complex(tangent.velocity(i, 0), tangent.velocity(i, 1)) / half;
        }
        const Complex one = largest_of(direction, *setting.map);
        for (std::vector<Complex>* part : {&direction.displacement, &direction.velocity})
            for (Complex& number : *part)
                number /= one;
        all.push_back(std::move(direction));
    }
    return all;
}

}  // namespace

std::size_t trivial_pairs(const PeriodMap& map) {
    return map.floats() ? 2 : 1;
}

Extent extent_of(const Problem& problem, const std::vector<double>& x, double parameter) {
    const Setting setting = problem.at(parameter);
    State state = problem.state(x);
    double most = 0.0;
    const auto look = [&](const State& now) {
        for (std::size_t i = 0; i < now.displacement.size(); ++i) {
            if (setting.map->body()[i] < setting.map->beads())
                most = std::max(most, std::fabs(now.displacement[i]));
        }
    };
    look(state);
    setting.map->run(state, setting.period / static_cast<double>(problem.steps()), problem.steps(),
                     nullptr, look);
    return {most, setting.map->least_overlap(), setting.map->crossed_jump()};
}

Orbit solve_orbit(const Problem::Family& family, double parameter, std::vector<double> guess,
                  std::int64_t guess_steps, double least, const Accuracy& accuracy,
                  const Search& search) {
    Orbit orbit;
    const bool fixed = accuracy.steps > 0;
    std::int64_t steps = fixed ? accuracy.steps : std::max<std::int64_t>(guess_steps, 512);
    Level level, limit;
    for (;; steps *= 2) {
        const Problem problem(family, parameter, steps, search.cell, search.method);
        std::vector<double> errors;
        Level next{.x = solve(problem, limit.x.empty() ? guess : limit.x, parameter, least, search,
                              errors),
                   .monodromy = {}};
        if (level.x.empty() && problem.turns()) {
            choose_turn(problem, parameter, next.x);
            std::vector<double> again;
            next.x = solve(problem, std::move(next.x), parameter, least, search, again);
        }
        if (level.x.empty()) orbit.newton = errors;
        if (problem.by_products()) {
            next.within = problem.monodromy_within(next.x, parameter);
        } else {
            next.monodromy = problem.monodromy(next.x, parameter);
        }
        Level better = next;
        const bool first = level.x.empty();
        if (!first && !fixed) {
            better.x = extrapolated(level.x, next.x);
            better.monodromy.numbers =
                extrapolated(level.monodromy.numbers, next.monodromy.numbers);
            better.within = extrapolated(level.within, next.within);
        }
        const std::vector<double> scale = problem.scale(problem.units(next.x, parameter, least));
        if (!first) orbit.change = distance(better.x, limit.x, scale);
        level = std::move(next);
        limit = std::move(better);
        orbit.extrapolated = !first && !fixed;
        orbit.steps = steps;
        const bool known = !first && steps > 2 * std::max<std::int64_t>(guess_steps, 512);
        if (fixed || (known && orbit.change <= accuracy.relative) || steps >= most_steps) {
            orbit.periodicity_error = problem.periodicity_error(level.x, parameter);
            const Extent extent = extent_of(problem, limit.x, parameter);
            orbit.amplitude = extent.amplitude;
            orbit.least_overlap = extent.least_overlap;
            orbit.crossed_jump = extent.crossed_jump;
            const Setting setting = family(parameter);
            orbit.state = problem.state(limit.x);
            orbit.frequency = 1.0 / setting.period;
            orbit.energy = setting.map->energy(orbit.state);
            const std::size_t trivial = trivial_pairs(*setting.map);
            orbit.stability = problem.travels() ? stability_of_wave(limit.monodromy)
                              : problem.by_products()
                                  ? stability_within(limit.within, problem.turns(), trivial)
                                  : stability(limit.monodromy, problem.turns(), trivial);
            orbit.unstable = unstable_directions(problem, limit.x, parameter, orbit.stability);
            return orbit;
        }
    }
}

}  // namespace beadwave::orbits

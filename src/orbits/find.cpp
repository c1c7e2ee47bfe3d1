#include "orbits/find.hpp"

#include "beadwave/input_error.hpp"
#include "orbits/find_wave.hpp"
#include "orbits/first_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace beadwave::orbits {
namespace {

constexpr int most_points = 2000;

void end_if(const Stop& stop) {
    if (stop && stop()) throw std::runtime_error("interrupted");
}

/// Follows a curve until its parameter passes `target` for the time number `which`, from 1, or
/// refused(point) is true. Returns a guess of x at the target; none: it was not reached.
template <class Refused>
std::optional<std::vector<double>> follow(const Curve& curve, CurvePoint from, double target,
                                          std::size_t which, const Stop& stop,
                                          const Refused& refused) {
    double length = 0.05;
    for (int points = 0; points < most_points; ++points) {
        end_if(stop);
        std::optional<CurvePoint> next = curve.step(from, length);
        // Another curve, or too sharp a bend.
        if (next && curve.cosine(from, *next) < 0.9) next.reset();
        if (!next) {
            length *= 0.4;
            if (length < 1e-9) return std::nullopt;
            continue;
        }
        const double before = from.parameter - target, after = next->parameter - target;
        if (before * after <= 0.0 && before != after && --which == 0) {
            const double part = before / (before - after);
            return between(from, *next, part);
        }
        // Many beads make a curve longer; nearly straight ones are followed faster.
        const bool straight = curve.problem().by_products() && curve.cosine(from, *next) > 0.998;
        if (next->corrections <= 3) length = std::min(1.4 * length, straight ? 4.0 : 0.25);
        if (next->corrections > 5) length *= 0.6;
        from = std::move(*next);
        if (refused(from)) return std::nullopt;
    }
    return std::nullopt;
}

/// Time from rest at a displaced place to the next turning point along `shape`.
double half_period(PeriodMap& map, const std::vector<double>& u, double guess) {
    State state{u, std::vector<double>(u.size())};
    double time = 0.0, speed = 0.0, found = 0.0;
    const double step = guess / 2000.0;
    map.run(state, step, 40'000, nullptr, [&](const State& now) {
        time += step;
        if (found > 0.0) return;
        double along = 0.0;
        for (std::size_t i = 0; i < u.size(); ++i)
            along -= map.mass(i) * now.velocity[i] * u[i];
        if (speed > 0.0 && along <= 0.0) found = time - step * along / (along - speed);
        speed = along;
    });
    return found;
}

std::vector<double> finish(const Problem& problem, std::vector<double> guess, double parameter,
                           const Search& search, double least) {
    const double before = largest(guess);
    NewtonResult found = newton(problem, std::move(guess), parameter, least);
    if (!found.converged || largest(found.x) < 1e-3 * before) {
        throw InputError(fmt::format(
            "{}: --frequency {:g} Hz: Newton's method does not converge near the orbit of this "
            "frequency; expected a frequency a little higher or lower",
            search.name, search.frequency));
    }
    return found.x;
}

std::vector<double> find_free(const Search& search, const FirstShape& first, std::int64_t steps) {
    const double target = -std::log(search.frequency);
    double parameter = -std::log(first.frequency);
    if (!first.small)
        parameter =
            std::log(2.0 * half_period(*search.map, first.displacement, 1.0 / first.frequency));
    const Problem problem(by_period(search.map), parameter, steps, 0, search.method);
    const Curve curve(problem, 1.0, 0.0);
    CurvePoint guess{.x = first.displacement,
                     .parameter = parameter,
                     .direction = first.displacement,
                     .rate = 0.0};
    const double length = std::sqrt(dot(guess.x, guess.x)) / largest(guess.x);
    for (double& d : guess.direction)
        d /= length;
    std::optional<CurvePoint> start = curve.correct(guess);
    if (!start) {
        throw InputError(
            fmt::format("{}: no periodic orbit near {}; expected another --guess mode:K",
                        search.name, first.what));
    }
    if (!first.small) {
        // A loose family is open at both ends.
        if ((target - start->parameter) * start->rate < 0.0) {
            for (double& d : start->direction)
                d = -d;
            start->rate = -start->rate;
        }
    }
    double least = start->parameter, most = start->parameter;
    const double largest_amplitude = 0.2 * *std::ranges::min_element(search.chain.radius);
    const auto guess_at = follow(curve, std::move(*start), target, search.which, search.stop,
                                 [&](const CurvePoint& point) {
                                     least = std::min(least, point.parameter);
                                     most = std::max(most, point.parameter);
                                     return largest(point.x) > largest_amplitude;
                                 });
    if (!guess_at) {
        throw InputError(fmt::format(
            "{}: --frequency {:g} Hz: the orbits that begin at {} have frequencies from {:.6g} to "
            "{:.6g} Hz{}; expected one of these, or another --guess mode:K",
            search.name, search.frequency, first.what, std::exp(-most), std::exp(-least),
            search.which > 1 ? fmt::format(" and have not this one {} times", search.which) : ""));
    }
    return finish(problem, *guess_at, target, search, 0.0);
}

/// The chain with forces in place of the contacts at the ends of a window, those at rest.
chain::Chain cut(const chain::Chain& chain, const Window& window) {
    chain::Chain piece = chain;
    const auto push = [&](std::size_t contact, std::size_t bead, double sign) {
        const double force = chain.contacts.at(contact).respond(-chain.gap[contact], 0.0, {}).force;
        piece.loads.push_back({bead, sign * force});
        piece.gap[contact] = INFINITY;
    };
    push(window.first, window.first, 1.0);
    push(window.end, window.end - 1, -1.0);
    piece.gap.front() = piece.gap.back() = INFINITY;
    return piece;
}

/// Finds an orbit about the middle of a long chain, where beads farther away hardly move: first of
/// a piece of the chain, then of all.
std::vector<double> find_in_middle(const Search& search, std::int64_t steps) {
    constexpr std::size_t half = 40;
    const std::size_t middle = search.chain.beads() / 2;
    const Window window{middle - half, middle + half + 1};
    Search inner = search;
    inner.map = std::make_shared<PeriodMap>(cut(search.chain, window), search.name, window);
    const std::vector<double> found = find_free(inner, first_shape_of(inner), steps);
    // The orbit presses the beads beside it apart.
    const std::size_t beads = window.end - window.first;
    const double left = 0.5 * (found[0] + found[1]),
                 right = 0.5 * (found[beads - 2] + found[beads - 1]);
    std::vector<double> guess(search.map->freedoms());
    for (std::size_t i = 0; i < guess.size(); ++i)
        guess[i] = i < guess.size() / 2 ? left : right;
    for (std::size_t i = 0, k = 0; i < guess.size() && k < found.size(); ++i)
        if (search.map->body()[i] == inner.map->body()[k]) guess[i] = found[k++];
    const double parameter = -std::log(search.frequency);
    const Problem problem(by_period(search.map), parameter, steps, 0, search.method);
    return finish(problem, std::move(guess), parameter, search, 0.0);
}

std::vector<double> find_free(const Search& search, std::int64_t steps) {
    const Problem problem(by_period(search.map), -std::log(search.frequency), steps, 0,
                          search.method);
    constexpr std::size_t many = 162;
    if (problem.by_products() && search.chain.beads() >= many && !search.mode &&
        search.which == 1) {
        try {
            return find_in_middle(search, steps);
        } catch (const InputError&) {
            // Its orbit fills the chain.
        }
    }
    return find_free(search, first_shape(search), steps);
}

std::vector<double> find_driven(const Search& search, std::int64_t steps) {
    PeriodMap& map = *search.map;
    const double frequency = search.frequency, length = typical_length(search.chain, map);
    const Problem::Family family = [&](double scale) {
        map.set_drive(frequency, scale);
        return Setting{search.map, 1.0 / frequency};
    };
    const auto periods = static_cast<std::int64_t>(search.periods);
    const Problem problem(repeated(family, search.periods), 1.0, periods * steps, 0, search.method);
    std::optional<std::vector<double>> guess;
    if (periods == 1) {
        const Curve curve(problem, 1.0, 0.01 * length);
        std::vector<double> rest(problem.size());
        CurvePoint start = curve.start(rest, 0.0, 1.0);
        const auto lost = [](const CurvePoint& point) { return std::fabs(point.parameter) > 20.0; };
        if (start.rate > 0.0 && std::isfinite(start.rate))
            guess = follow(curve, std::move(start), 1.0, search.which, search.stop, lost);
    }
    if (!guess) {
        // From rest, until the transient has gone.
        State state = map.rest();
        const double step = 1.0 / frequency / static_cast<double>(steps);
        for (int period = 0; period < 300; ++period) {
            end_if(search.stop);
            map.set_drive(frequency, 1.0);
            map.run(state, step, steps);
        }
        guess = numbers_of(state);
    }
    return finish(problem, *guess, 1.0, search, 0.01 * length);
}

/// The displacements of the slowest instant of a period, about their centre of mass if it floats.
std::vector<double> turning_point(const Search& search, std::int64_t steps) {
    PeriodMap& map = *search.map;
    const auto energy = [&](const State& now) {
        double sum = 0.0;
        for (std::size_t i = 0; i < map.freedoms(); ++i)
            sum += map.mass(i) * now.velocity[i] * now.velocity[i];
        return sum;
    };
    State state = *search.near;
    double least = energy(state);
    std::vector<double> u = state.displacement;
    if (least > 0.0) {
        const double step = 1.0 / search.frequency / static_cast<double>(steps);
        map.run(state, step, steps, nullptr, [&](const State& now) {
            if (const double here = energy(now); here < least) {
                least = here;
                u = now.displacement;
            }
        });
    }
    if (!map.floats()) return u;
    double mass = 0.0, centre = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i) {
        mass += map.mass(i);
        centre += map.mass(i) * u[i];
    }
    for (double& x : u)
        x -= centre / mass;
    return u;
}

/// Finds an orbit from a state nearby.
std::vector<double> find_near(const Search& search, std::int64_t steps) {
    PeriodMap& map = *search.map;
    map.set_drive(search.frequency);
    const double parameter = -std::log(search.frequency);
    const Problem problem(repeated(by_period(search.map), search.periods), parameter,
                          static_cast<std::int64_t>(search.periods) * steps, 0, search.method);
    std::vector<double> guess =
        problem.turns() ? turning_point(search, steps) : numbers_of(*search.near);
    const double least =
        map.driven() ? 0.01 * typical_length(search.chain, map) : 1e-9 * search.chain.radius[0];
    return finish(problem, std::move(guess), parameter, search, least);
}

}  // namespace

std::int64_t search_steps(std::size_t freedoms) {
    std::int64_t steps = 256;
    while (steps < 4096 &&
           static_cast<double>(steps) * static_cast<double>(freedoms * freedoms) < 2e5)
        steps *= 2;
    return steps;
}

double typical_length(const chain::Chain& chain, const PeriodMap& map) {
    double length = 0.0;
    for (const double gap : chain.gap)
        if (std::isfinite(gap)) length = std::max(length, std::fabs(gap));
    if (length == 0.0) length = map.largest_drive();
    if (length == 0.0) length = 1e-6 * chain.radius.front();
    return length;
}

Problem::Family by_period(std::shared_ptr<PeriodMap> map) {
    return [map = std::move(map)](double logarithm) { return Setting{map, std::exp(logarithm)}; };
}

std::vector<double> find_orbit(const Search& search, std::int64_t steps) {
    if (search.cell > 0) return find_wave(search);
    if (search.near && (search.map->driven() || !search.map->damped()))
        return find_near(search, steps);
    if (search.map->driven()) return find_driven(search, steps);
    if (search.map->damped()) {
        throw InputError(fmt::format(
            "{}: the chain is damped and nothing drives it, so that it comes to rest; expected a "
            "driven end, drive or load, or no damping",
            search.name));
    }
    return find_free(search, steps);
}

}  // namespace beadwave::orbits

#include "orbits/settle.hpp"

#include "orbits/locate.hpp"
#include "orbits/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace beadwave::orbits {
namespace {

/// The distance of two states over the size of the first, with velocities times period / (2 pi).
double distance(const State& a, const State& b, const SettleRequest& request) {
    const double time = 1.0 / (2.0 * std::numbers::pi * request.frequency);
    const double size =
        std::max({largest(a.displacement), largest(a.velocity) * time, request.least});
    double most = 0.0;
    for (std::size_t i = 0; i < a.displacement.size(); ++i) {
        most = std::max({most, std::fabs(a.displacement[i] - b.displacement[i]),
                         std::fabs(a.velocity[i] - b.velocity[i]) * time});
    }
    return size > 0.0 ? most / size : 0.0;
}

void check(const State& state, const SettleRequest& request) {
    if (request.stop && request.stop()) throw std::runtime_error("interrupted");
    if (!std::isfinite(distance(state, state, request)) || !std::isfinite(largest(state.velocity)))
        throw std::runtime_error("the motion is not finite; more steps per period may help");
}

/// The number of periods after which a state comes back; 0: it does not. `before`: the states
/// before it, the latest first.
///
/// A state on its way to a cycle of fewer periods comes back nearly as well after several of them,
/// if its multipliers are near a root of one, such as -0.9 after two. A true cycle of several
/// periods comes back after these far better than after fewer.
std::size_t cycle_of(const State& state, const std::deque<State>& before,
                     const SettleRequest& request) {
    constexpr double far_better = 1e-3;
    double least = INFINITY;
    for (std::size_t q = 0; q < before.size(); ++q) {
        const double back = distance(state, before[q], request);
        if (back < request.tolerance && back <= far_better * least) return q + 1;
        least = std::min(least, back);
    }
    return 0;
}

/// The largest displacement of a bead during some periods [m], at the end of which the state is.
double amplitude_of(PeriodMap& map, State& state, const SettleRequest& request,
                    std::size_t periods) {
    const double step = 1.0 / request.frequency / static_cast<double>(request.steps);
    double most = 0.0;
    map.run(state, step, request.steps * static_cast<std::int64_t>(periods), nullptr,
            [&](const State& now) {
                for (std::size_t i = 0; i < now.displacement.size(); ++i) {
                    if (map.body()[i] < map.beads())
                        most = std::max(most, std::fabs(now.displacement[i]));
                }
            });
    return most;
}

/// Sets the rate at which a neighbouring state goes away, from the means of eight blocks of time.
void measure_growth(PeriodMap& map, const SettleRequest& request, Settled& settled) {
    constexpr std::size_t blocks = 8;
    constexpr std::int64_t periods = 25, before = 20;
    const std::size_t n = map.freedoms();
    const double period = 1.0 / request.frequency, time = period / (2.0 * std::numbers::pi),
                 step = period / static_cast<double>(request.steps);
    Tangent tangent{Matrix(n, 1), Matrix(n, 1)};
    for (std::size_t i = 0; i < n; ++i)
        tangent.displacement(i, 0) = 1.0 + static_cast<double>(i % 3);  // along no mode
    State state = settled.state;
    const auto grow = [&](std::int64_t count) {
        double sum = 0.0;
        for (std::int64_t k = 0; k < count; ++k) {
            map.run(state, step, request.steps, &tangent);
            check(state, request);
            settled.crossed_jump = settled.crossed_jump || map.crossed_jump();
            double square = 0.0;
            for (std::size_t i = 0; i < n; ++i) {
                square += tangent.displacement(i, 0) * tangent.displacement(i, 0) +
                          time * time * tangent.velocity(i, 0) * tangent.velocity(i, 0);
            }
            const double length = std::sqrt(square);
            sum += std::log(length);
            for (std::size_t i = 0; i < n; ++i) {
                tangent.displacement(i, 0) /= length;
                tangent.velocity(i, 0) /= length;
            }
        }
        return sum / (static_cast<double>(count) * period);
    };
    grow(before);
    std::array<double, blocks> means{};
    double mean = 0.0, square = 0.0;
    for (double& block : means) {
        block = grow(periods);
        mean += block / blocks;
    }
    for (const double block : means)
        square += (block - mean) * (block - mean);
    settled.growth = mean;
    settled.growth_error = std::sqrt(square / (blocks * (blocks - 1)));
}

}  // namespace

bool Settled::chaotic() const {
    return cycle == 0 && !crossed_jump && growth > 3.0 * growth_error && growth > 0.0;
}

Settled settle(PeriodMap& map, State start, const SettleRequest& request) {
    map.set_drive(request.frequency, request.scale);
    const double step = 1.0 / request.frequency / static_cast<double>(request.steps);
    Settled settled{.state = std::move(start)};
    std::deque<State> before;  // the latest first
    // It has settled where it has come back several times in a row.
    constexpr std::size_t enough = 3;
    std::size_t cycle = 0, returns = 0;
    while (settled.periods < request.most_periods) {
        if (settled.periods >= request.transient) {
            before.push_front(settled.state);
            if (before.size() > request.longest_cycle) before.pop_back();
        }
        map.run(settled.state, step, request.steps);
        ++settled.periods;
        check(settled.state, request);
        const std::size_t found = cycle_of(settled.state, before, request);
        returns = found > 0 && found == cycle ? returns + 1 : 1;
        cycle = found;
        if (cycle > 0 && returns >= enough * cycle) {
            settled.cycle = cycle;
            break;
        }
    }
    if (settled.cycle == 0) measure_growth(map, request, settled);
    constexpr std::size_t some = 32;
    State later = settled.state;
    settled.amplitude = amplitude_of(map, later, request, settled.cycle > 0 ? settled.cycle : some);
    return settled;
}

std::string Attractor::text() const {
    return cycle > 0 ? fmt::format("period {}", cycle) : kind;
}

bool Attractors::same(const Attractor& attractor, const Settled& settled,
                      const SettleRequest& request) const {
    if (attractor.cycle != settled.cycle) return false;
    if (settled.cycle == 0)
        return attractor.kind == (settled.chaotic() ? "chaotic" : "not settled");
    if (drives_differ_) return true;
    // A state that comes back within the tolerance is far nearer than this to its attractor, unless
    // it decays by less than a ten-thousandth of itself per period.
    constexpr double near = 1e-3;
    return std::ranges::any_of(attractor.states, [&](const State& state) {
        return distance(state, settled.state, request) < near;
    });
}

Attractor Attractors::made(const Settled& settled, const SettleRequest& request) {
    Attractor made{.kind = settled.cycle > 0   ? "periodic"
                           : settled.chaotic() ? "chaotic"
                                               : "not settled",
                   .cycle = settled.cycle};
    if (settled.cycle == 0 || drives_differ_) return made;
    // The exact orbit of these steps.
    map_.set_drive(request.frequency, request.scale);
    const std::shared_ptr<PeriodMap> map(&map_, [](PeriodMap*) {});
    const auto cycle = static_cast<std::int64_t>(settled.cycle);
    const double period = static_cast<double>(cycle) / request.frequency;
    const Problem problem([&](double) { return Setting{map, period}; }, 0.0, request.steps * cycle);
    State state = settled.state;
    map_.run(state, period / static_cast<double>(request.steps * cycle), request.steps * cycle);
    const bool smooth = !map_.crossed_jump();
    state = settled.state;
    if (smooth) {
        const NewtonResult found = newton(problem, numbers_of(settled.state), 0.0, request.least);
        const State exact = problem.state(found.x);
        if (found.converged && distance(exact, settled.state, request) < 1e-2) {
            state = exact;
            made.stability = stability_at(problem, found.x, 0.0);
            State again = exact;
            made.amplitude = amplitude_of(map_, again, request, settled.cycle);
        }
    }
    const double step = 1.0 / request.frequency / static_cast<double>(request.steps);
    for (std::int64_t k = 0; k < cycle; ++k) {
        made.states.push_back(state);
        map_.run(state, step, request.steps);
    }
    return made;
}

std::size_t Attractors::enter(const Settled& settled, const SettleRequest& request) {
    std::size_t k = 0;
    while (k < all_.size() && !same(all_[k], settled, request))
        ++k;
    if (k == all_.size()) all_.push_back(made(settled, request));
    if (!all_[k].stability) all_[k].amplitude = std::max(all_[k].amplitude, settled.amplitude);
    all_[k].crossed_jump = all_[k].crossed_jump || settled.crossed_jump;
    ++all_[k].count;
    return k;
}

}  // namespace beadwave::orbits

#include "orbits/find_wave.hpp"

#include "beadwave/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace beadwave::orbits {
namespace {

constexpr std::size_t fewest_cells = 16;
constexpr std::int64_t steps_per_period = 400;  // of a guess

[[noreturn]] void refuse(const Search& search, const std::string& what) {
    throw InputError(fmt::format("{}: --travelling {}: {}", search.name, search.cell, what));
}

void check(const Search& search) {
    const chain::Chain& chain = search.chain;
    const PeriodMap& map = *search.map;
    const std::size_t beads = chain.beads(), cell = search.cell;
    if (map.driven() || map.damped())
        refuse(search, "a wave keeps its shape only without drives and losses; expected none");
    if (map.freedoms() != beads)
        refuse(search, "expected beads that can all move, and no masses inside them");
    if (beads < fewest_cells * cell) {
        refuse(search, fmt::format("the chain has {} beads; expected {} cells or more, {} beads",
                                   beads, fewest_cells, fewest_cells * cell));
    }
    const auto alike = [](double a, double b) { return std::fabs(a - b) <= 1e-9 * std::fabs(a); };
    for (std::size_t i = cell; i < beads; ++i) {
        const std::size_t before = i - cell;
        const bool inside = before > 0;  // contact 0 is that with the left end
        if (alike(chain.mass[i], chain.mass[before]) &&
            alike(chain.radius[i], chain.radius[before]) &&
            chain.species[i] == chain.species[before] &&
            (!inside || alike(chain.gap[i], chain.gap[before])))
            continue;
        refuse(search, fmt::format("bead {} or its contact differs from bead {}, one cell before; "
                                   "expected equal cells",
                                   i, before));
    }
}

/// The pulse of a struck end, when the contact in the middle is at its deepest.
struct Pulse {
    State state{};
    double frequency = std::numeric_limits<double>::infinity();  ///< cells per second
};

/// `speed`: of the first cell [m/s]. An infinite frequency: too fast for these steps.
Pulse strike(const Search& search, double speed) {
    PeriodMap& map = *search.map;
    const std::size_t middle = map.freedoms() / 2, cell = search.cell;
    constexpr std::size_t cells_timed = 2;
    const std::array<std::size_t, 2> contact{middle - cells_timed * cell, middle};
    std::array<double, 2> rate{}, fastest{}, passed{};
    State state = map.rest();
    std::fill_n(state.velocity.begin(), cell, speed);
    const double step = 1.0 / search.frequency / static_cast<double>(steps_per_period);
    Pulse pulse;
    double time = 0.0;
    const auto look = [&](const State& now) {
        time += step;
        for (std::size_t k = 0; k < 2; ++k) {
            if (passed[k] > 0.0) continue;
            const double next = now.velocity[contact[k] - 1] - now.velocity[contact[k]];
            if (fastest[k] > 1e-3 * speed && next <= 0.0) {
                passed[k] = time - step * next / (next - rate[k]);
                if (k == 1) pulse.state = now;
            }
            fastest[k] = std::max(fastest[k], next);
            rate[k] = next;
        }
    };
    // A slow pulse gets as long as ten times the period for each bead.
    for (std::size_t period = 0; period < 10 * map.freedoms() && passed[1] == 0.0; ++period) {
        if (search.stop && search.stop()) throw std::runtime_error("interrupted");
        map.run(state, step, steps_per_period, nullptr, look);
        if (!std::isfinite(state.velocity[0])) return pulse;
    }
    if (passed[1] == 0.0) {
        pulse.frequency = 0.0;
    } else if (passed[1] > passed[0]) {
        pulse.frequency = static_cast<double>(cells_timed) / (passed[1] - passed[0]);
    }
    return pulse;
}

/// The pulse of the end that is struck as hard as the frequency needs.
State struck(const Search& search) {
    const double wave_speed = speed_of_wave(search);
    constexpr double least = 1e-9, most = 0.5;  // of the wave's speed
    double low = 0.0, high = 0.0, speed = 1e-2 * wave_speed;
    Pulse pulse;
    for (int guess = 0; guess < 200; ++guess) {
        pulse = strike(search, speed);
        if (std::fabs(pulse.frequency / search.frequency - 1.0) < 1e-3) break;
        (pulse.frequency < search.frequency ? low : high) = speed;
        if (low > 0.0 && high > 0.0) {
            if (high < low * (1.0 + 1e-12)) break;
            speed = std::sqrt(low * high);
        } else {
            speed *= low > 0.0 ? 2.0 : 0.5;
        }
        if (speed < least * wave_speed) {
            refuse(search, fmt::format("no wave is as slow as {:.6g} cells per second, {:.6g} m/s: "
                                       "the weakest pulse passes {:.6g}; expected a higher "
                                       "--frequency",
                                       search.frequency, wave_speed, pulse.frequency));
        }
        if (speed > most * wave_speed) {
            refuse(search, fmt::format("a wave of {:.6g} m/s needs beads that are half as fast; "
                                       "expected a lower --frequency",
                                       wave_speed));
        }
    }
    if (pulse.state.velocity.empty())
        refuse(search, "the struck end makes no pulse; expected --guess history:FILE");
    return pulse.state;
}

/// Moves a state by whole cells until its deepest contact is in the middle.
State in_the_middle(const State& given, std::size_t cell) {
    const std::size_t n = given.velocity.size();
    const std::vector<double>& u = given.displacement;
    std::size_t deepest = 1;
    for (std::size_t i = 1; i < n; ++i) {
        if (u[i - 1] - u[i] > u[deepest - 1] - u[deepest]) deepest = i;
    }
    const auto cells = (static_cast<std::ptrdiff_t>(n / 2) - static_cast<std::ptrdiff_t>(deepest)) /
                       static_cast<std::ptrdiff_t>(cell);
    const std::ptrdiff_t by = cells * static_cast<std::ptrdiff_t>(cell);
    State moved{std::vector<double>(n), std::vector<double>(n)};
    for (std::size_t i = 0; i < n; ++i) {
        const std::ptrdiff_t from = static_cast<std::ptrdiff_t>(i) - by;
        if (from >= static_cast<std::ptrdiff_t>(n)) continue;
        const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(from, 0));
        moved.displacement[i] = given.displacement[at];
        moved.velocity[i] = from < 0 ? 0.0 : given.velocity[at];
    }
    return moved;
}

/// Brings the beads to rest that are before the pulse in the middle, and those that it has passed.
void cut_free(State& state) {
    std::vector<double>&u = state.displacement, &v = state.velocity;
    const double fastest = *std::ranges::max_element(v);
    std::size_t behind = v.size() / 2, before = behind;
    while (behind > 0 && v[behind] > 1e-4 * fastest)
        --behind;
    while (before + 1 < v.size() && v[before] > 1e-6 * fastest)
        ++before;
    std::fill_n(u.begin(), behind, u[behind]);
    std::fill_n(v.begin(), behind + 1, 0.0);
    std::fill(u.begin() + static_cast<std::ptrdiff_t>(before), u.end(), 0.0);
    std::fill(v.begin() + static_cast<std::ptrdiff_t>(before), v.end(), 0.0);
}

}  // namespace

std::vector<double> find_wave(const Search& search) {
    check(search);
    State state = search.near ? in_the_middle(*search.near, search.cell) : struck(search);
    cut_free(state);
    return numbers_of(state);
}

double speed_of_wave(const Search& search) {
    const std::vector<double> places = search.chain.positions();
    return (places[search.cell] - places[0]) * search.frequency;
}

double sound_of_cells(const Setting& setting, std::size_t cell) {
    // After one step of length h from rest, a bead whose neighbour starts displaced by 1 m has the
    // velocity h k / m, but for terms of h^3.
    const double step = 1e-4 * setting.period;
    PeriodMap& map = *setting.map;
    const std::size_t n = map.freedoms(), first = n / 2 - 1;
    Tangent tangent{Matrix(n, cell), Matrix(n, cell)};
    for (std::size_t c = 0; c < cell; ++c)
        tangent.displacement(first + c + 1, c) = 1.0;
    State state = map.rest();
    map.run(state, step, 1, &tangent);
    double mass = 0.0, compliance = 0.0;
    for (std::size_t c = 0; c < cell; ++c) {
        const double stiffness = map.mass(first + c) * tangent.velocity(first + c, c) / step;
        if (!(stiffness > 0.0)) return 0.0;
        mass += map.mass(first + c);
        compliance += 1.0 / stiffness;
    }
    return 1.0 / std::sqrt(mass * compliance);
}

double tail_of_wave(const State& state, std::size_t cell) {
    const std::vector<double>& v = state.velocity;
    double tail = 0.0;
    for (std::size_t i = 0; i < cell; ++i)
        tail = std::max({tail, std::fabs(v[i]), std::fabs(v[v.size() - 1 - i])});
    return tail / largest(v);
}

}  // namespace beadwave::orbits

#include "orbits/section.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace beadwave::orbits {
namespace {

void check(const State& state, const SectionRequest& request) {
    if (request.stop && request.stop()) throw std::runtime_error("interrupted");
    if (!std::isfinite(largest(state.displacement) + largest(state.velocity)))
        throw std::runtime_error("the motion is not finite; a shorter time step may help");
}

void add(Section& to, const State& state, double time, const SectionRequest& request) {
    to.displacement.push_back(state.displacement[request.freedom]);
    to.velocity.push_back(state.velocity[request.freedom]);
    to.time.push_back(time);
}

Section stroboscopic(PeriodMap& map, State state, const SectionRequest& request) {
    Section section;
    const double period = request.time_step * static_cast<double>(request.steps);
    for (std::int64_t k = 0; k < request.transient + request.points; ++k) {
        if (k >= request.transient) add(section, state, static_cast<double>(k) * period, request);
        map.run(state, request.time_step, request.steps);
        check(state, request);
    }
    return section;
}

/// The state where the velocity is zero, by a step shorter than one (Henon, Physica D 5, 1982),
/// and the length of this step.
std::pair<State, double> at_crossing(PeriodMap& map, const State& before, double after,
                                     const SectionRequest& request) {
    const std::size_t own = request.crossing;
    double low = 0.0, high = request.time_step, f_low = before.velocity[own], f_high = after;
    std::pair<State, double> found{before, 0.0};
    for (int k = 0; k < 60 && high - low > 1e-14 * request.time_step; ++k) {
        double part = high - f_high * (high - low) / (f_high - f_low);
        if (!(part > low && part < high)) part = 0.5 * (low + high);
        found = {before, part};
        map.run(found.first, part, 1);
        const double f = found.first.velocity[own];
        if (std::fabs(f) < 1e-15 * std::fabs(before.velocity[own] - after)) break;
        // Halves at the end that stays (Illinois).
        if (f > 0.0) {
            low = part;
            f_low = f;
            f_high *= 0.5;
        } else {
            high = part;
            f_high = f;
            f_low *= 0.5;
        }
    }
    return found;
}

Section at_crossings(PeriodMap& map, PeriodMap& other, State state, const SectionRequest& request) {
    constexpr std::int64_t block = 4096, longest = 1'000'000;
    Section section;
    std::int64_t done = 0, since = 0, met = 0;
    State before = state;
    while (met < request.transient + request.points) {
        map.run(state, request.time_step, block, nullptr, [&](const State& now) {
            const double was = before.velocity[request.crossing],
                         is = now.velocity[request.crossing];
            if (was > 0.0 && is <= 0.0 && met < request.transient + request.points) {
                if (met++ >= request.transient) {
                    const auto [there, part] = at_crossing(other, before, is, request);
                    add(section, there, static_cast<double>(done) * request.time_step + part,
                        request);
                }
                since = 0;
            }
            before = now;
            ++done;
            ++since;
        });
        check(state, request);
        if (since > longest)
            throw std::runtime_error(
                "the velocity of the section's bead does not pass zero in a million steps");
    }
    return section;
}

}  // namespace

Section section(PeriodMap& map, PeriodMap& other, State start, const SectionRequest& request) {
    return request.steps > 0 ? stroboscopic(map, std::move(start), request)
                             : at_crossings(map, other, std::move(start), request);
}

}  // namespace beadwave::orbits

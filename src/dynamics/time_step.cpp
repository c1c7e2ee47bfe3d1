#include "beadwave/dynamics/time_step.hpp"

#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <stdexcept>

namespace beadwave::dynamics {
namespace {

struct Extremes {
    double least_mass = std::numeric_limits<double>::infinity();
    double greatest_mass = 0.0;
    double slowest = std::numeric_limits<double>::infinity();
    double fastest = -std::numeric_limits<double>::infinity();
    double kinetic = 0.0;
};

Extremes extremes_of(const chain::Chain& chain) {
    Extremes x;
    for (std::size_t i = 0; i < chain.beads(); ++i) {
        if (!chain.is_fixed(i)) {
            x.least_mass = std::min(x.least_mass, chain.mass[i]);
            x.greatest_mass = std::max(x.greatest_mass, chain.mass[i]);
        }
        x.slowest = std::min(x.slowest, chain.velocity[i]);
        x.fastest = std::max(x.fastest, chain.velocity[i]);
        x.kinetic += 0.5 * chain.mass[i] * chain.velocity[i] * chain.velocity[i];
    }
    return x;
}

bool touches(const chain::Chain& chain, std::size_t c) {
    return chain.effective_mass(c) > 0.0;
}

/// Elastic energy of the most compressed contact at the start, at most [J].
double largest_stored(const chain::Chain& chain) {
    double largest = 0.0;
    for (std::size_t c = 0; c <= chain.beads(); ++c) {
        if (!touches(chain, c) || !(chain.gap[c] < 0.0)) continue;
        const double overlap = -chain.gap[c];
        largest =
            std::max(largest, laws::first_loading_force(chain.contacts.at(c), overlap) * overlap);
    }
    return largest;
}

/// The fastest that a driven end moves [m/s].
double drive_speed(const chain::Chain& chain) {
    double fastest = 0.0;
    for (const auto* drive : {&chain.left_drive, &chain.right_drive}) {
        if (*drive) fastest = std::max(fastest, (*drive)->largest_speed());
    }
    return fastest;
}

/// A light bead behind heavy ones can be thrown forward at up to sqrt(m_max/m_min) times their
/// speed; no pair can approach with more energy than there is.
double largest_speed(const chain::Chain& chain, bool settled) {
    const Extremes x = extremes_of(chain);
    const bool still_body = chain.left_fixed || chain.right_fixed ||
                            std::isfinite(chain.gap.front()) || std::isfinite(chain.gap.back());
    double spread = x.fastest - x.slowest;
    if (still_body) spread = std::max({spread, std::abs(x.fastest), std::abs(x.slowest)});

    // A wall throws a bead that meets it at twice its own speed, and gives the chain what energy it
    // takes.
    const double driven = drive_speed(chain);
    spread += 2.0 * driven;
    const double thrown = spread * std::sqrt(x.greatest_mass / x.least_mass);
    const double by_energy = driven > 0.0 ? thrown : std::sqrt(4.0 * x.kinetic / x.least_mass);
    const double released = std::sqrt(2.0 * largest_stored(chain) / x.least_mass);
    // Under gravity beads fall through the gaps; unsettled, through what the contacts give way too,
    // far less than a thousandth of the chain's length.
    const std::int64_t last[] = {static_cast<std::int64_t>(chain.beads()) - 1};
    double fallen =
        settled ? 0.0 : 1e-3 * (chain.positions(last).front() + 2.0 * chain.radius.front());
    for (std::size_t c = 0; c <= chain.beads(); ++c) {
        if (std::isfinite(chain.gap[c])) fallen += std::max(0.0, chain.gap[c]);
    }
    const double falling = std::sqrt(2.0 * chain.gravity * fallen);
    return std::max(std::min(thrown, by_energy), released) + falling;
}

/// Largest slope of the force at an overlap, on the loading or the unloading path [N/m].
double stiffness_at(const laws::AnyLaw& law, double overlap) {
    return std::visit(
        [&](const auto& l) {
            constexpr double part = 1e-4;
            const auto [force, memory] = l.respond(overlap, 0.0, {});
            const double below = overlap * (1.0 - part);
            const double loading = force - l.respond(below, 0.0, {}).force;
            const double unloading = force - l.respond(below, 0.0, memory).force;
            return std::max(loading, unloading) / (overlap * part);
        },
        law);
}

/// Largest damping coefficient dF/d(delta_dot) [N s/m] of a contact compressed to `overlap` that
/// closed as slowly as can be.
double damping_at(const laws::AnyLaw& law, double overlap, double speed) {
    return std::visit(
        [&](const auto& l) {
            auto memory = l.respond(std::numeric_limits<double>::min(), 0.0, {}).memory;
            memory = l.respond(overlap, 0.0, memory).memory;
            const double closing = l.respond(overlap, speed, memory).force;
            return (closing - l.respond(overlap, 0.0, memory).force) / speed;
        },
        law);
}

struct Shortest {
    double duration = std::numeric_limits<double>::infinity();  ///< [s]
    double damped = std::numeric_limits<double>::infinity();    ///< shortest damping time m/c [s]
    double stable = std::numeric_limits<double>::infinity();    ///< longest stable step [s]
};

struct Hit {
    std::size_t contact;
    laws::ContactTimes times;
};

/// The contact of the highest force per overlap and mass at a common overlap, closing at `speed`.
std::optional<Hit> stiffest_hit(const chain::Chain& chain, double speed) {
    std::optional<Hit> first;
    std::size_t stiffest = chain.beads() + 1;
    double highest = 0.0;
    for (std::size_t c = 0; c <= chain.beads(); ++c) {
        if (!touches(chain, c)) continue;
        const laws::AnyLaw law = chain.contacts.at(c);
        if (!first) first = Hit{c, laws::contact_times(law, chain.effective_mass(c), speed)};
        const double rate =
            laws::first_loading_force(law, first->times.max_overlap) / chain.effective_mass(c);
        if (rate > highest) {
            highest = rate;
            stiffest = c;
        }
    }
    if (stiffest > chain.beads()) return std::nullopt;
    if (stiffest == first->contact) return first;
    return Hit{stiffest, laws::contact_times(chain.contacts.at(stiffest),
                                             chain.effective_mass(stiffest), speed)};
}

Shortest shortest_contact(const chain::Chain& chain, double speed) {
    Shortest shortest;
    const auto vibration = [&](const laws::AnyLaw& law, double mass, double overlap) {
        return std::sqrt(mass / stiffness_at(law, overlap));  // 1 / omega of the pair [s]
    };
    // A bead squeezed from both sides vibrates sqrt(2) times faster than a pair, where Verlet needs
    // omega dt < 2, and is damped twice as fast, where the predicted velocity needs (c/m) dt < 1.
    constexpr double verlet_limit = std::numbers::sqrt2;
    constexpr double damping_limit = 0.5;
    const auto damp = [&](const laws::AnyLaw& law, double mass, double overlap) {
        const double coefficient = damping_at(law, overlap, std::max(speed, 1e-6));
        if (!(coefficient > 0.0)) return;
        shortest.damped = std::min(shortest.damped, mass / coefficient);
        shortest.stable = std::min(shortest.stable, damping_limit * mass / coefficient);
    };
    if (speed > 0.0) {
        if (const auto hit = stiffest_hit(chain, speed)) {
            const auto& [max_overlap, duration, compression_time] = hit->times;
            const laws::AnyLaw law = chain.contacts.at(hit->contact);
            const double mass = chain.effective_mass(hit->contact);
            const double restitution_time = duration - compression_time;
            shortest.duration = 2.0 * std::min(compression_time, restitution_time);
            shortest.stable = verlet_limit * vibration(law, mass, max_overlap);
            damp(law, mass, max_overlap);
        }
    }
    for (std::size_t c = 0; c <= chain.beads(); ++c) {
        if (!touches(chain, c) || !(chain.gap[c] < 0.0)) continue;
        const laws::AnyLaw law = chain.contacts.at(c);
        const double time = vibration(law, chain.effective_mass(c), -chain.gap[c]);
        damp(law, chain.effective_mass(c), -chain.gap[c]);
        shortest.duration = std::min(shortest.duration, std::numbers::pi * time);
        shortest.stable = std::min(shortest.stable, verlet_limit * time);
    }
    return shortest;
}

/// The shortest period of a driven end [s], and the key that sets it.
struct Drive {
    double period = std::numeric_limits<double>::infinity();
    const char* key = "";
};

Drive fastest_drive(const chain::Chain& chain) {
    Drive fastest;
    const auto see = [&](const std::optional<chain::Drive>& drive, const char* key) {
        if (drive && drive->period() < fastest.period) fastest = {drive->period(), key};
    };
    see(chain.left_drive, "boundary.left.frequency");
    see(chain.right_drive, "boundary.right.frequency");
    return fastest;
}

/// A chosen step divides the sampling interval, so that samples fall on steps.
double fitted_step(double longest, double interval) {
    return interval / std::ceil(interval / longest);
}

}  // namespace

TimeStep choose_time_step(const chain::Scenario& scenario, const chain::Chain& chain) {
    const double speed = largest_speed(chain, scenario.gravity && scenario.gravity->equilibrium);
    const Shortest shortest = [&] {
        try {
            return shortest_contact(chain, speed);
        } catch (const std::runtime_error& error) {
            throw std::runtime_error(fmt::format("{}: at {:g} m/s, the largest speed here, {}",
                                                 scenario.origin.of("law.name"), speed,
                                                 error.what()));
        }
    }();
    const bool known = std::isfinite(shortest.duration);
    const Drive drive = fastest_drive(chain);
    const double accurate =
        std::min({shortest.duration / steps_per_contact, shortest.damped / steps_per_damping_time,
                  drive.period / steps_per_period});
    TimeStep choice{.step = 0.0,
                    .count = 0,
                    .shortest_contact = known ? shortest.duration : 0.0,
                    .largest_speed = speed};

    if (scenario.time.step) {
        choice.step = *scenario.time.step;
        if (known && choice.step >= shortest.stable) {
            scenario.origin.fail(
                "time.step",
                fmt::format("cannot be stable: the stiffest contact lasts {:.3g} s and needs steps "
                            "below {:.3g} s; {:.1g} s is accurate",
                            shortest.duration, shortest.stable, accurate));
        }
        if (choice.step > drive.period / fewest_steps_per_period) {
            scenario.origin.fail(
                "time.step",
                fmt::format(
                    "too long for {}, whose period is {:.3g} s; expected at most {:.3g} s, a "
                    "twentieth of it",
                    drive.key, drive.period, drive.period / fewest_steps_per_period));
        }
    } else {
        if (!known) {
            scenario.origin.fail(
                "time.step",
                "missing, and nothing to choose it from: no bead moves and none is compressed; "
                "expected a segment.velocity or a time.step in s");
        }
        const bool sampled = scenario.sensors && scenario.sensors->interval;
        const double interval =
            sampled ? std::min(*scenario.sensors->interval, scenario.time.end) : scenario.time.end;
        choice.step = fitted_step(accurate, interval);
    }
    const double count = scenario.time.end / choice.step;
    constexpr double most_steps = 9e15;  // beyond it a step number no longer fits a double
    if (!(count < most_steps)) {
        scenario.origin.fail(
            "time.step", fmt::format("needs {:.2g} steps to reach {:g} s; expected fewer than {:g}",
                                     count, scenario.time.end, most_steps));
    }
    choice.count =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(count * (1.0 - 1e-12))));
    return choice;
}

}  // namespace beadwave::dynamics

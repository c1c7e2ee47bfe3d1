#include "beadwave/dynamics/time_step.hpp"

#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

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
/// closed as slowly as can be: the mean up to `speed`; where damping is steeper at higher speeds,
/// its slope at twice that, with which a bead that rebounds meets the next.
double damping_at(const laws::AnyLaw& law, double overlap, double speed) {
    return std::visit(
        [&](const auto& l) {
            auto memory = l.respond(std::numeric_limits<double>::min(), 0.0, {}).memory;
            memory = l.respond(overlap, 0.0, memory).memory;
            const auto force = [&](double v) { return l.respond(overlap, v, memory).force; };
            const double mean = (force(speed) - force(0.0)) / speed;
            constexpr double part = 1e-3;
            const double slope =
                (force(2.0 * speed) - force(2.0 * speed * (1.0 - part))) / (2.0 * speed * part);
            return slope > 1.01 * mean ? slope : mean;
        },
        law);
}

struct Shortest {
    double duration = std::numeric_limits<double>::infinity();  ///< [s]
    double damped = std::numeric_limits<double>::infinity();    ///< shortest damping time m/c [s]
    /// The same of contacts whose force jumps to its damping when they close: what is missed of the
    /// step in which one closes is missed of the largest force [s].
    double jumping = std::numeric_limits<double>::infinity();
    double rising = std::numeric_limits<double>::infinity();  ///< shortest rise_time() [s]
    double stable = std::numeric_limits<double>::infinity();  ///< longest stable step [s]

    // A bead squeezed from both sides vibrates sqrt(2) times faster than a pair, where Verlet needs
    // omega dt < 2, and is damped twice as fast, where the predicted velocity needs (c/m) dt < 1.

    /// 1 / omega of a pair [s].
    void vibrates(double time) { stable = std::min(stable, std::numbers::sqrt2 * time); }
    /// m / c of a pair [s].
    void damps(double time) {
        damped = std::min(damped, time);
        stable = std::min(stable, 0.5 * time);
    }
};

/// Where there are more kinds of contact than this, only those collide that are likely to be the
/// shortest.
constexpr std::size_t most_collisions = 64;

/// The kinds of the highest force per overlap and mass at a common overlap [m].
std::vector<std::size_t> stiffest_kinds(const chain::Contacts& contacts, double overlap) {
    std::vector<std::pair<double, std::size_t>> rates;
    for (std::size_t kind = 0; kind < contacts.kind_count(); ++kind) {
        const double mass = contacts.kind_mass(kind);
        if (mass > 0.0)
            rates.emplace_back(-laws::first_loading_force(contacts.law(kind), overlap) / mass,
                               kind);
    }
    const std::size_t kept = std::min(rates.size(), most_collisions);
    std::ranges::partial_sort(rates, rates.begin() + static_cast<std::ptrdiff_t>(kept));
    std::vector<std::size_t> kinds;
    for (std::size_t i = 0; i < kept; ++i)
        kinds.push_back(rates[i].second);
    return kinds;
}

/// Damping at an overlap [m], of a contact that closed as slowly as can be.
void note_damping(Shortest& shortest, const laws::AnyLaw& law, double mass, double overlap,
                  double speed) {
    const double coefficient = damping_at(law, overlap, std::max(speed, 1e-6));
    if (!(coefficient > 0.0)) return;
    shortest.damps(mass / coefficient);
    const double at_closing = damping_at(law, 1e-6 * overlap, std::max(speed, 1e-6));
    if (at_closing > 0.1 * coefficient)
        shortest.jumping = std::min(shortest.jumping, mass / at_closing);
}

/// The shortest time in which the force of a contact closing at a steady speed would rise by all
/// that it has up to an overlap; a jump is none. [s]
double rise_time(const laws::AnyLaw& law, double overlap, double speed) {
    const auto force = std::visit(
        [&](const auto& l) -> std::function<double(double)> {
            const auto memory = l.respond(std::numeric_limits<double>::min(), speed, {}).memory;
            return [=](double x) { return l.respond(x, speed, memory).force; };
        },
        law);
    double largest = 0.0, steepest = 0.0;
    double x = 1e-3 * overlap, before = force(x);
    constexpr double ratio = 1.05;
    for (; x < overlap; x *= ratio) {
        const double after = force(ratio * x);
        largest = std::max(largest, std::abs(after));
        // Where the steeper half keeps all of the rise, halving after halving, the law jumps.
        double low = x, high = ratio * x, at_low = before, at_high = after;
        if (std::abs(at_high - at_low) > steepest * (high - low)) {
            for (int halving = 0; halving < 8; ++halving) {
                const double middle = 0.5 * (low + high), at_middle = force(middle);
                const bool left = std::abs(at_middle - at_low) > std::abs(at_high - at_middle);
                (left ? high : low) = middle;
                (left ? at_high : at_low) = at_middle;
            }
            const bool jumps = std::abs(at_high - at_low) > 0.1 * std::abs(after - before);
            if (!jumps) steepest = std::max(steepest, std::abs(at_high - at_low) / (high - low));
        }
        before = after;
    }
    return steepest > 0.0 ? largest / (steepest * speed) : std::numeric_limits<double>::infinity();
}

/// How a contact meets `speed`; returns its largest overlap [m].
double note_collision(Shortest& shortest, const laws::AnyLaw& law, double mass, double speed) {
    double overlap = 0.0;
    try {
        const laws::ContactTimes times = laws::contact_times(law, mass, speed);
        overlap = times.max_overlap;
        // Where next to nothing is given back, how long that takes does not matter.
        constexpr double nothing = 0.01;
        const double restitution_time = times.restitution < nothing
                                            ? times.compression_time
                                            : times.duration - times.compression_time;
        shortest.duration =
            std::min(shortest.duration, 2.0 * std::min(times.compression_time, restitution_time));
    } catch (const std::runtime_error&) {
        // Overdamped, it does not separate: half a period of its spring, at an overlap that stores
        // the energy of the collision.
        overlap =
            laws::stopping_overlap([&](double at) { return laws::first_loading_force(law, at); },
                                   0.5 * mass * speed * speed);
        const double time = std::sqrt(mass / stiffness_at(law, overlap));
        shortest.duration = std::min(shortest.duration, std::numbers::pi * time);
    }
    shortest.vibrates(std::sqrt(mass / stiffness_at(law, overlap)));
    note_damping(shortest, law, mass, overlap, speed);
    shortest.rising = std::min(shortest.rising, rise_time(law, overlap, speed));
    return overlap;
}

Shortest shortest_contact(const chain::Chain& chain, double speed) {
    Shortest shortest;
    const chain::Contacts& contacts = chain.contacts;
    const auto can_touch = [&](std::size_t kind) { return contacts.kind_mass(kind) > 0.0; };
    std::size_t first = 0;
    while (first < contacts.kind_count() && !can_touch(first))
        ++first;
    if (speed > 0.0 && first < contacts.kind_count()) {
        // At an overlap of the collisions all kinds are held against each other.
        const double common =
            note_collision(shortest, contacts.law(first), contacts.kind_mass(first), speed);
        for (const std::size_t kind : stiffest_kinds(contacts, common)) {
            if (kind != first)
                note_collision(shortest, contacts.law(kind), contacts.kind_mass(kind), speed);
        }
        for (std::size_t kind = 0; kind < contacts.kind_count(); ++kind) {
            if (can_touch(kind))
                note_damping(shortest, contacts.law(kind), contacts.kind_mass(kind), common, speed);
        }
    }
    for (std::size_t c = 0; c <= chain.beads(); ++c) {
        if (!touches(chain, c) || !(chain.gap[c] < 0.0)) continue;
        const laws::AnyLaw law = chain.contacts.at(c);
        const double mass = contacts.effective_mass(c);
        const double time = std::sqrt(mass / stiffness_at(law, -chain.gap[c]));
        shortest.duration = std::min(shortest.duration, std::numbers::pi * time);
        shortest.vibrates(time);
        note_damping(shortest, law, mass, -chain.gap[c], speed);
    }
    return shortest;
}

/// The shortest period of a driven end [s], and which end it is.
struct DrivePeriod {
    double period = std::numeric_limits<double>::infinity();
    const char* end = "";
};

DrivePeriod shortest_period(const chain::Chain& chain) {
    DrivePeriod shortest;
    const auto see = [&](const std::optional<chain::Drive>& drive, const char* end) {
        if (drive && drive->period() < shortest.period) shortest = {drive->period(), end};
    };
    see(chain.left_drive, "left");
    see(chain.right_drive, "right");
    return shortest;
}

/// A chosen step divides the sampling interval, so that samples fall on steps.
double fitted_step(double longest, double interval) {
    return interval / std::ceil(interval / longest);
}

std::int64_t steps_to(double end, double step) {
    const double count = end / step;
    constexpr double most_steps = 9e15;  // beyond it a step number no longer fits a double
    if (!(count < most_steps)) {
        throw StepError(fmt::format("needs {:.2g} steps to reach {:g} s; expected fewer than {:g}",
                                    count, end, most_steps));
    }
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(count * (1.0 - 1e-12))));
}

}  // namespace

TimeStep choose_time_step(const chain::Chain& chain, const StepRequest& request) {
    const double speed = largest_speed(chain, request.settled);
    const Shortest shortest = shortest_contact(chain, speed);
    const bool known = std::isfinite(shortest.duration);
    const auto [period, driven] = shortest_period(chain);
    const double accurate =
        std::min({shortest.duration / steps_per_contact, shortest.damped / steps_per_damping_time,
                  shortest.jumping / steps_per_jump, shortest.rising / steps_per_rise,
                  period / steps_per_period});
    TimeStep choice{.step = 0.0,
                    .count = 0,
                    .shortest_contact = known ? shortest.duration : 0.0,
                    .largest_speed = speed,
                    .given = request.step.has_value()};

    if (request.step) {
        choice.step = *request.step;
        if (known && choice.step >= shortest.stable) {
            throw StepError(
                fmt::format("cannot be stable: the stiffest contact lasts {:.3g} s and needs steps "
                            "below {:.3g} s; {:.1g} s is accurate",
                            shortest.duration, shortest.stable, accurate));
        }
        if (choice.step > period / fewest_steps_per_period) {
            throw StepError(fmt::format(
                "too long for the driven {} end, whose period is {:.3g} s; expected at most {:.3g} "
                "s, a twentieth of it",
                driven, period, period / fewest_steps_per_period));
        }
    } else {
        if (!known) {
            throw StepError(
                "missing, and nothing to choose it from: no bead moves and none is compressed; "
                "expected a segment.velocity or a time.step in s");
        }
        choice.step = fitted_step(accurate, request.interval);
    }
    choice.count = steps_to(request.end, choice.step);
    return choice;
}

TimeStep shortened(const TimeStep& step, double longest, const StepRequest& request) {
    return with_step(step, fitted_step(std::min(longest, step.step), request.interval), request);
}

TimeStep with_step(const TimeStep& step, double exactly, const StepRequest& request) {
    TimeStep other = step;
    other.step = exactly;
    other.count = steps_to(request.end, exactly);
    return other;
}

}  // namespace beadwave::dynamics

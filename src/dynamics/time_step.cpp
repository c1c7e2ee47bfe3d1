#include "beadwave/dynamics/time_step.hpp"

#include "beadwave/laws/contact.hpp"
#include "chain/prefix_sums.hpp"
#include "dynamics/load_speed.hpp"
#include "dynamics/pair_approach.hpp"
#include "dynamics/stiffest_kinds.hpp"
#include "dynamics/whole_chain.hpp"
#include "ranks/communicator.hpp"
#include "stepping/light_speed.hpp"
#include "stepping/shortest_contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <stdexcept>

namespace beadwave::dynamics {

using namespace stepping;

namespace {

struct Extremes {
    double least_mass = std::numeric_limits<double>::infinity();
    double greatest_mass = 0.0;
    double slowest = std::numeric_limits<double>::infinity();
    double fastest = -std::numeric_limits<double>::infinity();
    double kinetic = 0.0;
    double first_radius = 0.0;  ///< of bead 0
    bool wall = false;          ///< a wall or a fixed bead at either end
};

/// The extremes over all ranks of the chain.
Extremes extremes_of(const chain::Chain& chain) {
    Extremes x;
    for (std::size_t i = 0; i < chain.beads(); ++i) {
        if (!chain.is_fixed(i)) {
            x.least_mass = std::min(x.least_mass, chain.mass[i]);
            x.greatest_mass = std::max(x.greatest_mass, chain.mass[i]);
        }
        x.slowest = std::min(x.slowest, chain.velocity[i]);
        x.fastest = std::max(x.fastest, chain.velocity[i]);
    }
    x.kinetic = chain::whole_sum(chain, [&](std::size_t i) {
        return 0.5 * chain.mass[i] * chain.velocity[i] * chain.velocity[i];
    });
    x.wall = chain.left_fixed || chain.right_fixed || std::isfinite(chain.gap.front()) ||
             std::isfinite(chain.gap.back());
    if (chain.first() == 0) x.first_radius = chain.radius.front();
    if (!chain.partition) return x;
    double largest[] = {-x.least_mass, x.greatest_mass, -x.slowest,
                        x.fastest,     x.first_radius,  x.wall ? 1.0 : 0.0};
    chain.partition->ranks->largest(largest);
    return {.least_mass = -largest[0],
            .greatest_mass = largest[1],
            .slowest = -largest[2],
            .fastest = largest[3],
            .kinetic = x.kinetic,
            .first_radius = largest[4],
            .wall = largest[5] > 0.0};
}

/// Upper bound of the elastic energy of the most compressed contact, or of the bond with the most,
/// at the start [J].
double largest_stored(const chain::Chain& chain) {
    double largest = 0.0;
    for (std::size_t c = 0; c <= chain.beads(); ++c) {
        const double overlap = -chain.start_gap(c);
        if (!touches(chain, c) || !(overlap > 0.0)) continue;
        largest =
            std::max(largest, laws::first_loading_force(chain.contacts.at(c), overlap) * overlap);
    }
    const auto displaced = [&](std::size_t bead) {
        return chain.displacement.empty() ? 0.0 : chain.displacement[bead];
    };
    for (const chain::Bond& bond : chain.elements.bonds) {
        const double x = bond.stretch + displaced(bond.contact) - displaced(bond.contact - 1);
        largest = std::max(largest, 0.5 * bond.stiffness * x * x);
    }
    for (const chain::Foundation& each : chain.elements.foundations) {
        const double x = displaced(each.bead);
        largest = std::max(
            largest,
            (0.5 * each.spring.stiffness + 0.25 * std::abs(each.spring.cubic) * x * x) * x * x);
    }
    return largest_of_all(chain, largest);
}

/// The largest speed of a driven end [m/s].
double drive_speed(const chain::Chain& chain) {
    double fastest = 0.0;
    for (const auto* drive : {&chain.left_drive, &chain.right_drive}) {
        if (*drive) fastest = std::max(fastest, (*drive)->largest_speed());
    }
    for (const chain::DrivenBead& each : chain.elements.driven)
        fastest = std::max(fastest, each.motion.largest_speed());
    return largest_of_all(chain, fastest);
}

/// Upper estimate of an approach speed [m/s]. A light bead behind heavy ones can be thrown forward
/// at up to sqrt(m_max/m_min) times their speed. No pair can approach with more than the total
/// energy.
double largest_speed(const chain::Chain& chain, bool starts_in_equilibrium) {
    const Extremes x = extremes_of(chain);
    double spread = x.fastest - x.slowest;
    if (x.wall) spread = std::max({spread, std::abs(x.fastest), std::abs(x.slowest)});

    // A moving wall gives a bead that meets it up to twice the wall's speed, and any amount of
    // energy.
    const double driven = drive_speed(chain);
    spread += 2.0 * driven;
    const double thrown = spread * std::sqrt(x.greatest_mass / x.least_mass);
    const double by_energy = driven > 0.0 ? thrown : std::sqrt(4.0 * x.kinetic / x.least_mass);
    const double released = std::sqrt(2.0 * largest_stored(chain) / x.least_mass);
    // Under gravity beads fall through the gaps. If the chain does not start in equilibrium, they
    // also fall by the compression of the contacts, far less than a thousandth of the chain's
    // length.
    double fallen = 0.0;
    if (chain.gravity > 0.0) {
        const std::int64_t last[] = {static_cast<std::int64_t>(chain.total()) - 1};
        if (!starts_in_equilibrium)
            fallen = 1e-3 * (chain.positions(last).front() + 2.0 * x.first_radius);
        fallen += open_gaps(chain);
    }
    const double falling = std::sqrt(2.0 * chain.gravity * fallen);
    return std::max(std::min(thrown, by_energy), released) + falling;
}

/// The shortest times of all ranks of the chain.
Shortest shortest_of_all(const chain::Chain& chain, const Shortest& own) {
    if (!chain.partition) return own;
    double largest[] = {-own.duration, -own.damped, -own.jumping, -own.rising, -own.stable};
    chain.partition->ranks->largest(largest);
    return {.duration = -largest[0],
            .damped = -largest[1],
            .jumping = -largest[2],
            .rising = -largest[3],
            .stable = -largest[4]};
}

Shortest shortest_contact(const chain::Chain& chain, double speed, const PairApproach& approach) {
    Shortest shortest;
    // Magnets may keep all beads apart.
    const auto closes = [&](std::size_t c) {
        return touches(chain, c) && (chain.start_gap(c) < 0.0 || approach.may_touch(c));
    };
    bool any_closes = !approach.any();
    for (std::size_t c = 0; c <= chain.beads() && !any_closes; ++c)
        any_closes = closes(c);
    if (approach.any()) any_closes = largest_of_all(chain, any_closes ? 1.0 : 0.0) > 0.0;
    const chain::Contacts& contacts = chain.contacts;
    const auto can_touch = [&](std::size_t kind) { return contacts.kind_mass(kind) > 0.0; };
    std::size_t first = 0;
    while (first < contacts.kind_count() && !can_touch(first))
        ++first;
    if (any_closes && speed > 0.0 &&
        largest_of_all(chain, first < contacts.kind_count() ? 1.0 : 0.0) > 0.0) {
        // All kinds are compared at one overlap, that of a typical collision.
        const bool holds_first =
            chain.own_begin() + chain.first() == 0 && first < contacts.kind_count();
        double common = 0.0;
        if (holds_first)
            common =
                include_collision(shortest, contacts.law(first), contacts.kind_mass(first), speed)
                    .overlap;
        common = largest_of_all(chain, common);
        for (const StiffKind& kind : stiffest_kinds(chain, common)) {
            const laws::AnyLaw law = kind.law_of(contacts);
            const bool included = holds_first && kind.mass == contacts.kind_mass(first) &&
                                  std::ranges::equal(law.numbers(), contacts.law(first).numbers());
            if (!included) include_collision(shortest, law, kind.mass, speed);
        }
        for (std::size_t kind = 0; kind < contacts.kind_count(); ++kind) {
            if (can_touch(kind))
                include_damping(shortest, contacts.law(kind), contacts.kind_mass(kind), common,
                                speed);
        }
    }
    for (std::size_t c = 0; c <= chain.beads(); ++c) {
        if (!touches(chain, c) || !(chain.start_gap(c) < 0.0)) continue;
        const laws::AnyLaw law = chain.contacts.at(c);
        const double mass = contacts.effective_mass(c);
        const double overlap = deepest_overlap(law, -chain.start_gap(c));
        const double time = std::sqrt(mass / stiffness_at(law, overlap));
        shortest.duration = std::min(shortest.duration, std::numbers::pi * time);
        shortest.vibrates(time);
        include_damping(shortest, law, mass, overlap, speed);
    }
    return shortest_of_all(chain, shortest);
}

/// Includes vibrations and dampings of what beads carry. The squares of the frequencies of a bead
/// and of what it carries add up at most.
void include_elements(Shortest& shortest, const chain::Chain& chain, const PairApproach& approach) {
    if (chain.elements.empty()) return;
    struct OfBead {
        double stiffness = 0.0, damping = 0.0, inner = 0.0, inner_damping = 0.0;
    };
    std::vector<OfBead> all(chain.beads());
    for (const auto& [bead, spring] : chain.elements.foundations) {
        all[bead].stiffness += spring.stiffness;
        all[bead].damping += spring.damping;
    }
    for (const chain::Resonator& each : chain.elements.resonators) {
        all[each.bead].stiffness += each.spring.stiffness;
        all[each.bead].damping += each.spring.damping;
        all[each.bead].inner = std::max(all[each.bead].inner, each.spring.stiffness / each.mass);
        all[each.bead].inner_damping =
            std::max(all[each.bead].inner_damping, each.spring.damping / each.mass);
    }
    // Twice: neighbours that move against each other, as in the fastest vibration of a lattice.
    for (const chain::Bond& bond : chain.elements.bonds) {
        for (const std::size_t bead : {bond.contact - 1, bond.contact}) {
            all[bead].stiffness += 2.0 * bond.stiffness;
            all[bead].damping += 2.0 * bond.damping;
        }
    }
    double square = 0.0, stable = 0.0, damping = 0.0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double by_mass = chain.is_held(i) ? 0.0 : 1.0 / chain.mass[i];
        const double pairs = approach.any() ? approach.stiffness(i) : 0.0;
        square = std::max(square, (all[i].stiffness + pairs) * by_mass + all[i].inner);
        // All its neighbours may move against the bead.
        stable = std::max(stable, (all[i].stiffness + 2.0 * pairs) * by_mass + all[i].inner);
        damping = std::max(damping, all[i].damping * by_mass + all[i].inner_damping);
    }
    if (chain.partition) {
        std::array largest{square, stable, damping};
        chain.partition->ranks->largest(largest);
        square = largest[0], stable = largest[1], damping = largest[2];
    }
    shortest.pulls(square, stable);
    shortest.drags(damping);
}

/// The shortest period of what is driven [s], and what that is.
struct DrivePeriod {
    double period = std::numeric_limits<double>::infinity();
    const char* what = "";
};

DrivePeriod shortest_period(const chain::Chain& chain) {
    DrivePeriod shortest;
    const auto include = [&](const std::optional<stepping::Drive>& drive, const char* end) {
        const double own = drive ? drive->period() : std::numeric_limits<double>::infinity();
        const double period = -largest_of_all(chain, -own);
        if (period < shortest.period) shortest = {period, end};
    };
    include(chain.left_drive, "the driven left end");
    include(chain.right_drive, "the driven right end");
    const auto include_period = [&](double period, const char* what) {
        if (period < shortest.period) shortest = {period, what};
    };
    for (const chain::DrivenBead& each : chain.elements.driven)
        include_period(each.motion.period(), "a driven bead");
    for (const chain::TimedLoad& each : chain.elements.loads)
        include_period(each.force.period(), "a load over time");
    return shortest;
}

}  // namespace

TimeStep choose_time_step(const chain::Chain& chain, const StepRequest& request) {
    const double moving = largest_speed(chain, request.starts_in_equilibrium) +
                          speed_by_timed_loads(chain, request.end) +
                          speed_by_constant_loads(chain, request.end) + speed_by_pairs(chain);
    const PairApproach approach(chain, moving);
    const double speed = moving + (approach.any() ? largest_of_all(chain, approach.pulled()) : 0.0);
    Shortest shortest = shortest_contact(chain, speed, approach);
    include_elements(shortest, chain, approach);
    const bool known = std::isfinite(shortest.duration);
    const auto [period, driven] = shortest_period(chain);
    const auto limit = [](StepRule rule, double time, double steps) {
        return StepLimit{rule, time / steps, time};
    };
    const StepLimit limiting =
        shortest_limit({limit(StepRule::contact, shortest.duration, steps_per_contact),
                        limit(StepRule::damping, shortest.damped, steps_per_damping_time),
                        limit(StepRule::jump, shortest.jumping, steps_per_jump),
                        limit(StepRule::rise, shortest.rising, steps_per_rise),
                        limit(StepRule::drive, period, steps_per_period)});
    const double accurate = limiting.step;
    TimeStep choice{.step = 0.0,
                    .count = 0,
                    .shortest_contact = known ? shortest.duration : 0.0,
                    .largest_speed = speed,
                    .given = request.step.has_value(),
                    .jumping = shortest.jumping};

    if (request.step) {
        choice.step = *request.step;
        if (known && choice.step >= shortest.stable) {
            throw StepError(
                fmt::format("cannot be stable: the stiffest contact lasts {:.3g} s and needs steps "
                            "below {:.3g} s; {:.1g} s is accurate",
                            shortest.duration, shortest.stable, accurate));
        }
        if (choice.step > period / fewest_steps_per_period) {
            throw StepError(
                fmt::format("too long for {}, whose period is {:.3g} s; expected at most {:.3g} "
                            "s, a twentieth of it",
                            driven, period, period / fewest_steps_per_period));
        }
    } else {
        if (!known) {
            throw StepError(
                "missing, and nothing to choose it from: no bead moves, is loaded or compressed; "
                "expected a segment.velocity or a time.step in s");
        }
        refuse_faster_than_light(speed);
        choice.step = fitted_step(accurate, request.interval);
        choice.rule = limiting.rule;
        choice.rule_time = limiting.time;
    }
    choice.count = steps_to(request.end, choice.step);
    return choice;
}

}  // namespace beadwave::dynamics

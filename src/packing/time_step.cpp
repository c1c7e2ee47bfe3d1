#include "packing/time_step.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/contact.hpp"
#include "laws/neck.hpp"
#include "packing/deep_contact.hpp"
#include "packing/elements/element_limits.hpp"
#include "packing/fastest_motion.hpp"
#include "packing/neighbour_list.hpp"
#include "packing/pair_laws.hpp"
#include "packing/wall_limits.hpp"
#include "stepping/light_speed.hpp"
#include "stepping/shortest_contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::packing {
namespace {

using stepping::Shortest;
using stepping::StepError;

/// Acceleration per force or torque, summed over the bodies of a pair.
struct Mobility {
    double normal = 0.0;   ///< 1/m: a force moves them apart [1/kg]
    double turn = 0.0;     ///< R^2/I: a force at their contact turns them [1/kg]
    double torsion = 0.0;  ///< 1/I: a torque turns them [1/(kg m^2)]
    double tangential() const { return normal + turn; }
};

Mobility mobility_of(const Packing& p, std::size_t i) {
    if (p.is_held(i)) return {};
    return {.normal = 1.0 / p.mass[i],
            .turn = p.radius[i] * p.radius[i] / p.inertia[i],
            .torsion = 1.0 / p.inertia[i]};
}

Mobility mobility_of(const Packing& p, std::size_t first, std::size_t second) {
    Mobility mobility = mobility_of(p, first);
    if (second >= p.particles()) {
        if (const auto& load = p.walls[second - p.particles()].load)
            mobility.normal += 1.0 / load->mass;
        return mobility;
    }
    const Mobility other = mobility_of(p, second);
    mobility.normal += other.normal;
    mobility.turn += other.turn;
    mobility.torsion += other.torsion;
    return mobility;
}

struct StiffPair {
    double stiffness = 0.0, damping = 0.0;
};

StiffPair tangential_of(const PairLaw& law, double overlap) {
    StiffPair spring;
    const double size = laws::size_overlap(law.normal, overlap);
    spring.stiffness =
        std::visit([&](const auto& l) { return l.tangential_stiffness(size); }, law.slider);
    if (const auto* linear = std::get_if<laws::LinearSlider<double>>(&law.slider))
        spring.damping = linear->damping;
    return spring;
}

StiffPair rolling_of(const Packing& p, const PairLaw& law, double overlap) {
    if (!p.rolling.acts()) return {};
    const double stiffness =
        law.rolling.stiffness * std::sqrt(laws::size_overlap(law.normal, overlap));
    return {.stiffness = stiffness, .damping = law.rolling.damping * std::sqrt(stiffness)};
}

/// Limits the step by a spring between two bodies with this mobility [1/kg, or 1/(kg m^2)].
void limit_by_spring(Shortest& shortest, const StiffPair& spring, double mobility) {
    if (spring.stiffness > 0.0) {
        const double time = 1.0 / std::sqrt(spring.stiffness * mobility);
        shortest.duration = std::min(shortest.duration, std::numbers::pi * time);
        shortest.vibrates(time);
    }
    if (spring.damping > 0.0) shortest.damps(1.0 / (spring.damping * mobility));
}

void limit_by_collision(Shortest& shortest, const Packing& p, PairLaws& laws,
                        const PossibleContact& contact, double speed) {
    const PairLaw law = laws.law(laws.kind(contact.first, contact.second));
    const Mobility mobility = mobility_of(p, contact.first, contact.second);
    const double overlap = stepping::include_collision(shortest, law.normal, contact.mass, speed);
    limit_by_spring(shortest, tangential_of(law, overlap), mobility.tangential());
    limit_by_spring(shortest, rolling_of(p, law, overlap), mobility.torsion);
}

/// The smallest and the largest particle of each species, held and free particles apart.
std::vector<std::size_t> extreme_particles(const Packing& p) {
    struct Extremes {
        std::size_t smallest, largest;
    };
    std::vector<std::optional<Extremes>> of(2 * p.species_list.size());
    for (std::size_t i = 0; i < p.particles(); ++i) {
        auto& extremes = of[2 * p.species[i] + (p.is_held(i) ? 1 : 0)];
        if (!extremes) extremes = {i, i};
        if (p.radius[i] < p.radius[extremes->smallest]) extremes->smallest = i;
        if (p.radius[i] > p.radius[extremes->largest]) extremes->largest = i;
    }
    std::vector<std::size_t> all;
    for (const auto& extremes : of) {
        if (!extremes) continue;
        all.push_back(extremes->smallest);
        if (p.radius[extremes->largest] > p.radius[extremes->smallest])
            all.push_back(extremes->largest);
    }
    return all;
}

/// A symmetric tensor over space.
struct Tensor {
    double xx = 0.0, yy = 0.0, zz = 0.0, xy = 0.0, xz = 0.0, yz = 0.0;

    /// Adds `along` in direction n and `across` perpendicular to it.
    void add(Vec3 n, double along, double across) {
        const double d = along - across;
        xx += across + d * n.x * n.x;
        yy += across + d * n.y * n.y;
        zz += across + d * n.z * n.z;
        xy += d * n.x * n.y;
        xz += d * n.x * n.z;
        yz += d * n.y * n.z;
    }
    /// Closed form [Smith 1961].
    double largest_eigenvalue() const {
        const double mean = (xx + yy + zz) / 3.0;
        const double x = xx - mean, y = yy - mean, z = zz - mean;
        const double off = xy * xy + xz * xz + yz * yz;
        const double p = std::sqrt((x * x + y * y + z * z + 2.0 * off) / 6.0);
        if (!(p > 0.0)) return mean;
        const double half_determinant =
            0.5 * (x * (y * z - yz * yz) - xy * (xy * z - yz * xz) + xz * (xy * yz - y * xz)) /
            (p * p * p);
        return mean + 2.0 * p * std::cos(std::acos(std::clamp(half_determinant, -1.0, 1.0)) / 3.0);
    }
};

/// A particle among its compressed contacts.
struct Surroundings {
    Tensor others_at_rest;  ///< stiffness over mass while all others are at rest [1/s^2]
    Tensor others_opposed;  ///< the same while all others move against it, an upper limit [1/s^2]
    double turning = 0.0;   ///< rolling stiffness over inertia [1/s^2]
    double damping = 0.0;   ///< [1/s]
};

void limit_by_compressed_contacts(Shortest& shortest, const Packing& p, PairLaws& laws,
                                  const std::vector<CompressedContact>& compressed, double speed) {
    std::vector<Surroundings> around(p.particles());
    WallLimits walls(p);
    for (const CompressedContact& c : compressed) {
        const PairLaw law = laws.law(laws.kind(c.first, c.second));
        const bool wall = c.second >= p.particles();
        const double overlap = stepping::deepest_overlap(law.normal, c.overlap);
        const double normal = stepping::stiffness_at(law.normal, overlap);
        const StiffPair tangential = tangential_of(law, overlap);
        const StiffPair rolling = rolling_of(p, law, overlap);
        const double damping = stepping::damping_at(law.normal, overlap, std::max(speed, 1e-6));
        const auto add_contact = [&](std::size_t i) {
            const Mobility mobility = mobility_of(p, i);
            Surroundings& s = around[i];
            const double along = normal * mobility.normal,
                         across = tangential.stiffness * mobility.tangential();
            s.others_at_rest.add(c.direction, along, across);
            const double both = wall ? 1.0 : 2.0;
            s.others_opposed.add(c.direction, both * along, both * across);
            s.turning += rolling.stiffness * mobility.torsion;
            s.damping +=
                std::max({damping * mobility.normal, tangential.damping * mobility.tangential(),
                          rolling.damping * mobility.torsion});
        };
        add_contact(c.first);
        if (!wall) add_contact(c.second);
        if (wall) walls.add(c.second - p.particles(), normal + tangential.stiffness, damping);
    }
    double others_at_rest = 0.0, others_opposed = 0.0, damping = 0.0;
    for (const Surroundings& s : around) {
        others_at_rest =
            std::max(others_at_rest, s.others_at_rest.largest_eigenvalue() + s.turning);
        others_opposed =
            std::max(others_opposed, s.others_opposed.largest_eigenvalue() + s.turning);
        damping = std::max(damping, s.damping);
    }
    const StabilityLimits of_walls = walls.limits_with(0.0, 0.0);
    const double wall_frequency = of_walls.frequency * of_walls.frequency;
    others_at_rest = std::max(others_at_rest, wall_frequency);
    others_opposed = std::max(others_opposed, 2.0 * wall_frequency);
    damping = std::max(damping, of_walls.damping);
    if (others_at_rest > 0.0) {
        shortest.duration =
            std::min(shortest.duration, std::numbers::pi / std::sqrt(others_at_rest));
        shortest.stable = std::min(shortest.stable, 2.0 / std::sqrt(others_opposed));
    }
    if (damping > 0.0) {
        shortest.damped = std::min(shortest.damped, 1.0 / damping);
        shortest.stable = std::min(shortest.stable, 1.0 / damping);
    }
}

DrivePeriod shortest_period(const Packing& p) {
    DrivePeriod shortest = shortest_period(p.elements);
    for (std::size_t w = 0; w < p.walls.size(); ++w) {
        const auto& drive = p.walls[w].drive;
        if (drive && drive->period() < shortest.period)
            shortest = {drive->period(), fmt::format("driven wall {}", w)};
    }
    return shortest;
}

void check(double step, const Shortest& shortest, double accurate, const DrivePeriod& driven) {
    if (step >= shortest.stable) {
        throw StepError(
            fmt::format("cannot be stable: the stiffest contact lasts {:.3g} s and needs steps "
                        "below {:.3g} s; {:.1g} s is accurate",
                        shortest.duration, shortest.stable, accurate));
    }
    const double longest = driven.period / stepping::fewest_steps_per_period;
    if (step > longest) {
        throw StepError(
            fmt::format("too long for {}, whose period is {:.3g} s; expected at most "
                        "{:.3g} s, a twentieth of it",
                        driven.what, driven.period, longest));
    }
}

std::string text_of(const Vec3& v) {
    return fmt::format("({:g}, {:g}, {:g})", v.x, v.y, v.z);
}

/// Refuses a contact in which the centre of the smaller body is inside the other at the start.
void refuse_deep(const Packing& p, const CompressedContact& c) {
    // A wall refuses a centre behind it: validate().
    if (c.second >= p.particles()) return;
    const double smaller = std::min(p.radius[c.first], p.radius[c.second]);
    if (!(c.overlap >= lost_depth * smaller)) return;
    const std::string both = fmt::format("particles {} and {}", c.first, c.second);
    const Vec3 a = p.position[c.first], b = p.position[c.second];
    if (a == b) {
        throw ArgumentError(fmt::format(
            "{} are both at {} m; expected one place for each: is one of them there twice?", both,
            text_of(a)));
    }
    throw ArgumentError(
        fmt::format("{}, at {} m and {} m, overlap by {:.4g} m at the start; expected less than "
                    "the smaller radius, {:g} m",
                    both, text_of(a), text_of(b), c.overlap, smaller));
}

}  // namespace

std::vector<PossibleContact> possible_contacts(const Packing& packing) {
    std::vector<PossibleContact> contacts;
    const auto add = [&](std::size_t first, std::size_t second) {
        const double mobility = mobility_of(packing, first, second).normal;
        if (mobility == 0.0) return;  // both fixed
        contacts.push_back({.first = static_cast<std::uint32_t>(first),
                            .second = static_cast<std::uint32_t>(second),
                            .mass = 1.0 / mobility});
    };
    const std::vector<std::size_t> extreme = extreme_particles(packing);
    for (std::size_t a = 0; a < extreme.size(); ++a) {
        for (std::size_t b = a; b < extreme.size() && packing.particles() > 1; ++b)
            add(extreme[a], extreme[b]);
        for (std::size_t w = 0; w < packing.walls.size(); ++w)
            add(extreme[a], packing.particles() + w);
    }
    return contacts;
}

stepping::TimeStep choose_time_step(const Packing& packing, const stepping::StepRequest& request) {
    PairLaws laws(packing);
    const std::vector<CompressedContact> compressed = compressed_pairs(packing);
    for (const CompressedContact& contact : compressed)
        refuse_deep(packing, contact);
    double released = 0.0;  // upper limit of the energy in one compressed contact [J]
    for (const CompressedContact& c : compressed) {
        const laws::AnyLaw& law = laws.law(laws.kind(c.first, c.second)).normal;
        released = std::max(released, laws::first_loading_force(law, c.overlap) * c.overlap);
    }
    const double speed = largest_speed(packing, released, request);
    Shortest shortest;
    if (speed > 0.0) {
        for (const PossibleContact& contact : possible_contacts(packing))
            limit_by_collision(shortest, packing, laws, contact, speed);
    }
    limit_by_compressed_contacts(shortest, packing, laws, compressed, speed);

    include_elements(shortest, packing);

    const DrivePeriod driven = shortest_period(packing);
    const double accurate = std::min(
        {shortest.duration / steps_per_contact, shortest.damped / stepping::steps_per_damping_time,
         shortest.jumping / stepping::packing_steps_per_jump,
         shortest.rising / stepping::steps_per_rise, driven.period / stepping::steps_per_period});
    const bool meets = std::isfinite(shortest.duration);
    const bool known = meets || (!packing.elements.empty() && std::isfinite(accurate));
    stepping::TimeStep choice{.step = 0.0,
                              .count = 0,
                              .shortest_contact = meets ? shortest.duration : 0.0,
                              .largest_speed = speed,
                              .given = request.step.has_value(),
                              .jumping = shortest.jumping};
    if (request.step) {
        check(*request.step, shortest, accurate, driven);
        choice.step = *request.step;
    } else {
        if (!known) {
            throw StepError(
                "missing, and nothing to choose it from: no particle will meet another or a wall, "
                "and no contact is compressed; expected a velocity or a time.step in s");
        }
        stepping::refuse_faster_than_light(speed);
        choice.step = stepping::fitted_step(accurate, request.interval);
    }
    choice.count = stepping::steps_to(request.end, choice.step);
    return choice;
}

}  // namespace beadwave::packing

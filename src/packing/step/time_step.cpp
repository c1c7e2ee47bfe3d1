#include "packing/step/time_step.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/contact.hpp"
#include "packing/build/particle_shapes.hpp"
#include "packing/contacts/contact_springs.hpp"
#include "packing/contacts/deep_contact.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/elements/element_limits.hpp"
#include "packing/neighbours/neighbour_list.hpp"
#include "packing/rigid/rigid_time_step.hpp"
#include "packing/shaped/shaped_step.hpp"
#include "packing/step/fastest_motion.hpp"
#include "packing/step/step_accuracy.hpp"
#include "ranks/collective.hpp"
#include "stepping/light_speed.hpp"
#include "stepping/shortest_contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace beadwave::packing {
namespace {

using stepping::Shortest;
using stepping::StepError;

void limit_by_collision(CollisionLimits& limits, const Packing& p, PairLaws& laws,
                        const PossibleContact& contact, double speed) {
    const PairLaw law = laws.law(laws.kind(contact.first, contact.second));
    const Mobility mobility = mobility_of(p, contact.first, contact.second);
    const double overlap = limits.include(law.normal, contact.mass, speed);
    Shortest& shortest = limits.shortest;
    limit_by_spring(shortest, tangential_of(law, overlap), mobility.tangential());
    limit_by_spring(shortest, rolling_of(p, law, overlap), mobility.torsion);
}

/// The smallest and the largest particle of each species, held and free particles apart.
std::vector<std::size_t> extreme_particles(const Packing& p) {
    struct Extremes {
        std::size_t smallest, largest;
    };
    std::vector<std::optional<Extremes>> of(2 * p.species_list.size());
    p.each_alike([&](std::size_t i, std::size_t) {
        auto& extremes = of[2 * p.species[i] + (p.is_held(i) ? 1 : 0)];
        if (!extremes) extremes = {i, i};
        if (p.radius[i] < p.radius[extremes->smallest]) extremes->smallest = i;
        if (p.radius[i] > p.radius[extremes->largest]) extremes->largest = i;
    });
    std::vector<std::size_t> all;
    for (const auto& extremes : of) {
        if (!extremes) continue;
        all.push_back(extremes->smallest);
        if (p.radius[extremes->largest] > p.radius[extremes->smallest])
            all.push_back(extremes->largest);
    }
    return all;
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

/// An ellipsoid that turns this fast [rad/s]; 0: none.
void check_turning(double step, double turning) {
    if (!(step * turning > most_radians_per_step)) return;
    throw StepError(
        fmt::format("too long for a body that turns at up to {:.3g} rad/s; expected at most "
                    "{:.3g} s, in which it turns by {:g} rad",
                    turning, most_radians_per_step / turning, most_radians_per_step));
}

std::string text_of(const Vec3& v) {
    return fmt::format("({:g}, {:g}, {:g})", v.x, v.y, v.z);
}

/// Refuses a contact in which the centre of the smaller body is inside the other at the start.
void refuse_deep(const Packing& p, const CompressedContact& c) {
    // A wall refuses a centre behind it: validate().
    if (c.second >= p.particles()) return;
    const double smaller = std::min(smallest_size(p, c.first), smallest_size(p, c.second));
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
                    "the {}, {:g} m",
                    both, text_of(a), text_of(b), c.overlap,
                    !p.has_shapes()    ? "smaller radius"
                    : p.clumps.empty() ? "smallest semi-axis"
                                       : "smallest radius",
                    smaller));
}

/// A packing of spheres, with its contacts that are compressed at the start.
struct Balls {
    const Packing& packing;
    ranks::Communicator* ranks;  // that share its parts; null: there is one
    PairLaws laws{packing};
    ListParts parts = parts_of_compressed(packing, ranks);
    std::optional<CompressedPart> whole{};  // a small packing has one part

    /// Calls use(part, numbers) for the parts of this rank, where numbers(k) is that of contact k.
    /// If it throws on some ranks, all throw what the first of them does.
    template <class Use>
    void each_part(const Use& use) {
        const auto use_part = [&](const CompressedPart& part) {
            laws.forget();
            use(part,
                [&](std::size_t k) { return start_contact(packing, laws, part.contacts[k]); });
        };
        ranks::collective(ranks, [&] {
            if (whole) return use_part(*whole);
            visit_compressed(packing, parts, [&](CompressedPart part) {
                use_part(part);
                if (part.particles.size() == packing.particles()) whole = std::move(part);
            });
        });
    }
    void limit_by_collisions(CollisionLimits& limits, double speed) {
        for (const PossibleContact& contact : possible_contacts(packing))
            limit_by_collision(limits, packing, laws, contact, speed);
    }
    double fastest_turning() const { return 0.0; }
};

/// A packing with ellipsoids, with its bodies that overlap at the start.
struct Shapes {
    explicit Shapes(const Packing& p) : packing(p), overlaps(overlapping_shapes(p)) {
        for (const ShapedOverlap& each : overlaps)
            whole.contacts.push_back(each.contact);
        whole.particles.resize(p.particles());
        std::iota(whole.particles.begin(), whole.particles.end(), 0U);
    }

    const Packing& packing;
    ranks::Communicator* ranks = nullptr;  // each has the whole packing
    std::vector<ShapedOverlap> overlaps;
    CompressedPart whole{};

    template <class Use>
    void each_part(const Use& use) const {
        use(whole, [&](std::size_t k) { return start_contact(packing, overlaps[k]); });
    }
    void limit_by_collisions(CollisionLimits& limits, double speed) const {
        for (const ShapedImpact& impact : possible_shaped_impacts(packing)) {
            const double overlap = limits.include(impact.law.normal, impact.mass(), speed);
            limit_by_spring(limits.shortest, tangential_of(impact.law, overlap),
                            impact.mobility.across);
            limit_by_spring(limits.shortest, rolling_of(packing, impact.law, overlap),
                            impact.mobility.turning);
        }
    }
    double fastest_turning() const { return fastest_tumbling(packing); }
};

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

namespace {

/// `bodies`: Balls or Shapes.
template <class Bodies>
stepping::TimeStep choose_for(Bodies bodies, const stepping::StepRequest& request) {
    const Packing& packing = bodies.packing;
    bool any_compressed = false;
    double released = 0.0;  // upper limit of the energy in one compressed contact [J]
    bodies.each_part([&](const CompressedPart& part, const auto& numbers) {
        any_compressed = any_compressed || !part.contacts.empty();
        for (const CompressedContact& contact : part.contacts)
            refuse_deep(packing, contact);
        for (std::size_t k = 0; k < part.contacts.size(); ++k) {
            const double overlap = part.contacts[k].overlap;
            released = std::max(
                released, overlap * laws::first_loading_force(numbers(k).law.normal, overlap));
        }
    });
    if (bodies.ranks != nullptr) {
        any_compressed = bodies.ranks->any(any_compressed);
        bodies.ranks->largest({&released, 1});
    }
    const double speed = largest_speed(packing, released, request, bodies.ranks);
    CollisionLimits limits(request.resolution);
    Shortest& shortest = limits.shortest;
    if (speed > 0.0) bodies.limit_by_collisions(limits, speed);
    CompressedLimits among(packing, speed);
    if (any_compressed) {
        bodies.each_part(
            [&](const CompressedPart& part, const auto& numbers) { among.include(part, numbers); });
        if (bodies.ranks != nullptr) among.share(*bodies.ranks);
    }
    among.limit(shortest);
    include_elements(shortest, packing);

    const DrivePeriod driven = shortest_period(packing);
    const double turning = bodies.fastest_turning();
    const stepping::StepLimit limiting = limits.shortest_limit(driven.period, turning);
    const double accurate = limiting.step;
    const bool meets = std::isfinite(shortest.duration);
    const bool known =
        meets || ((!packing.elements.empty() || turning > 0.0) && std::isfinite(accurate));
    stepping::TimeStep choice{.step = 0.0,
                              .count = 0,
                              .shortest_contact = meets ? shortest.duration : 0.0,
                              .largest_speed = speed,
                              .given = request.step.has_value(),
                              .jumping = shortest.jumping};
    if (request.step) {
        check(*request.step, shortest, accurate, driven);
        check_turning(*request.step, turning);
        choice.step = *request.step;
    } else {
        if (!known) {
            throw StepError(
                "missing, and nothing to choose it from: no particle will meet another or a wall, "
                "and no contact is compressed; expected a velocity or a time.step in s");
        }
        stepping::refuse_faster_than_light(speed);
        choice.step = stepping::fitted_step(accurate, request.interval);
        choice.rule = limiting.rule;
        choice.rule_time = limiting.time;
        limits.accuracy().set_coarse(choice);
    }
    choice.count = stepping::steps_to(request.end, choice.step);
    return choice;
}

}  // namespace

stepping::TimeStep choose_time_step(const Packing& packing, const stepping::StepRequest& request,
                                    ranks::Communicator* ranks) {
    if (packing.is_rigid()) {
        for (const CompressedContact& contact : compressed_pairs(packing))
            refuse_deep(packing, contact);
        return choose_rigid_step(packing, request);
    }
    return packing.has_shapes() ? choose_for(Shapes(packing), request)
                                : choose_for(Balls{packing, ranks}, request);
}

}  // namespace beadwave::packing

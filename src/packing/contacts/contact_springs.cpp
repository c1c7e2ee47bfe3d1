#include "packing/contacts/contact_springs.hpp"

#include "laws/neck.hpp"
#include "packing/symmetric_tensor.hpp"
#include "packing/walls/wall_limits.hpp"
#include "ranks/communicator.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::packing {

using stepping::Shortest;

namespace {

/// A particle among its compressed contacts.
struct AmongContacts {
    SymmetricTensor others_at_rest;  ///< stiffness over mass while all others are at rest [1/s^2]
    SymmetricTensor
        others_opposed;    ///< the same while all others move against it, an upper limit [1/s^2]
    double turning = 0.0;  ///< rolling stiffness over inertia [1/s^2]
    double damping = 0.0;  ///< [1/s]
};

}  // namespace

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

StiffPair tangential_of(const PairLaw& law, double overlap) {
    StiffPair spring;
    const double size = laws::size_overlap(law.normal, overlap);
    spring.stiffness = laws::tangential_stiffness(law.slider, size);
    spring.damping = laws::tangential_damping(law.slider, size);
    return spring;
}

StiffPair rolling_of(const Packing& p, const PairLaw& law, double overlap) {
    if (!p.rolling.acts()) return {};
    const double stiffness =
        law.rolling.stiffness * std::sqrt(laws::size_overlap(law.normal, overlap));
    return {.stiffness = stiffness, .damping = law.rolling.damping * std::sqrt(stiffness)};
}

void limit_by_spring(Shortest& shortest, const StiffPair& spring, double mobility) {
    if (spring.stiffness > 0.0) {
        const double time = 1.0 / std::sqrt(spring.stiffness * mobility);
        shortest.duration = std::min(shortest.duration, std::numbers::pi * time);
        shortest.vibrates(time);
    }
    if (spring.damping > 0.0) shortest.damps(1.0 / (spring.damping * mobility));
}

StartContact start_contact(const Packing& p, PairLaws& laws, const CompressedContact& c) {
    const bool wall = c.second >= p.particles();
    return {.law = laws.law(laws.kind(c.first, c.second)),
            .mobility = {mobility_of(p, c.first), wall ? Mobility{} : mobility_of(p, c.second)}};
}

StartContact start_contact(const Packing& p, const ShapedOverlap& c) {
    const auto mobility_at = [&](std::size_t i, const PointMobility& at) {
        Mobility mobility = mobility_of(p, i);
        if (mobility.normal == 0.0) return mobility;
        mobility.turn = at.across - mobility.normal;
        mobility.lever = at.along - mobility.normal;
        mobility.torsion = at.turning;
        return mobility;
    };
    const bool wall = c.contact.second >= p.particles();
    return {.law = c.law,
            .mobility = {mobility_at(c.contact.first, c.mobility[0]),
                         wall ? Mobility{} : mobility_at(c.contact.second, c.mobility[1])}};
}

void CompressedLimits::include(const CompressedPart& part,
                               const std::function<StartContact(std::size_t)>& numbers) {
    const Packing& p = packing_;
    const std::vector<std::uint32_t>& own = part.particles;
    std::vector<AmongContacts> around(part.contacts.empty() ? 0 : own.size());
    for (std::size_t k = 0; k < part.contacts.size(); ++k) {
        const CompressedContact& c = part.contacts[k];
        const StartContact known = numbers(k);
        const PairLaw& law = known.law;
        const bool wall = c.second >= p.particles();
        const double overlap = stepping::deepest_overlap(law.normal, c.overlap);
        const double normal = stepping::stiffness_at(law.normal, overlap);
        const StiffPair tangential = tangential_of(law, overlap);
        const StiffPair rolling = rolling_of(p, law, overlap);
        const double damping = stepping::damping_at(law.normal, overlap, speed_);
        const auto add_contact = [&](std::uint32_t i, const Mobility& mobility) {
            const auto at = std::ranges::lower_bound(own, i);
            if (at == own.end() || *at != i) return;  // in another part
            AmongContacts& s = around[static_cast<std::size_t>(at - own.begin())];
            const double along = normal * mobility.normal,
                         across = tangential.stiffness * mobility.tangential();
            s.others_at_rest.add(c.direction, along, across);
            const double both = wall ? 1.0 : 2.0;
            s.others_opposed.add(c.direction, both * along, both * across);
            s.turning += rolling.stiffness * mobility.torsion + normal * mobility.lever;
            s.damping += std::max({damping * (mobility.normal + mobility.lever),
                                   tangential.damping * mobility.tangential(),
                                   rolling.damping * mobility.torsion});
        };
        add_contact(c.first, known.mobility[0]);
        if (!wall) add_contact(c.second, known.mobility[1]);
        if (wall && p.walls[c.second - p.particles()].load)
            on_walls_.push_back({c.second - p.particles(), normal + tangential.stiffness, damping});
    }
    for (const AmongContacts& s : around) {
        others_at_rest_ =
            std::max(others_at_rest_, s.others_at_rest.largest_eigenvalue() + s.turning);
        others_opposed_ =
            std::max(others_opposed_, s.others_opposed.largest_eigenvalue() + s.turning);
        damping_ = std::max(damping_, s.damping);
    }
}

void CompressedLimits::share(ranks::Communicator& ranks) {
    std::array all{others_at_rest_, others_opposed_, damping_};
    ranks.largest(all);
    others_at_rest_ = all[0], others_opposed_ = all[1], damping_ = all[2];
    const auto of_ranks = ranks.gather_numbers_to_all<OnWall>(on_walls_);
    on_walls_.clear();
    for (const std::vector<OnWall>& some : of_ranks)
        on_walls_.insert(on_walls_.end(), some.begin(), some.end());
}

void CompressedLimits::limit(Shortest& shortest) const {
    WallLimits walls(packing_);
    for (const OnWall& contact : on_walls_)
        walls.add(contact.wall, contact.stiffness, contact.damping);
    const StabilityLimits of_walls = walls.limits_with(0.0, 0.0);
    const double wall_frequency = of_walls.frequency * of_walls.frequency;
    const double others_at_rest = std::max(others_at_rest_, wall_frequency);
    const double others_opposed = std::max(others_opposed_, 2.0 * wall_frequency);
    const double damping = std::max(damping_, of_walls.damping);
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

}  // namespace beadwave::packing

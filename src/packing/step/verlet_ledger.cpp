// Motion, energy, what contacts dissipated, and limits of the time step.

#include "packing/state/finite.hpp"
#include "packing/step/verlet_backend.hpp"
#include "packing/walls/wall_limits.hpp"

#include <algorithm>
#include <utility>

namespace beadwave::packing {

Motion VerletBackend::motion(std::size_t i) const {
    return {displacement_of(i), views().velocity[i], spin_of(i)};
}

std::size_t VerletBackend::closed_contacts() const {
    std::size_t closed = 0;
    for (std::size_t p = 0; p < listed_pairs(); ++p)
        closed += touches(p) ? 1 : 0;
    return closed;
}

PackingTotals VerletBackend::totals() const {
    const Packing& packing = around_.packing;
    PackingTotals t{};
    ElementTotals of_elements;
    for (std::size_t i = 0; i < count(); ++i) {
        const double m = packing.mass[i];
        const Vec3 v = own_velocity(i), moved = displacement_of(i);
        const Rotation rotation = rotation_of(i);
        t.translational += 0.5 * m * dot(v, v);
        t.rotational += rotation.energy;
        t.momentum += m * v;
        t.angular_momentum += cross(packing.position[i] + moved, m * v) + rotation.momentum;
        t.external_work += m * dot(packing.gravity, moved);
        if (around_.elements.any()) of_elements.add(around_.elements.totals_of(i, moved));
    }
    t.translational += around_.loads.kinetic() + around_.box.kinetic();
    t.external_work += ledger_.walls + around_.loads.external_work() + around_.box.external_work();
    if (around_.elements.any()) t.add(of_elements);
    if (around_.population.changes()) t.add(around_.population.inflow());
    t.stored_normal = stored_normal();
    t.stored_tangential = stored_tangential();
    if (!traits_.conservative) {
        const double given =
            dt_ * (ledger_.power - 0.5 * ledger_.power_now + 0.5 * ledger_.power_at_start);
        // The contacts' work on moving walls and images is the negative of the walls' work.
        t.dissipated_normal = ledger_.walls + around_.box.image_work() - given -
                              ledger_.tangential - (t.stored_normal - ledger_.initial_stored);
    }
    t.dissipated_tangential = ledger_.tangential - t.stored_tangential;
    t.dissipated_rolling = dissipated_rolling(t.dissipated_tangential);
    return t;
}

double VerletBackend::dissipated_rolling(double dissipated_tangential) const {
    if (!around_.packing.rolling.acts()) return 0.0;
    if (around_.packing.friction.law == laws::FrictionLaw::none) return dissipated_tangential;
    double stored = 0.0;
    for (std::size_t p = 0; p < listed_pairs(); ++p)
        stored += stored_in(p).rolling;
    return ledger_.rolling - stored;
}

double VerletBackend::stored_normal() const {
    double stored = 0.0;
    for (std::size_t p = 0; p < listed_pairs(); ++p)
        stored += stored_in(p).normal;
    return stored;
}

double VerletBackend::stored_tangential() const {
    double stored = 0.0;
    for (std::size_t p = 0; p < listed_pairs(); ++p) {
        const Stored in_pair = stored_in(p);
        stored += in_pair.sliding;
        stored += in_pair.rolling;
    }
    return stored;
}

double VerletBackend::power_of_contacts() const {
    const ParticleViews<const Vec3> now = views();
    double power = 0.0;
    for (std::size_t i = 0; i < count(); ++i)
        power += dot(now.force[i], now.velocity[i]) + dot(now.torque[i], spin_of(i));
    return power;
}

std::vector<ContactEnergy> VerletBackend::stored_in_accounts() const {
    std::vector<ContactEnergy> stored(accounts_->all().size());
    for (std::size_t p = 0; p < listed_pairs(); ++p) {
        if (const std::uint32_t number = accounts_->known(bodies_of(p)))
            stored[number - 1].add(energy_of(p));
    }
    return stored;
}

DissipationParts VerletBackend::lost_in(const PlainAccount& account,
                                        const ContactEnergy& stored) const {
    DissipationParts parts = account.dissipated(stored, account.work(dt_));
    if (traits_.conservative) parts.normal = 0.0;
    return parts;
}

std::vector<ContactDissipation> VerletBackend::dissipation() const {
    std::vector<ContactDissipation> all;
    if (!keeps_records()) return all;
    const std::vector<ContactEnergy> stored = stored_in_accounts();
    for (std::size_t k = 0; k < stored.size(); ++k) {
        const PlainAccount& account = accounts_->all()[k];
        all.push_back({account.first, account.second, lost_in(account, stored[k])});
    }
    std::ranges::sort(
        all, {}, [](const ContactDissipation& each) { return std::pair(each.first, each.second); });
    return all;
}

OpenImpacts VerletBackend::open_impacts() const {
    if (!watches_impacts_) return {};
    const std::vector<ContactEnergy> stored = stored_in_accounts();
    return impacts_.open([&](std::size_t k) { return lost_in(accounts_->all()[k], stored[k]); });
}

void VerletBackend::end_impacts() {
    for (const OpenedPair& each : opened_)
        note_opening(each);
    opened_.clear();
    impacts_.cut_walls(accounts_->all(), around_.packing.mass, *wall_work_);
    impacts_.end_parted(accounts_->all(), time() - dt_,
                        [&](std::size_t k) { return lost_in(accounts_->all()[k], {}); });
}

StabilityLimits VerletBackend::stability_limits(double speed) const {
    WallLimits walls(around_.packing);
    BoxMotion::Limits box;
    std::vector<double> stiffness(count(), 0.0), damping(count(), 0.0);
    const auto add = [&](const ContactLimits::OnParticle& on) {
        stiffness[on.particle] += on.stiffness;
        damping[on.particle] += on.damping;
    };
    for (std::size_t p = 0; p < listed_pairs(); ++p) {
        if (!touches(p)) continue;
        const ContactLimits contact = limits_of(p, speed);
        add(contact.first);
        if (contact.on_box)
            around_.box.add_contact(box, contact.branch, contact.stiffness, contact.damping);
        if (contact.wall < 0)
            add(contact.second);
        else
            walls.add(static_cast<std::size_t>(contact.wall), contact.stiffness, contact.damping);
    }
    for (std::size_t c = 0; c < around_.elements.carriers(); ++c) {
        const std::size_t i = around_.elements.particle(c);
        const ElementStepper::Limits own = around_.elements.limits(c, displacement_of(i));
        stiffness[i] += own.stiffness + own.inner_stiffness;
        damping[i] += own.damping + own.inner_damping;
    }
    double stiffest = *std::ranges::max_element(stiffness),
           most_damped = *std::ranges::max_element(damping);
    around_.box.raise(box, stiffest, most_damped);
    return walls.limits_with(stiffest, most_damped);
}

std::optional<std::size_t> VerletBackend::first_non_finite() const {
    std::optional<std::size_t> first = around_.elements.first_non_finite();
    const auto include = [&](std::size_t particle) {
        if (!first || particle < *first) first = particle;
    };
    for (std::size_t i = 0; i < count(); ++i)
        if (!is_finite(i)) include(i);
    for (std::size_t p = 0; p < listed_pairs(); ++p)
        if (!is_finite_pair(p)) include(particles_of(p)[0]);
    return first;
}

}  // namespace beadwave::packing

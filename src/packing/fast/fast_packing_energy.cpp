// Motion, contacts and energy of the fast engine.

#include "fast_packing_engine.hpp"
#include "laws/visit_law.hpp"
#include "packing/pair_matching.hpp"

#include <cmath>

namespace beadwave::packing {
namespace {

std::vector<ContactState> sorted(std::vector<ContactState> contacts) {
    // Of images of the same particle the first stays the first, on any number of ranks.
    std::ranges::stable_sort(contacts, [](const ContactState& a, const ContactState& b) {
        return std::pair(a.first, a.second) < std::pair(b.first, b.second);
    });
    return contacts;
}

}  // namespace

Motion FastPackingEngine::motion(std::size_t particle) const {
    const std::uint32_t i = bodies_.body_of(particle);
    std::vector<Vec3> known(3);
    if (share_.has(i))
        known = {bodies_.displacement_from_start(i), bodies_.velocity(i),
                 bodies_.angular_velocity(i)};
    if (share_.shared()) share_rows(share_.ranks(), known);
    return {known[0], known[1], known[2]};
}

std::vector<Vec3> FastPackingEngine::displacement() const {
    return bodies_.of_all([&](std::size_t i) { return bodies_.displacement_from_start(i); });
}

Vec3 FastPackingEngine::net_force(std::size_t i) const {
    if (bodies_.is_fixed(i)) return force_on_fixed(i);
    if (const std::uint32_t c = elements_.carrier_of(bodies_.id(i)); c != ElementStepper::none)
        return elements_.contact_force(c);
    Vec3 by_contacts = bodies_.velocity_change(i) - (0.5 * dt_) * packing_.gravity;
    if (box_.has_pistons()) by_contacts -= push_change(i);
    return by_contacts * (1.0 / bodies_.kick(i));
}

Vec3 FastPackingEngine::net_rim_force(std::size_t i) const {
    if (const std::uint32_t c = elements_.carrier_of(bodies_.id(i)); c != ElementStepper::none)
        return elements_.contact_torque(c) * (1.0 / bodies_.radius(i));
    return bodies_.rim_change(i) * (1.0 / bodies_.rim_kick(i));
}

/// The velocity change of a fixed particle is 0, so its force is summed over its contacts.
Vec3 FastPackingEngine::force_on_fixed(std::size_t i) const {
    Vec3 sum{};
    for (const ContactState& c : sorted(closed_among(listed_, nullptr))) {
        if (c.first == bodies_.id(i)) sum += c.normal_force + c.tangential_force;
        if (c.second == bodies_.id(i)) sum -= c.normal_force + c.tangential_force;
    }
    return sum;
}

std::vector<Vec3> FastPackingEngine::velocity() const {
    return bodies_.of_all([&](std::size_t i) { return bodies_.velocity(i); });
}

std::vector<Vec3> FastPackingEngine::angular_velocity() const {
    return bodies_.of_all([&](std::size_t i) { return bodies_.angular_velocity(i); });
}

double FastPackingEngine::power_now() const {
    return sums_.of_particles([&](std::size_t i) {
        if (bodies_.is_fixed(i)) return 0.0;
        if (const std::uint32_t c = elements_.carrier_of(bodies_.id(i)); c != ElementStepper::none)
            return elements_.contact_power(c);
        return dot(net_force(i), bodies_.velocity(i)) +
               dot(bodies_.rim_change(i), bodies_.rim(i)) / bodies_.rim_kick(i);
    });
}

Vec3 FastPackingEngine::velocity_of(std::uint32_t body) const {
    if (body < bodies_.held()) return bodies_.velocity(body);
    const Ghost& ghost = bodies_.ghosts[body - bodies_.held()];
    if (ghost.wall < 0) {
        const Vec3 v = bodies_.velocity(ghost.of);
        return box_.strains() ? v + box_.rate().shift(ghost.image) : v;
    }
    const auto w = static_cast<std::size_t>(ghost.wall);
    return wall_step_[w].at(bodies_.position(body), loads_.velocity(w));
}

Vec3 FastPackingEngine::predicted_velocity(std::uint32_t first, std::uint32_t second) const {
    if (!bodies_.needs().predicted) return {};
    return triple(bodies_.predicted(second)) - triple(bodies_.predicted(first));
}

FastPackingEngine::StoredEnergy FastPackingEngine::stored() const {
    const auto over_pairs = [&](auto energy) {
        return sums_.of_pairs(home_.size(), [&](std::size_t p) { return energy(home_[p]); });
    };
    // The type of the law is found once, not for each pair, if all pairs have the same law.
    const auto of_one_law = [&]<class Law>(const Law& law) {
        return over_pairs([&](std::size_t e) {
            const auto memory = laws::from_fields<typename Law::Memory>(
                [&](std::size_t k) { return memory_.normal_column(k)[e]; });
            return law.stored_energy(geometry_of(e).overlap, memory);
        });
    };
    return {.normal = laws_.kinds() == 1
                          ? laws::visit_law(of_one_law, laws_.law(0).normal)
                          : over_pairs([&](std::size_t e) { return normal_energy(e); }),
            .tangential = slides_ || rolls_
                              ? over_pairs([&](std::size_t e) { return tangential_energy(e); })
                              : 0.0};
}

double FastPackingEngine::normal_energy(std::size_t e) const {
    return laws_.law(entries_.kind[e])
        .normal.stored_energy(geometry_of(e).overlap, memory_.normal(e));
}

double FastPackingEngine::tangential_energy(std::size_t e) const {
    double energy = 0.0;
    if (slides_) {
        energy += std::visit([&](const auto& l) { return l.stored_energy(0.0, spring_of(e)); },
                             laws_.law(entries_.kind[e]).slider);
    }
    if (rolls_) energy += rolling_energy(e);
    return energy;
}

double FastPackingEngine::rolling_energy(std::size_t e) const {
    return laws_.law(entries_.kind[e]).rolling.stored_energy(0.0, memory_.rolling(e));
}

double FastPackingEngine::stored_rolling() const {
    return sums_.of_pairs(home_.size(), [&](std::size_t p) { return rolling_energy(home_[p]); });
}

double FastPackingEngine::dissipated_rolling(double dissipated_tangential) const {
    if (!rolls_) return 0.0;
    if (!slides_) return dissipated_tangential;
    return sums_.of_particles([&](std::size_t i) { return bodies_.rolling_work()[i]; }) -
           stored_rolling();
}

PackingTotals FastPackingEngine::totals() const {
    // All in one pass: memory limits it.
    const auto all = sums_.of_particles<11>([&](std::size_t i) {
        const std::uint32_t particle = bodies_.id(i);
        const double m = packing_.mass[particle], inertia = packing_.inertia[particle];
        const Vec3 v = own_velocity(i), w = bodies_.angular_velocity(i),
                   d = bodies_.displacement_from_start(i), momentum = m * v,
                   angular = cross(packing_.position[particle] + d, momentum) + inertia * w;
        return std::array{0.5 * m * dot(v, v),
                          0.5 * inertia * dot(w, w),
                          momentum.x,
                          momentum.y,
                          momentum.z,
                          angular.x,
                          angular.y,
                          angular.z,
                          m * dot(packing_.gravity, d),
                          bodies_.tangential_work(i),
                          bodies_.power(i)};
    });
    const double tangential_work = all[9], power = all[10];
    PackingTotals t{};
    t.translational = all[0];
    t.rotational = all[1];
    t.momentum = {all[2], all[3], all[4]};
    t.angular_momentum = {all[5], all[6], all[7]};
    t.external_work = wall_work_ + all[8];
    if (loads_.any()) {
        t.translational += loads_.kinetic();
        t.external_work += loads_.external_work();
    }
    if (box_.strains()) {
        t.translational += box_.kinetic();
        t.external_work += box_.external_work();
    }
    if (elements_.any()) t.add(element_totals());
    if (population_.changes()) t.add(population_.inflow());
    const StoredEnergy now = stored();
    t.stored_normal = now.normal;
    t.stored_tangential = now.tangential;
    t.dissipated_tangential = tangential_work - now.tangential;
    t.dissipated_rolling = dissipated_rolling(t.dissipated_tangential);
    if (!traits_.conservative) {
        const double given = dt_ * (power - 0.5 * power_now() + 0.5 * initial_power_);
        // The contacts' work on moving walls and images is the negative of the walls' work.
        t.dissipated_normal = wall_work_ + box_.image_work() - given - tangential_work -
                              (now.normal - initial_stored_);
    }
    return t;
}

std::size_t FastPackingEngine::closed_contacts() const {
    std::int64_t closed = std::ranges::count_if(
        home_, [&](std::uint32_t e) { return touches(e, geometry_of(e).overlap); });
    if (share_.shared()) share_.ranks().sum({&closed, 1});
    return static_cast<std::size_t>(closed);
}

std::vector<ContactState> FastPackingEngine::contacts() const {
    if (share_.shared()) return sorted(contacts_of_all());
    return sorted(closed_among(home_, nullptr));
}

/// The closed contacts of some entries, in their order; `numbers`, if not null, gets their places
/// among them.
std::vector<ContactState> FastPackingEngine::closed_among(std::span<const std::uint32_t> entries,
                                                          std::vector<double>* numbers) const {
    std::vector<ContactState> closed;
    closed.reserve(static_cast<std::size_t>(std::ranges::count_if(
        entries, [&](std::uint32_t e) { return touches(e, geometry_of(e).overlap); })));
    for (std::size_t k = 0; k < entries.size(); ++k) {
        const std::uint32_t e = entries[k];
        const PairGeometry<double> s = geometry_of(e);
        if (!touches(e, s.overlap)) continue;
        const PairLaw& law = laws_.law(entries_.kind[e]);
        const std::uint32_t first = entries_.first[e], second = entries_.second[e];
        const double r1 = bodies_.radius(first), r2 = bodies_.radius(second);
        const Vec3 velocity = predicted_velocity(first, second);
        const double normal_force =
            law.normal.respond(s.overlap, -dot(velocity, s.normal), memory_.normal(e)).force;
        Vec3 tangential{};
        if (memory_.has_tangential_force()) {
            tangential = memory_.tangential_force(e);
        } else if (slides_) {
            const laws::Grip<double> grip = grip_of(e, s.overlap, normal_force);
            tangential = std::visit(
                [&](const auto& l) {
                    return l
                        .respond({.slip = {},
                                  .mean = {},
                                  .velocity = {},
                                  .overlap = grip.overlap,
                                  .normal_force = grip.force},
                                 spring_of(e))
                        .force;
                },
                law.slider);
        }
        const PairKey key = key_of_entry(e);
        ContactState c{.first = bodies_.id(first),
                       .second = key.wall >= 0 ? particles() + static_cast<std::size_t>(key.wall)
                                               : bodies_.id(key.second),
                       .overlap = s.overlap,
                       .point = r1 / (r1 + r2) * s.branch,
                       .branch = s.branch,
                       .normal_force = -normal_force * s.normal,
                       .tangential_force = -tangential};
        if (c.first > c.second) {
            std::swap(c.first, c.second);
            c.point = r2 / (r1 + r2) * -s.branch;
            c.branch = -c.branch;
            c.normal_force = -c.normal_force;
            c.tangential_force = -c.tangential_force;
        }
        closed.push_back(c);
        if (numbers != nullptr) numbers->push_back(static_cast<double>(k));
    }
    return closed;
}

DeepContact FastPackingEngine::deepest_in(std::size_t b) const {
    DeepContact deepest;
    for (std::size_t e = entries_.begin(b); e < entries_.end(b); ++e) {
        if (entries_.is_padding(e)) continue;
        const double overlap = mixed_ ? mixed_->overlap(entries_, e) : geometry_of(e).overlap;
        const double depth = depth_of(overlap, bodies_.steady_radius(entries_.first[e]),
                                      bodies_.steady_radius(entries_.second[e]));
        if (!(depth > deepest.depth)) continue;
        const PairKey key = key_of_entry(e);
        const std::size_t first = bodies_.id(entries_.first[e]);
        const std::size_t second = key.wall >= 0 ? particles() + static_cast<std::size_t>(key.wall)
                                                 : std::size_t{bodies_.id(key.second)};
        deepest = {depth, overlap, std::min(first, second), std::max(first, second), step_};
    }
    return deepest;
}

std::optional<std::size_t> FastPackingEngine::first_non_finite() const {
    std::size_t first_bad = particles();
    const auto check = [&](std::size_t slot, double x) {
        if (!std::isfinite(x)) first_bad = std::min<std::size_t>(first_bad, bodies_.id(slot));
    };
    for (std::size_t i = share_.begin(); i < share_.end(); ++i) {
        for (std::size_t k = 0; k < line; ++k) {
            check(i, bodies_.place(i)[k]);
            check(i, bodies_.half(i)[k]);
            check(i, bodies_.change(i)[k]);
        }
    }
    each_entry_column(*this, [&](const std::string&, const Column& column) {
        for (std::size_t e = 0; e < column.size(); ++e)
            check(entries_.first[e], column[e]);
    });
    for (std::size_t e = 0; mixed_ && slides_ && e < entries_.count(); ++e) {
        const laws::SliderMemory<double> spring = mixed_->spring(e);
        for (const double x : {spring.vector.x, spring.vector.y, spring.vector.z, spring.number})
            check(entries_.first[e], x);
    }
    if (const auto particle = elements_.first_non_finite())
        first_bad = std::min(first_bad, *particle);
    if (share_.shared()) {
        double last = -static_cast<double>(first_bad);
        share_.ranks().largest({&last, 1});
        first_bad = static_cast<std::size_t>(-last);
    }
    if (first_bad == particles()) return std::nullopt;
    return first_bad;
}

}  // namespace beadwave::packing

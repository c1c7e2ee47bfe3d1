// What particles carry, in the fast engine. The kernel moves all particles by their contacts; the
// lines of particles that carry something are then written again.

#include "carrier_share.hpp"
#include "fast_packing_engine.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace beadwave::packing {

void FastPackingEngine::list_carriers() {
    if (!elements_.any()) return;
    block_carriers_.assign(bodies_.blocks(), {});
    for (std::size_t c = 0; c < elements_.carriers(); ++c)
        block_carriers_[bodies_.slot(elements_.particle(c)) / block_size].push_back(
            static_cast<std::uint32_t>(c));
    for (std::size_t b = 0; b < bodies_.blocks(); ++b) {
        if (!block_carriers_[b].empty()) sleep_.keep_awake(b);
    }
}

void FastPackingEngine::predict_carriers() {
    for (std::size_t c = 0; c < elements_.carriers(); ++c) {
        const std::size_t i = bodies_.body_of(elements_.particle(c));
        if (!share_.has(i)) continue;
        const Vec3 change = bodies_.velocity_change(i), rim = bodies_.rim_change(i);
        elements_.predict(c, (bodies_.velocity(i) + change) + change,
                          ((bodies_.rim(i) + rim) + rim) * (1.0 / bodies_.radius(i)));
    }
}

void FastPackingEngine::place_carrier(std::size_t c, ElementStepper::Step step, double* place,
                                      double* half, double* predicted, Extent& extent) {
    if (!elements_.is_driven(c)) return;
    const Vec3 moved = triple(place + 4) - packing_.position[elements_.particle(c)];
    const Vec3 before = moved + triple(place);
    CarrierPlace at{.displacement = before,
                    .half = triple(half),
                    .predicted = {},
                    .half_angular_velocity = {},
                    .predicted_angular_velocity = {}};
    if (predicted != nullptr) at.predicted = triple(predicted);
    const Vec3 free = at.half, free_rim = triple(half + 4);
    elements_.place(c, step, at);
    const double was[] = {before.x, before.y, before.z}, origin[] = {moved.x, moved.y, moved.z};
    const double now[] = {at.displacement.x, at.displacement.y, at.displacement.z};
    for (std::size_t k = 0; k < 3; ++k) {
        if (now[k] != was[k]) place[k] = now[k] - origin[k];
    }
    put(half, at.half);
    if (predicted != nullptr) put(predicted, at.predicted);
    if (!elements_.may_turn(c)) {
        put(half + 4, place[3] * at.half_angular_velocity);
        if (predicted != nullptr) put(predicted + 4, place[3] * at.predicted_angular_velocity);
    }
    if (works_) {
        const bool present = step == ElementStepper::Step::present;
        works_->bend(present ? bodies_.side() : bodies_.side() ^ 1, c,
                     {free - at.half, free_rim - triple(half + 4)});
    }
    const std::array<double, 3> d{place[0], place[1], place[2]};
    extent.include({d, d});
}

void FastPackingEngine::step_carriers(std::size_t b, double step, const Sums& sums) {
    for (const std::uint32_t c : block_carriers_[b]) {
        const std::size_t i = bodies_.body_of(elements_.particle(c));
        const double radius = bodies_.radius(i);
        const double* const half = bodies_.half(i);
        // The kernel may move the particle in place.
        carrier_lines_[c] = {bodies_.displacement(i), triple(half), triple(half + 4), half[7]};
        const std::size_t at = line * (i - share_.block_begin(b));
        Vec3 torque = radius * triple(sums.force + at + 4);
        if (sums.torque != nullptr) torque += triple(sums.torque + at + 4);
        carried_[c] = elements_.step(c,
                                     {.displacement = bodies_.displacement_from_start(i),
                                      .half = triple(half),
                                      .half_angular_velocity = triple(half + 4) * (1.0 / radius),
                                      .contact_force = triple(sums.force + at),
                                      .contact_torque = torque},
                                     step);
    }
}

void FastPackingEngine::move_carriers(std::size_t b, bool last, bool power, Extent& extent) {
    const Lines after = last ? bodies_.changes() : bodies_.next_lines();
    for (const std::uint32_t c : block_carriers_[b]) {
        const std::size_t i = bodies_.body_of(elements_.particle(c));
        const CarrierMotion& motion = carried_[c];
        const CarrierLines& before = carrier_lines_[c];
        double* const half = after.half + line * i;
        const Vec3 change = motion.change, rim = bodies_.radius(i) * motion.angular_change;
        if (power) half[7] = (last ? 0.0 : before.power) + motion.contact_power;
        if (last) {
            put(half, change);
            put(half + 4, rim);
            continue;
        }
        // As finish_step() and drift() would do.
        const Vec3 next = (before.half + change) + change;
        const Vec3 next_rim = (before.half_rim + rim) + rim;
        put(half, next);
        put(half + 4, next_rim);
        double* const to = after.place + line * i;
        put(to, before.displacement + dt_ * next);
        double* const predicted = after.predicted != nullptr ? after.predicted + line * i : nullptr;
        if (predicted != nullptr) {
            put(predicted, next + change);
            put(predicted + 4, next_rim + rim);
        }
        elements_.predict(c, next + change, (next_rim + rim) * (1.0 / bodies_.radius(i)));
        const std::array<double, 3> d{to[0], to[1], to[2]};
        extent.include({d, d});
        place_carrier(c, ElementStepper::Step::next, to, half, predicted, extent);
        if (contacts_.mixed) contacts_.mixed->put_next(bodies_, i);
    }
}

ElementTotals FastPackingEngine::element_totals() const {
    constexpr std::size_t count = ElementTotals::numbers;
    std::array<double, count> all = sums_.of_particles<count>([&](std::size_t i) {
        ElementTotals own = elements_.totals_of(bodies_.id(i), bodies_.displacement_from_start(i));
        std::array<double, count> numbers;
        std::size_t k = 0;
        own.each_number([&](double number) { numbers[k++] = number; });
        return numbers;
    });
    ElementTotals totals;
    std::size_t k = 0;
    totals.each_number([&](double& number) { number = all[k++]; });
    return totals;
}

// With ranks.

const ElementStepper& FastPackingEngine::elements() const {
    if (share_.shared() && elements_.any() && !elements_complete_) {
        complete_elements(elements_, packing_.elements.bonds, share_.ranks(),
                          [&](std::size_t particle) { return bodies_.owner(particle); });
        elements_complete_ = true;
    }
    return elements_;
}

std::vector<Vec3> FastPackingEngine::drive_forces() const {
    return of_drives(elements_.drive_forces());
}

std::vector<Vec3> FastPackingEngine::drive_torques() const {
    return of_drives(elements_.drive_torques());
}

/// The vectors of the drives of all ranks, from those of the own drives among them.
std::vector<Vec3> FastPackingEngine::of_drives(std::vector<Vec3> all) const {
    if (!share_.shared() || all.empty()) return all;
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (!bodies_.owns(packing_.elements.driven[k].particle)) all[k] = {};
    }
    share_rows(share_.ranks(), all);
    return all;
}

std::vector<BrokenBond> FastPackingEngine::broken_bonds(double after) const {
    std::vector<BrokenBond> broken = elements_.bonds().broken(after);
    if (!share_.shared()) return broken;
    std::erase_if(broken, [&](const BrokenBond& each) {
        return !bodies_.owns(packing_.elements.bonds[each.bond].first);
    });
    std::vector<BrokenBond> all;
    for (const auto& theirs : share_.ranks().gather_numbers<BrokenBond>(broken))
        all.insert(all.end(), theirs.begin(), theirs.end());
    std::ranges::sort(all, {}, &BrokenBond::bond);
    return all;
}

std::vector<std::uint32_t> FastPackingEngine::owners_of_carriers() const {
    std::vector<std::uint32_t> owner;
    if (!share_.shared() || !elements_.any()) return owner;
    for (const std::uint32_t slot : bodies_.slots())
        owner.push_back(static_cast<std::uint32_t>(share_.owner(slot)));
    return owner;
}

void FastPackingEngine::move_carried(const std::vector<std::uint32_t>& owner_before) {
    if (owner_before.empty()) return;
    move_elements(
        elements_, packing_.elements.bonds, share_.ranks(),
        [&](std::size_t particle) -> std::size_t { return owner_before[particle]; },
        [&](std::size_t particle) { return bodies_.owner(particle); });
}

void FastPackingEngine::add_bonds_to_halo() {
    if (!elements_.bonds().any()) return;
    std::vector<std::uint32_t> own;
    const std::vector<Bond>& bonds = packing_.elements.bonds;
    for (std::size_t k = 0; k < bonds.size(); ++k) {
        const std::uint32_t first = bodies_.slot(bonds[k].first),
                            second = bodies_.slot(bonds[k].second);
        const bool has_first = share_.has_slot(first), has_second = share_.has_slot(second);
        if (!has_first && !has_second) continue;
        if (!elements_.bonds().states()[k].intact()) continue;
        own.push_back(static_cast<std::uint32_t>(k));
        if (!has_second) share_.add_pair(share_.body_of(first), share_.body_of(second));
        if (!has_first) share_.add_pair(share_.body_of(second), share_.body_of(first));
    }
    elements_.pull_only(std::move(own));
}

}  // namespace beadwave::packing

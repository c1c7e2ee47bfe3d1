#include "block_elements.hpp"

#include "contact_works.hpp"
#include "mixed/mixed_pairs.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace beadwave::packing {

BlockElements::BlockElements(Surroundings& around, Bodies& bodies, BlockShare& share)
    : stepper(around.elements),
      packing_(around.packing),
      time_step_(around.dt),
      bodies_(bodies),
      share_(share),
      motion_(stepper.carriers()),
      before_(stepper.carriers()) {}

void BlockElements::list(BlockSleep& sleep) {
    if (!any()) return;
    of_block_.assign(bodies_.blocks(), {});
    for (std::size_t c = 0; c < stepper.carriers(); ++c)
        of_block_[slot_of_carrier(c) / block_size].push_back(static_cast<std::uint32_t>(c));
    for (std::size_t b = 0; b < bodies_.blocks(); ++b) {
        if (!of_block_[b].empty()) sleep.keep_awake(b);
    }
    body_.clear();
    for (std::size_t c = 0; share_.shared() && c < stepper.carriers(); ++c)
        body_.push_back(bodies_.body_of(stepper.particle(c)));
}

void BlockElements::take_velocities() {
    for (std::size_t c = 0; c < stepper.carriers(); ++c) {
        const std::uint32_t i = body(c);
        if (share_.has(i)) stepper.predict(c, bodies_.velocity(i), bodies_.angular_velocity(i));
    }
}

void BlockElements::predict() {
    for (std::size_t c = 0; c < stepper.carriers(); ++c) {
        const std::size_t i = body(c);
        if (!share_.has(i)) continue;
        const Vec3 change = bodies_.velocity_change(i), rim = bodies_.rim_change(i);
        stepper.predict(c, (bodies_.velocity(i) + change) + change,
                        ((bodies_.rim(i) + rim) + rim) * (1.0 / bodies_.radius(i)));
    }
}

void BlockElements::place(std::size_t c, ElementStepper::Step step, const Lines& lines,
                          std::size_t i, Extent& extent) {
    if (!stepper.is_driven(c)) return;
    double *const place = lines.place + line * i, *const half = lines.half + line * i;
    double* const predicted = lines.predicted != nullptr ? lines.predicted + line * i : nullptr;
    const Vec3 moved = triple(place + 4) - packing_.position[stepper.particle(c)];
    const Vec3 before = moved + triple(place);
    CarrierPlace at{.displacement = before,
                    .half = triple(half),
                    .predicted = {},
                    .half_angular_velocity = {},
                    .predicted_angular_velocity = {}};
    if (predicted != nullptr) at.predicted = triple(predicted);
    const Vec3 free = at.half, free_rim = triple(half + 4);
    stepper.place(c, step, at);
    const double was[] = {before.x, before.y, before.z}, origin[] = {moved.x, moved.y, moved.z};
    const double now[] = {at.displacement.x, at.displacement.y, at.displacement.z};
    for (std::size_t k = 0; k < 3; ++k) {
        if (now[k] != was[k]) place[k] = now[k] - origin[k];
    }
    put(half, at.half);
    if (predicted != nullptr) put(predicted, at.predicted);
    if (!stepper.may_turn(c)) {
        put(half + 4, place[3] * at.half_angular_velocity);
        if (predicted != nullptr) put(predicted + 4, place[3] * at.predicted_angular_velocity);
    }
    if (works != nullptr) {
        const bool present = step == ElementStepper::Step::present;
        works->bend(present ? bodies_.side() : bodies_.side() ^ 1, c,
                    {free - at.half, free_rim - triple(half + 4)});
    }
    const std::array<double, 3> d{place[0], place[1], place[2]};
    extent.include({d, d});
}

void BlockElements::begin_forces(double step) {
    complete_ = false;
    stepper.pull_bonds(
        [&](std::size_t particle) -> BondStepper::End {
            const std::uint32_t carrier = stepper.carrier_of(particle);
            const std::size_t i =
                carrier != ElementStepper::none ? body(carrier) : bodies_.body_of(particle);
            return {bodies_.displacement_from_start(i), bodies_.velocity(i),
                    bodies_.angular_velocity(i)};
        },
        step);
}

void BlockElements::step(std::size_t b, double step, const Sums& sums) {
    if (!any()) return;
    for (const std::uint32_t c : of_block_[b]) {
        const std::size_t i = body(c);
        const double radius = bodies_.radius(i);
        const double* const half = bodies_.half(i);
        // The kernel may move the particle in place.
        before_[c] = {bodies_.displacement(i), triple(half), triple(half + 4), half[7]};
        const std::size_t at = line * (i - share_.block_begin(b));
        Vec3 torque = radius * triple(sums.force + at + 4);
        if (sums.torque != nullptr) torque += triple(sums.torque + at + 4);
        motion_[c] = stepper.step(c,
                                  {.displacement = bodies_.displacement_from_start(i),
                                   .half = triple(half),
                                   .half_angular_velocity = triple(half + 4) * (1.0 / radius),
                                   .contact_force = triple(sums.force + at),
                                   .contact_torque = torque},
                                  step);
    }
}

void BlockElements::move(std::size_t b, bool last, bool power, Extent& extent, MixedPairs* mixed) {
    if (!any()) return;
    const Lines after = last ? bodies_.changes() : bodies_.next_lines();
    for (const std::uint32_t c : of_block_[b]) {
        const std::size_t i = body(c);
        const CarrierMotion& motion = motion_[c];
        const Before& before = before_[c];
        double* const half = after.half + line * i;
        const Vec3 change = motion.change, rim = bodies_.radius(i) * motion.angular_change;
        if (power) half[7] = (last ? 0.0 : before.power) + motion.contact_power;
        if (last) {
            put(half, change);
            put(half + 4, rim);
            continue;
        }
        // As the end of an advance and the beginning of the next one would do.
        const Vec3 next = (before.half + change) + change;
        const Vec3 next_rim = (before.half_rim + rim) + rim;
        put(half, next);
        put(half + 4, next_rim);
        double* const to = after.place + line * i;
        put(to, before.displacement + time_step_ * next);
        if (after.predicted != nullptr) {
            put(after.predicted + line * i, next + change);
            put(after.predicted + line * i + 4, next_rim + rim);
        }
        stepper.predict(c, next + change, (next_rim + rim) * (1.0 / bodies_.radius(i)));
        const std::array<double, 3> d{to[0], to[1], to[2]};
        extent.include({d, d});
        place(c, ElementStepper::Step::next, after, i, extent);
        if (mixed != nullptr) mixed->put_next(bodies_, i);
    }
}

ElementTotals BlockElements::totals(const TermSums& sums) const {
    constexpr std::size_t count = ElementTotals::numbers;
    std::array<double, count> all = sums.of_particles<count>([&](std::size_t i) {
        ElementTotals own = stepper.totals_of(bodies_.id(i), bodies_.displacement_from_start(i));
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

const ElementStepper& BlockElements::all() {
    if (share_.shared() && any() && !complete_) {
        complete_elements(stepper, share_.ranks(), owners());
        complete_ = true;
    }
    return stepper;
}

/// The vectors of the drives of all ranks, from those of the own drives among them.
std::vector<Vec3> BlockElements::of_drives(std::vector<Vec3> all) const {
    if (!share_.shared() || all.empty()) return all;
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (!bodies_.owns(packing_.elements.driven[k].particle)) all[k] = {};
    }
    share_rows(share_.ranks(), all);
    return all;
}

std::vector<BrokenBond> BlockElements::broken_bonds(double after) const {
    std::vector<BrokenBond> broken = stepper.bonds().broken(after);
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

void BlockElements::find_slots() {
    if (!share_.shared() || !any()) return;
    std::vector<std::int64_t> slots;
    const auto add = [&](std::size_t particle) {
        const std::uint32_t body = bodies_.body_of(particle);
        slots.push_back(share_.has(body) ? bodies_.slot_of(body) : 0);
    };
    for (std::size_t c = 0; c < stepper.carriers(); ++c)
        add(stepper.particle(c));
    for (const Bond& bond : packing_.elements.bonds) {
        add(bond.first);
        add(bond.second);
    }
    share_.ranks().sum(slots);  // each has one owner
    slot_.assign(slots.begin(), slots.end());
}

ElementOwners BlockElements::owners() const {
    ElementOwners owners;
    if (!share_.shared() || !any()) return owners;
    const auto owner = [&](std::uint32_t slot) {
        return static_cast<std::uint32_t>(share_.owner(slot));
    };
    for (std::size_t c = 0; c < stepper.carriers(); ++c)
        owners.carrier.push_back(owner(slot_[c]));
    for (std::size_t k = 0; k < packing_.elements.bonds.size(); ++k) {
        const auto [first, second] = slots_of_bond(k);
        owners.bond.push_back({owner(first), owner(second)});
    }
    return owners;
}

void BlockElements::follow(const ElementOwners& before) {
    if (!share_.shared() || !any()) return;
    move_elements(stepper, share_.ranks(), before, owners());
}

void BlockElements::add_bonds_to_halo() {
    if (!stepper.bonds().any()) return;
    std::vector<std::uint32_t> own;
    const std::vector<Bond>& bonds = packing_.elements.bonds;
    for (std::size_t k = 0; k < bonds.size(); ++k) {
        const auto [first, second] = slots_of_bond(k);
        const bool has_first = share_.has_slot(first), has_second = share_.has_slot(second);
        if (!has_first && !has_second) continue;
        if (!stepper.bonds().states()[k].intact()) continue;
        own.push_back(static_cast<std::uint32_t>(k));
        if (!has_second) share_.add_pair(share_.body_of(first), share_.body_of(second));
        if (!has_first) share_.add_pair(share_.body_of(second), share_.body_of(first));
    }
    stepper.pull_only(std::move(own));
}

void BlockElements::add_wanted(std::vector<std::vector<std::uint32_t>>& wanted) const {
    const std::vector<Bond>& bonds = packing_.elements.bonds;
    for (std::size_t k = 0; k < bonds.size(); ++k) {
        if (!stepper.bonds().states()[k].intact()) continue;
        const auto [first, second] = slots_of_bond(k);
        for (const auto& [here, there] : {std::pair(first, second), std::pair(second, first)}) {
            if (share_.has_slot(here) && !share_.has_slot(there))
                wanted[share_.owner(there)].push_back(share_.body_of(here));
        }
    }
}

}  // namespace beadwave::packing

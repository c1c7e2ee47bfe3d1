// What particles carry, in the fast engine. The kernel moves all particles by their contacts; the
// lines of particles that carry something are then written again.

#include "fast_packing_engine.hpp"

namespace beadwave::packing {

void FastPackingEngine::list_carriers() {
    if (!elements_.any()) return;
    block_carriers_.assign(blocks(), {});
    for (std::size_t c = 0; c < elements_.carriers(); ++c)
        block_carriers_[slot_[elements_.particle(c)] / block_size].push_back(
            static_cast<std::uint32_t>(c));
    for (std::size_t b = 0; b < blocks(); ++b) {
        if (!block_carriers_[b].empty()) stays_awake_[b] = true;
    }
}

void FastPackingEngine::predict_carriers() {
    for (std::size_t c = 0; c < elements_.carriers(); ++c) {
        const std::size_t i = slot_[elements_.particle(c)];
        const double *v = velocity(i), *g = velocity_change(i);
        const Vec3 change = triple(g), rim = triple(g + 4);
        elements_.predict(c, (triple(v) + change) + change,
                          ((triple(v + 4) + rim) + rim) * (1.0 / place(i)[3]));
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
    elements_.place(c, step, at);
    const double was[] = {before.x, before.y, before.z}, origin[] = {moved.x, moved.y, moved.z};
    const double now[] = {at.displacement.x, at.displacement.y, at.displacement.z};
    for (std::size_t k = 0; k < 3; ++k) {
        if (now[k] != was[k]) place[k] = now[k] - origin[k];
    }
    put(half, at.half);
    if (predicted != nullptr) put(predicted, at.predicted);
    if (!elements_.may_turn(c)) {
        put(half + 4, {});
        if (predicted != nullptr) put(predicted + 4, {});
    }
    const std::array<double, 3> d{place[0], place[1], place[2]};
    extent.include({d, d});
}

void FastPackingEngine::step_carriers(std::size_t b, double step, const Sums& sums) {
    for (const std::uint32_t c : block_carriers_[b]) {
        const std::size_t i = slot_[elements_.particle(c)];
        const double radius = place(i)[3];
        const double* const half = half_[now_].data() + line * i;
        const std::size_t at = line * (i - b * block_size);
        Vec3 torque = radius * triple(sums.force + at + 4);
        if (sums.torque != nullptr) torque += triple(sums.torque + at + 4);
        carried_[c] = elements_.step(c,
                                     {.displacement = displacement_of(i),
                                      .half = triple(half),
                                      .half_angular_velocity = triple(half + 4) * (1.0 / radius),
                                      .contact_force = triple(sums.force + at),
                                      .contact_torque = torque},
                                     step);
    }
}

void FastPackingEngine::move_carriers(std::size_t b, bool last, bool power, Extent& extent) {
    const Lines after = lines(now_ ^ 1);
    for (const std::uint32_t c : block_carriers_[b]) {
        const std::size_t i = slot_[elements_.particle(c)];
        const CarrierMotion& motion = carried_[c];
        const double* const before = half_[now_].data() + line * i;
        double* const half = after.half + line * i;
        const Vec3 change = motion.change, rim = place(i)[3] * motion.angular_change;
        if (power) half[7] = (last ? 0.0 : before[7]) + motion.contact_power;
        if (last) {
            put(half, change);
            put(half + 4, rim);
            continue;
        }
        // As finish_step() and drift() would do.
        const Vec3 next = (triple(before) + change) + change;
        const Vec3 next_rim = (triple(before + 4) + rim) + rim;
        put(half, next);
        put(half + 4, next_rim);
        double* const to = after.place + line * i;
        put(to, triple(place(i)) + dt_ * next);
        double* const predicted = after.predicted != nullptr ? after.predicted + line * i : nullptr;
        if (predicted != nullptr) {
            put(predicted, next + change);
            put(predicted + 4, next_rim + rim);
        }
        elements_.predict(c, next + change, (next_rim + rim) * (1.0 / place(i)[3]));
        const std::array<double, 3> d{to[0], to[1], to[2]};
        extent.include({d, d});
        place_carrier(c, ElementStepper::Step::next, to, half, predicted, extent);
    }
}

std::vector<Vec3> FastPackingEngine::carrier_displacements() const {
    std::vector<Vec3> all;
    for (std::size_t c = 0; c < elements_.carriers(); ++c)
        all.push_back(displacement_of(slot_[elements_.particle(c)]));
    return all;
}

}  // namespace beadwave::packing

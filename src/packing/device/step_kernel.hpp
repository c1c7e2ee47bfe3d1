// The step of one particle on a device: the forces of all its pairs, in the order of its row, then
// its new velocity and place. Operation by operation this is the fast engine's vector code
// (packing_step.inl.hpp, packing_slide.inl.hpp, packing_roll.inl.hpp, packing_kick.inl.hpp).
#pragma once

#include "beadwave/laws/neck.hpp"
#include "beadwave/laws/response.hpp"
#include "exact_power.hpp"
#include "laws/tangential/rolling_slider.hpp"
#include "laws/tangential/slider.hpp"
#include "packing/contacts/pair_kinematics.hpp"
#include "step_arguments.hpp"

#include <utility>

namespace beadwave::packing::on_device {

/// Calls visit(k) for all numbers of a line: never a loop, whose numbers would be in memory.
template <class Visit>
inline void each_number(Visit visit) {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
        (visit(k), ...);
    }
    (std::make_index_sequence<line>{});
}

/// A line in memory, which the compiler may load in large parts.
template <class Pointer>
inline Pointer aligned(Pointer to) {
    return static_cast<Pointer>(__builtin_assume_aligned(to, line * sizeof(double)));
}

/// The numbers of a line.
template <class Number>
struct Line {
    Number at[line];

    static Line load(const double* unaligned) {
        const double* const from = aligned(unaligned);
        Line l;
        each_number([&](std::size_t k) { l.at[k] = from[k]; });
        return l;
    }
    void store(double* unaligned) const {
        double* const to = aligned(unaligned);
        each_number([&](std::size_t k) { to[k] = at[k].value; });
    }
    Triple<Number> triple(std::size_t from) const { return {at[from], at[from + 1], at[from + 2]}; }
};

template <class Number>
Triple<Number> load_triple(const double* const* columns, std::size_t at) {
    return {columns[0][at], columns[1][at], columns[2][at]};
}
template <class Number>
void store_triple(const Triple<Number>& v, double* const* columns, std::size_t at) {
    columns[0][at] = v.x.value;
    columns[1][at] = v.y.value;
    columns[2][at] = v.z.value;
}

/// The first and the second of a pair, of what a particle and the other body have.
struct Order {
    bool swapped;
    template <class Number>  // second minus first
    Triple<Number> difference(const Triple<Number>& mine, const Triple<Number>& others) const {
        return swapped ? mine - others : others - mine;
    }
};

/// The sums over the pairs of a particle.
template <class Number>
struct PairSums {
    Triple<Number> force{}, lever{}, torque{};
    Number work, rolling_work, deepest;
    bool delicate = false;  ///< a number of the contacts' memory is tiny
};

/// Stores a number of a contact's memory.
template <class Number>
void remember(const Number& x, double* column, std::size_t at, PairSums<Number>& sums) {
    column[at] = x.value;
    sums.delicate = sums.delicate || tiny(x.value);
}
template <class Number>
void remember(const laws::SliderMemory<Number>& m, double* const* columns, std::size_t at,
              PairSums<Number>& sums) {
    remember(m.vector.x, columns[0], at, sums);
    remember(m.vector.y, columns[1], at, sums);
    remember(m.vector.z, columns[2], at, sums);
    remember(m.number, columns[3], at, sums);
}

template <class Number, class Law, class Slider, bool rolls>
void add_pair(const StepArguments& a, std::size_t at, const Line<Number>& place,
              const Line<Number>& half, const Line<Number>& predicted, PairSums<Number>& sums) {
    constexpr bool slides = laws::field_count < Slider >> 0;
    using Memory = typename Law::Memory;
    using Vector = Triple<Number>;
    const std::uint32_t bits = a.sides.other[at], other = bits & body_mask;
    const Order order{(bits & is_second) != 0};
    const std::size_t row = a.sides.row != nullptr ? a.sides.row[at] : 0;
    const auto its_place = Line<Number>::load(a.before.place + line * other);

    Vector reference = place.triple(4), displacement = place.triple(0);
    Vector velocity_half = half.triple(0), velocity_at_end = predicted.triple(0);
    if ((bits & is_image) != 0) {
        const std::size_t image = line * a.sides.self[at];
        const auto its = Line<Number>::load(a.before.place + image);
        reference = its.triple(4);
        displacement = its.triple(0);
        velocity_half = Line<Number>::load(a.before.half + image).triple(0);
        if (a.before.predicted != nullptr)
            velocity_at_end = Line<Number>::load(a.before.predicted + image).triple(0);
    }
    const auto geometry =
        pair_geometry<Number>({.reference = order.difference(reference, its_place.triple(4)),
                               .displacement = order.difference(displacement, its_place.triple(0)),
                               .radii = place.at[3] + its_place.at[3],
                               .gap = a.sides.gap[at]});
    const Number depth = geometry.overlap * (place.at[7] + its_place.at[7]);
    sums.deepest = max(sums.deepest, depth);  // NaN does not count

    PairVelocities<Number> at_end{};
    Line<Number> its_predicted{};
    Number approach_speed = 0.0;
    if (a.before.predicted != nullptr) {
        its_predicted = Line<Number>::load(a.before.predicted + line * other);
        at_end = {order.difference(velocity_at_end, its_predicted.triple(0)),
                  predicted.triple(4) + its_predicted.triple(4)};
        approach_speed = -dot(at_end.velocity, geometry.normal);
    }
    const Law law =
        laws::from_fields<Law>([&](std::size_t k) { return Number(a.parameters.law[k][row]); });
    const auto before =
        laws::from_fields<Memory>([&](std::size_t k) { return Number(a.sides.memory[k][at]); });
    const auto of_law = law.respond(geometry.overlap, approach_speed, before);
    const Number normal_force = of_law.force;
    laws::to_fields(of_law.memory, [&](std::size_t k, const Number& value) {
        remember(value, a.sides.memory[k], at, sums);
    });
    Number grip_overlap = geometry.overlap, grip_force = normal_force;
    if constexpr (laws::AdhesiveLaw<Law>) {
        const auto grip = law.grip(geometry.overlap, normal_force, of_law.memory);
        grip_overlap = grip.overlap;
        grip_force = grip.force;
    }

    Number work = 0.0;
    Vector tangential{};
    const Number turning = a.parameters.turning[row];
    const Number inverse_radii = a.parameters.inverse_radii[row];
    const Number step = a.sliding_step;
    PairSlip<Number> slip{};
    Line<Number> its_half{};
    if constexpr (slides || rolls) {
        its_half = Line<Number>::load(a.before.half + line * other);
        const PairVelocities<Number> middle{order.difference(velocity_half, its_half.triple(0)),
                                            half.triple(4) + its_half.triple(4)};
        slip = slip_of<Number>(geometry, middle, inverse_radii, step,
                               turning * Number(0.5 * a.sliding_step));
    }
    if constexpr (slides) {
        const Vector turned = laws::turned(load_triple<Number>(a.sides.sliding, at), slip.middle,
                                           slip.inverse_middle_squared, geometry.normal);
        Vector velocity{};
        if constexpr (Slider::needs_velocity)
            velocity = sliding_velocity<Number>(geometry, at_end, inverse_radii);
        const Slider slider = laws::from_fields<Slider>(
            [&](std::size_t k) { return Number(a.parameters.slider[k][row]); });
        const auto response = slider.respond({.slip = slip.mean * step,
                                              .mean = slip.mean,
                                              .velocity = velocity,
                                              .overlap = grip_overlap,
                                              .normal_force = grip_force},
                                             {turned, Number(a.sides.sliding[3][at])});
        remember(response.memory, a.sides.sliding, at, sums);
        if constexpr (Slider::needs_velocity) {
            if (a.sides.tangential_force[0] != nullptr)
                store_triple(response.force, a.sides.tangential_force, at);
        }
        tangential = response.force;
        work = response.work;
    }
    const auto share = [&](const Number& of) { return of * (Number(1.0) - turning * Number(0.5)); };
    if constexpr (rolls) {
        const Vector before_turn = load_triple<Number>(a.sides.rolling, at);
        const Vector reflected =
            before_turn - slip.middle * (Number(2.0) * dot(before_turn, slip.middle) *
                                         slip.inverse_middle_squared);
        // A wall has radius 0 and does not rotate.
        const auto rotation = [&](const Line<Number>& mine, const Line<Number>& its) {
            const Vector of_mine = mine.triple(4) * (Number(1.0) / max(place.at[3], 1e-300));
            const Vector of_other = its.triple(4) * (Number(1.0) / max(its_place.at[3], 1e-300));
            return order.swapped ? of_other - of_mine : of_mine - of_other;
        };
        const auto resistance = laws::from_fields<laws::RollingSlider<Number>>(
            [&](std::size_t k) { return Number(a.parameters.rolling[k][row]); });
        const Vector angular_velocity = rotation(half, its_half);
        const auto response = resistance.respond(
            {.angle = angular_velocity * step,
             .mean = angular_velocity,
             .velocity = rotation(predicted, its_predicted),
             .normal = geometry.normal,
             .overlap = grip_overlap,
             .normal_force = grip_force},
            {reflected - geometry.normal * (Number(2.0) * dot(reflected, geometry.normal)),
             Number(a.sides.rolling[3][at])});
        remember(response.memory, a.sides.rolling, at, sums);
        work = work + response.work;
        sums.torque = order.swapped ? response.force + sums.torque : sums.torque - response.force;
        sums.rolling_work = share(response.work) + sums.rolling_work;
    }
    Vector force = geometry.normal * normal_force;
    if constexpr (slides) {
        force += tangential;
        sums.lever = cross(tangential, geometry.branch) * inverse_radii + sums.lever;
    }
    if constexpr (slides || rolls) sums.work = share(work) + sums.work;
    sums.force = order.swapped ? force + sums.force : sums.force - force;
    if (a.ghost_force == nullptr || other < a.particles || order.swapped) return;
    if (const std::uint32_t to = a.sides.self[at]; to != none) {
        a.ghost_force[3 * to] = force.x.value;
        a.ghost_force[3 * to + 1] = force.y.value;
        a.ghost_force[3 * to + 2] = force.z.value;
    }
}

/// Whether a number of a line is tiny, except sums of work, which meet nothing but each other.
template <class Number>
bool has_tiny(const Line<Number>& l) {
    return tiny(l.at[0].value) || tiny(l.at[1].value) || tiny(l.at[2].value) ||
           tiny(l.at[4].value) || tiny(l.at[5].value) || tiny(l.at[6].value);
}

/// The new lines of a particle; `moved`: its place.
template <bool rolls, class Number>
void kick_particle(const StepArguments& a, std::size_t i, const PairSums<Number>& s,
                   const Line<Number>& place, const Line<Number>& before, Triple<Number>& moved) {
    const Number m = a.kick[2 * i], l = a.kick[2 * i + 1];
    const Number sum[line] = {s.force.x, s.force.y, s.force.z, s.work,
                              s.lever.x, s.lever.y, s.lever.z, 0.0};
    const Number turns[line] = {0.0,        0.0,        0.0,        s.rolling_work,
                                s.torque.x, s.torque.y, s.torque.z, 0.0};
    const auto centre = [](std::size_t k) -> Number { return k < 3 ? 1.0 : 0.0; };
    const auto rim = [](std::size_t k) -> Number { return k > 3 && k < 7 ? 1.0 : 0.0; };
    Line<Number> change, work;
    each_number([&](std::size_t k) {
        change.at[k] = sum[k] * (centre(k) * m + rim(k) * l);
        if constexpr (rolls)
            change.at[k] = change.at[k] + turns[k] * (rim(k) * Number(a.angular_kick[i]));
        if (m > 0.0) change.at[k] = change.at[k] + Number(a.gravity_change[k]);  // 0: fixed
        work.at[k] = sum[k] * Number(k == 3 ? 1.0 : 0.0);
    });
    if constexpr (rolls) a.rolling_work[i] = (Number(a.rolling_work[i]) + s.rolling_work).value;
    if (a.power != 0 && m > 0.0) {
        // Velocity change over kick is force; gravity does not count.
        Line<Number> v;
        const Line<Number>& g = change;
        each_number([&](std::size_t k) { v.at[k] = before.at[k] + change.at[k]; });
        const Number by_mass = Number(1.0) / m, by_inertia = Number(1.0) / l;
        const auto without_gravity = [&](std::size_t k) {
            return (g.at[k] - Number(a.gravity_change[k])) * v.at[k];
        };
        const Number power =
            by_mass * (without_gravity(0) + without_gravity(1) + without_gravity(2)) +
            by_inertia * (g.at[4] * v.at[4] + g.at[5] * v.at[5] + g.at[6] * v.at[6]);
        each_number(
            [&](std::size_t k) { work.at[k] = work.at[k] + Number(k == 7 ? 1.0 : 0.0) * power; });
    }
    if (a.after.place == nullptr) {
        Line<Number> changes;
        each_number([&](std::size_t k) { changes.at[k] = change.at[k] + work.at[k]; });
        changes.store(a.after.half + line * i);
        return;
    }
    Line<Number> half, next;
    each_number([&](std::size_t k) {
        const Number velocity = before.at[k] + (change.at[k] + work.at[k]);
        half.at[k] = velocity + change.at[k];
        next.at[k] = place.at[k] + half.at[k] * (centre(k) * Number(a.time_step));
    });
    half.store(a.after.half + line * i);
    next.store(a.after.place + line * i);
    moved = next.triple(0);
    bool delicate = s.delicate || has_tiny(half) || tiny(moved.x.value) || tiny(moved.y.value) ||
                    tiny(moved.z.value);
    if (a.after.predicted != nullptr) {
        Line<Number> predicted;
        each_number([&](std::size_t k) { predicted.at[k] = half.at[k] + change.at[k]; });
        predicted.store(a.after.predicted + line * i);
        delicate = delicate || has_tiny(predicted);
    }
    a.after.delicate[i] = delicate ? 1 : 0;
}

/// Whether the pairs of particle i need numbers that flush.
inline bool is_delicate(const StepArguments& a, std::size_t i) {
    std::uint32_t any = a.before.delicate[i];
    const std::size_t begin = a.sides.slice_begin[i / slice] + i % slice;
    const std::uint32_t count = a.sides.count[i];
    for (std::uint32_t k = 0; k < count; ++k)
        any |= a.before.delicate[a.sides.other[begin + slice * k] & body_mask];
    return any != 0;
}

/// The step of particle i. `found(moved, deepest)` gets its new displacement, and the largest
/// overlap times (1/R_1 + 1/R_2) of its pairs.
template <class Number, class Law, class Slider, bool rolls, class Found>
void step_particle(const StepArguments& a, std::size_t i, Found found) {
    const auto place = Line<Number>::load(a.before.place + line * i);
    const auto half = Line<Number>::load(a.before.half + line * i);
    Line<Number> predicted{};
    if (a.before.predicted != nullptr)
        predicted = Line<Number>::load(a.before.predicted + line * i);
    PairSums<Number> sums;
    const std::size_t begin = a.sides.slice_begin[i / slice] + i % slice;
    const std::uint32_t count = a.sides.count[i];
    for (std::uint32_t k = 0; k < count; ++k)
        add_pair<Number, Law, Slider, rolls>(a, begin + slice * k, place, half, predicted, sums);
    if (a.trace_number != nullptr && a.trace_number[i] != 0) {
        double* const to = a.trace + 6 * (a.trace_number[i] - 1);
        to[0] = sums.force.x.value;
        to[1] = sums.force.y.value;
        to[2] = sums.force.z.value;
        to[3] = half.at[0].value;
        to[4] = half.at[1].value;
        to[5] = half.at[2].value;
    }
    Triple<Number> moved{};
    kick_particle<rolls>(a, i, sums, place, half, moved);
    found(moved.x.value, moved.y.value, moved.z.value, sums.deepest.value);
}

}  // namespace beadwave::packing::on_device

// The forces of one side of a pair on a device: normal law, friction, rolling resistance. Operation
// by operation this is the fast engine's vector code (packing_step.inl.hpp,
// packing_slide.inl.hpp, packing_roll.inl.hpp).
#pragma once

#include "beadwave/laws/neck.hpp"
#include "beadwave/laws/response.hpp"
#include "body_lines.hpp"
#include "exact_power.hpp"
#include "laws/tangential/rolling_slider.hpp"
#include "laws/tangential/slider.hpp"
#include "packing/contacts/pair_kinematics.hpp"
#include "step_arguments.hpp"

namespace beadwave::packing::on_device {

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

/// The place and the velocities of a particle, or of the image of it that a side has.
template <class Number>
struct SideMotion {
    Triple<Number> reference, displacement, half, predicted;

    static SideMotion of(const StepArguments& a, std::size_t at, const BodyLines<Number>& mine) {
        SideMotion s{mine.place.triple(4), mine.place.triple(0), mine.half.triple(0),
                     mine.predicted.triple(0)};
        if ((a.sides.other[at] & is_image) == 0) return s;
        const std::size_t image = line * a.sides.self[at];
        const auto its = Line<Number>::load(a.before.place + image);
        s.reference = its.triple(4);
        s.displacement = its.triple(0);
        s.half = Line<Number>::load(a.before.half + image).triple(0);
        if (a.before.predicted != nullptr)
            s.predicted = Line<Number>::load(a.before.predicted + image).triple(0);
        return s;
    }
};

/// One side of a pair: where its memory is, how its bodies lie and move, and the overlap and the
/// force that friction and rolling resistance see.
template <class Number>
struct Side {
    std::size_t at, row;
    Order order;
    PairGeometry<Number> geometry;
    PairVelocities<Number> at_end{};
    PairSlip<Number> slip{};
    laws::Grip<Number> grip{};
};

/// The normal force, which becomes the grip of the side too.
template <class Law, class Number>
Number push(const StepArguments& a, Side<Number>& side, PairSums<Number>& sums) {
    using Memory = typename Law::Memory;
    Number approach_speed = 0.0;
    if (a.before.predicted != nullptr)
        approach_speed = -dot(side.at_end.velocity, side.geometry.normal);
    const Law law = laws::from_fields<Law>(
        [&](std::size_t k) { return Number(a.parameters.law[k][side.row]); });
    const auto before = laws::from_fields<Memory>(
        [&](std::size_t k) { return Number(a.sides.memory[k][side.at]); });
    const auto of_law = law.respond(side.geometry.overlap, approach_speed, before);
    laws::to_fields(of_law.memory, [&](std::size_t k, const Number& value) {
        remember(value, a.sides.memory[k], side.at, sums);
    });
    side.grip = {side.geometry.overlap, of_law.force};
    if constexpr (laws::AdhesiveLaw<Law>)
        side.grip = law.grip(side.geometry.overlap, of_law.force, of_law.memory);
    return of_law.force;
}

/// The part of a contact's work that belongs to one of its bodies: half, of a wall all.
template <class Number>
Number share(const Number& work, const Number& turning) {
    return work * (Number(1.0) - turning * Number(0.5));
}

/// The tangential force, and its work.
template <class Slider, class Number>
Triple<Number> slide(const StepArguments& a, const Side<Number>& side, Number& work,
                     PairSums<Number>& sums) {
    const Number step = a.sliding_step;
    const Triple<Number> turned =
        laws::turned(load_triple<Number>(a.sides.sliding, side.at), side.slip.middle,
                     side.slip.inverse_middle_squared, side.geometry.normal);
    Triple<Number> velocity{};
    if constexpr (Slider::needs_velocity)
        velocity = sliding_velocity<Number>(side.geometry, side.at_end,
                                            Number(a.parameters.inverse_radii[side.row]));
    const Slider slider = laws::from_fields<Slider>(
        [&](std::size_t k) { return Number(a.parameters.slider[k][side.row]); });
    const auto response = slider.respond({.slip = side.slip.mean * step,
                                          .mean = side.slip.mean,
                                          .velocity = velocity,
                                          .overlap = side.grip.overlap,
                                          .normal_force = side.grip.force},
                                         {turned, Number(a.sides.sliding[3][side.at])});
    remember(response.memory, a.sides.sliding, side.at, sums);
    if constexpr (Slider::needs_velocity) {
        if (a.sides.tangential_force[0] != nullptr)
            store_triple(response.force, a.sides.tangential_force, side.at);
    }
    work = response.work;
    return response.force;
}

/// Rolling resistance; `work` grows by its work.
template <class Number>
void roll(const StepArguments& a, const Side<Number>& side, const BodyLines<Number>& mine,
          const BodyLines<Number>& its, Number& work, PairSums<Number>& sums) {
    using Vector = Triple<Number>;
    const Vector before_turn = load_triple<Number>(a.sides.rolling, side.at);
    const Vector reflected =
        before_turn - side.slip.middle * (Number(2.0) * dot(before_turn, side.slip.middle) *
                                          side.slip.inverse_middle_squared);
    // A wall has radius 0 and does not rotate.
    const auto rotation = [&](const Line<Number>& one, const Line<Number>& two) {
        const Vector of_mine = one.triple(4) * (Number(1.0) / max(mine.place.at[3], 1e-300));
        const Vector of_other = two.triple(4) * (Number(1.0) / max(its.place.at[3], 1e-300));
        return side.order.swapped ? of_other - of_mine : of_mine - of_other;
    };
    const auto resistance = laws::from_fields<laws::RollingSlider<Number>>(
        [&](std::size_t k) { return Number(a.parameters.rolling[k][side.row]); });
    const Vector angular_velocity = rotation(mine.half, its.half);
    const auto response = resistance.respond(
        {.angle = angular_velocity * Number(a.sliding_step),
         .mean = angular_velocity,
         .velocity = rotation(mine.predicted, its.predicted),
         .normal = side.geometry.normal,
         .overlap = side.grip.overlap,
         .normal_force = side.grip.force},
        {reflected - side.geometry.normal * (Number(2.0) * dot(reflected, side.geometry.normal)),
         Number(a.sides.rolling[3][side.at])});
    remember(response.memory, a.sides.rolling, side.at, sums);
    work = work + response.work;
    sums.torque = side.order.swapped ? response.force + sums.torque : sums.torque - response.force;
    sums.rolling_work =
        share(response.work, Number(a.parameters.turning[side.row])) + sums.rolling_work;
}

template <class Number, class Law, class Slider, bool rolls>
void add_pair(const StepArguments& a, std::size_t at, const BodyLines<Number>& mine,
              PairSums<Number>& sums) {
    constexpr bool slides = laws::field_count < Slider >> 0;
    const std::uint32_t bits = a.sides.other[at], other = bits & body_mask;
    const Order order{(bits & is_second) != 0};
    const std::size_t row = a.sides.row != nullptr ? a.sides.row[at] : 0;
    BodyLines<Number> its{.place = Line<Number>::load(a.before.place + line * other)};
    const auto motion = SideMotion<Number>::of(a, at, mine);
    Side<Number> side{
        .at = at,
        .row = row,
        .order = order,
        .geometry = pair_geometry<Number>(
            {.reference = order.difference(motion.reference, its.place.triple(4)),
             .displacement = order.difference(motion.displacement, its.place.triple(0)),
             .radii = mine.place.at[3] + its.place.at[3],
             .gap = a.sides.gap[at]})};
    const Number depth = side.geometry.overlap * (mine.place.at[7] + its.place.at[7]);
    sums.deepest = max(sums.deepest, depth);  // NaN does not count
    if (a.before.predicted != nullptr) {
        its.predicted = Line<Number>::load(a.before.predicted + line * other);
        side.at_end = {order.difference(motion.predicted, its.predicted.triple(0)),
                       mine.predicted.triple(4) + its.predicted.triple(4)};
    }
    const Number normal_force = push<Law>(a, side, sums);

    Number work = 0.0;
    const Number turning = a.parameters.turning[row];
    const Number inverse_radii = a.parameters.inverse_radii[row];
    if constexpr (slides || rolls) {
        its.half = Line<Number>::load(a.before.half + line * other);
        const PairVelocities<Number> middle{order.difference(motion.half, its.half.triple(0)),
                                            mine.half.triple(4) + its.half.triple(4)};
        side.slip = slip_of<Number>(side.geometry, middle, inverse_radii, Number(a.sliding_step),
                                    turning * Number(0.5 * a.sliding_step));
    }
    Triple<Number> tangential{};
    if constexpr (slides) tangential = slide<Slider>(a, side, work, sums);
    if constexpr (rolls) roll(a, side, mine, its, work, sums);
    Triple<Number> force = side.geometry.normal * normal_force;
    if constexpr (slides) {
        force += tangential;
        sums.lever = cross(tangential, side.geometry.branch) * inverse_radii + sums.lever;
    }
    if constexpr (slides || rolls) sums.work = share(work, turning) + sums.work;
    sums.force = order.swapped ? force + sums.force : sums.force - force;
    if (a.ghost_force == nullptr || other < a.particles || order.swapped) return;
    if (const std::uint32_t to = a.sides.self[at]; to != none) {
        a.ghost_force[3 * to] = force.x.value;
        a.ghost_force[3 * to + 1] = force.y.value;
        a.ghost_force[3 * to + 2] = force.z.value;
    }
}

}  // namespace beadwave::packing::on_device

// The step of one particle on a device: the forces of all its pairs, in the order of its row, then
// its new velocity and place. Operation by operation the kick is the fast engine's vector code
// (packing_kick.inl.hpp).
#pragma once

#include "body_lines.hpp"
#include "pair_kernel.hpp"
#include "step_arguments.hpp"

namespace beadwave::packing::on_device {

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
    BodyLines<Number> mine{.place = Line<Number>::load(a.before.place + line * i),
                           .half = Line<Number>::load(a.before.half + line * i)};
    if (a.before.predicted != nullptr)
        mine.predicted = Line<Number>::load(a.before.predicted + line * i);
    PairSums<Number> sums;
    const std::size_t begin = a.sides.slice_begin[i / slice] + i % slice;
    const std::uint32_t count = a.sides.count[i];
    for (std::uint32_t k = 0; k < count; ++k)
        add_pair<Number, Law, Slider, rolls>(a, begin + slice * k, mine, sums);
    if (a.trace_number != nullptr && a.trace_number[i] != 0) {
        double* const to = a.trace + 6 * (a.trace_number[i] - 1);
        to[0] = sums.force.x.value;
        to[1] = sums.force.y.value;
        to[2] = sums.force.z.value;
        to[3] = mine.half.at[0].value;
        to[4] = mine.half.at[1].value;
        to[5] = mine.half.at[2].value;
    }
    Triple<Number> moved{};
    kick_particle<rolls>(a, i, sums, mine.place, mine.half, moved);
    found(moved.x.value, moved.y.value, moved.z.value, sums.deepest.value);
}

}  // namespace beadwave::packing::on_device

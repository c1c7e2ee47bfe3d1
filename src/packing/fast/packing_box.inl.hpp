// What the kick adds in a box that strains (packing/box_motion.hpp), with the operations of
// BoxMotion in their order, for the same bits. Included by vector_code.cpp.

namespace beadwave::packing::BEADWAVE_TARGET {

/// A matrix times a vector.
HWY_INLINE HalfLine times(const BoxMatrix& matrix, const double* x) {
    return HalfLine::load(matrix.column[0]) * HalfLine::all(x[0]) +
           HalfLine::load(matrix.column[1]) * HalfLine::all(x[1]) +
           HalfLine::load(matrix.column[2]) * HalfLine::all(x[2]);
}
HWY_INLINE HalfLine times(const BoxMatrix& matrix, const HalfLine& x) {
    alignas(32) double numbers[4];
    x.store(numbers);
    return times(matrix, numbers);
}

HWY_INLINE HalfLine reference_in_box(const BoxKick& box, const double* place) {
    return HalfLine::load(place + 4) - HalfLine::load(box.lower);
}
/// From the lower corner; `place`: the line of a particle.
HWY_INLINE HalfLine place_in_box(const BoxKick& box, const double* place) {
    return reference_in_box(box, place) + HalfLine::load(place);
}
HWY_INLINE HalfLine acceleration(const BoxKick& box, const HalfLine& from_lower) {
    return times(box.acceleration, times(box.inverse, from_lower));
}

/// Takes what is affine out of a displacement since the list was built, and of the velocity behind
/// it, in the middle of the next step. `place`: the line of the particle.
HWY_INLINE Line without_affine(const BoxKick& box, const double* place, const Line& motion) {
    alignas(32) double reference[4];
    reference_in_box(box, place).store(reference);
    const auto of = [&](std::size_t k) HWY_ATTR {
        return Line::load(box.stretches.column[k]) * Line::all(reference[k]);
    };
    return motion -
           (of(0) + of(1) + of(2)) * joined(HalfLine::all(1.0), HalfLine::all(box.steps_per_time));
}

/// Adds particles, whose forces are known, to the sums of BoxMotion::ParticleSums. A loop of its
/// own: what a particle takes is a long chain of operations that wait for one another.
HWY_NOINLINE HWY_FLATTEN inline void add_to_box(const Kick& p, std::size_t begin, std::size_t end,
                                                BoxMatrix& sums) {
    alignas(32) static constexpr double of_centre[4] = {1, 1, 1, 0};
    const HalfLine centre = HalfLine::load(of_centre),
                   gravity_change = HalfLine::load(p.gravity_change);
    HalfLine column[3];
#pragma GCC unroll 3
    for (std::size_t k = 0; k < 3; ++k)
        column[k] = HalfLine::load(sums.column[k]);
    const BoxKick& box = *p.box;
    for (std::size_t i = begin; i < end; ++i) {
        const double kick = p.kick[2 * i], mass = box.mass[i];
        if (!(kick > 0.0)) continue;  // fixed: not there
        const HalfLine force_sum = HalfLine::load(p.force + (i - p.begin) * 8);
        const HalfLine by_contacts =
            (force_sum * (centre * HalfLine::all(kick)) + gravity_change) - gravity_change;
        alignas(32) double x[4], u[4];
        place_in_box(box, p.before.place + i * 8).store(x);
        const HalfLine affine = times(box.rate, times(box.inverse, x));
        const HalfLine relative =
            beyond(HalfLine::load(p.before.predicted + i * 8) - affine, box.rounding, affine);
        relative.store(u);
        const HalfLine force = HalfLine::all(box.force * mass) * by_contacts,
                       momentum = HalfLine::all(mass) * relative;
#pragma GCC unroll 3
        for (std::size_t k = 0; k < 3; ++k)
            column[k] = column[k] + (force * HalfLine::all(x[k]) + momentum * HalfLine::all(u[k]));
    }
#pragma GCC unroll 3
    for (std::size_t k = 0; k < 3; ++k)
        column[k].store(sums.column[k]);
}

}  // namespace beadwave::packing::BEADWAVE_TARGET

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

/// The sums of BoxMotion::ParticleSums.
struct BoxSums {
    HalfLine column[3];

    HWY_INLINE BoxSums() {
        for (HalfLine& sum : column)
            sum = HalfLine::all(0.0);
    }
    /// A particle whose contacts change its velocity so in half a step; `place`: its line.
    HWY_INLINE void add(const BoxKick& box, double mass, const HalfLine& by_contacts,
                        const double* place, const double* predicted) {
        const HalfLine from_lower = place_in_box(box, place);
        alignas(32) double x[4], u[4];
        from_lower.store(x);
        const HalfLine affine = times(box.rate, times(box.inverse, x));
        const HalfLine relative = beyond(HalfLine::load(predicted) - affine, box.rounding, affine);
        relative.store(u);
        const HalfLine force = HalfLine::all(box.force * mass) * by_contacts,
                       momentum = HalfLine::all(mass) * relative;
#pragma GCC unroll 3
        for (std::size_t k = 0; k < 3; ++k)
            column[k] = column[k] + (force * HalfLine::all(x[k]) + momentum * HalfLine::all(u[k]));
    }
    HWY_INLINE void store(BoxMatrix& to) const {
        for (std::size_t k = 0; k < 3; ++k)
            column[k].store(to.column[k]);
    }
};

}  // namespace beadwave::packing::BEADWAVE_TARGET

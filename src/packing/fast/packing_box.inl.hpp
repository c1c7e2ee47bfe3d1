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

/// The same for a particle in each lane.
HWY_INLINE Triple times(const BoxMatrix& matrix, const Triple& x) {
    const auto at = [&](std::size_t row, std::size_t column)
                        HWY_ATTR { return Register(matrix.column[column][row]); };
    return {at(0, 0) * x.x + at(0, 1) * x.y + at(0, 2) * x.z, at(1, 1) * x.y + at(1, 2) * x.z,
            at(2, 2) * x.z};
}

/// Adds up to `register_lanes` particles to sums in the order of Edges. `full`: as many.
template <bool full>
HWY_INLINE void add_some_to_box(const Kick& p, std::size_t i, std::size_t count, Line& sums) {
    const BoxKick& box = *p.box;
    const auto lines = [&](const double* from) HWY_ATTR {
        return transpose_rows([=](std::size_t k, std::size_t part) HWY_ATTR {
            return hn::Load(Lanes(), from + (full ? k : std::min(k, count - 1)) * 8 + part);
        });
    };
    const double *kicks = p.kick + 2 * i, *masses = box.mass + i;
    alignas(64) double last_kicks[2 * register_lanes] = {}, last_masses[register_lanes] = {};
    if constexpr (!full) {  // the others count as fixed
        kicks = std::copy_n(kicks, 2 * count, last_kicks) - 2 * count;
        masses = std::copy_n(masses, count, last_masses) - count;
    }
    Register kick, rim_kick;
    hn::LoadInterleaved2(Lanes(), kicks, kick.raw, rim_kick.raw);
    const Register mass = Register::load(masses);
    const Columns place = lines(p.before.place + i * 8);
    const Triple force_sum = lines(p.force + (i - p.begin) * 8).triple(0),
                 predicted = lines(p.before.predicted + i * 8).triple(0);
    const auto constant = [](const double* numbers) HWY_ATTR {
        return Triple{Register(numbers[0]), Register(numbers[1]), Register(numbers[2])};
    };
    const Triple gravity_change = constant(p.gravity_change),
                 x = (place.triple(4) - constant(box.lower)) + place.triple(0),
                 affine = times(box.rate, times(box.inverse, x));
    const auto relative = [&](Register velocity, Register of_affine) HWY_ATTR {
        const Register u = velocity - of_affine;
        return select(abs(u) > Register(box.rounding) * abs(of_affine), u, Register(0.0));
    };
    const Triple u{relative(predicted.x, affine.x), relative(predicted.y, affine.y),
                   relative(predicted.z, affine.z)};
    const Triple force = ((force_sum * kick + gravity_change) - gravity_change) *
                         (Register(box.force) * mass),
                 momentum = u * mass;
    const auto present = kick > Register(0.0);
    const auto term = [&](Register f, Register along, Register of_u, Register along_u) HWY_ATTR {
        return select(present, f * along + of_u * along_u, Register(0.0)).raw;
    };
    Columns terms;
    terms.raw[0] = term(force.x, x.x, momentum.x, u.x);
    terms.raw[1] = term(force.y, x.y, momentum.y, u.y);
    terms.raw[2] = term(force.z, x.z, momentum.z, u.z);
    terms.raw[3] = term(force.x, x.y, momentum.x, u.y);
    terms.raw[4] = term(force.x, x.z, momentum.x, u.z);
    terms.raw[5] = term(force.y, x.z, momentum.y, u.z);
    terms.raw[6] = terms.raw[7] = hn::Zero(Lanes());
    alignas(64) double rows[8 * register_lanes];
    store_rows<true>(terms, rows);
#pragma GCC unroll 8
    for (std::size_t k = 0; k < register_lanes; ++k)  // one by one, in the order of particles
        sums = sums + Line::load(rows + 8 * k);
}

/// Adds particles, whose forces are known, to the sums of BoxMotion::ParticleSums. A loop of its
/// own: what a particle takes is a long chain of operations that wait for one another.
HWY_NOINLINE HWY_FLATTEN inline void add_to_box(const Kick& p, std::size_t begin, std::size_t end,
                                                double* box_sums) {
    Line sums = Line::load(box_sums);
    std::size_t i = begin;
    for (; i + register_lanes <= end; i += register_lanes)
        add_some_to_box<true>(p, i, register_lanes, sums);
    if (i < end) add_some_to_box<false>(p, i, end - i, sums);
    sums.store(box_sums);
}

}  // namespace beadwave::packing::BEADWAVE_TARGET

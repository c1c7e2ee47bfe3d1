// The last phase of a mixed-precision step: tangential laws and the sums of all forces on the
// particles of a block; and the particles' motion. Included by vector_code.cpp.

namespace beadwave::packing::BEADWAVE_TARGET {

/// Directions of unit length and what reflects in them are computed in double precision, so that a
/// spring that turns for long keeps its length.
inline void mixed_roll(const SlideBatch& b, Scratch& s, const MixedScratch& f, double* torques) {
    std::fill_n(s.work, b.count, 0.0);
    roll<false>(b, s, torques, [&](std::size_t k) HWY_ATTR {
        const Triple branch = load_triple(s.branch, k), middle = load_triple(f.middle, k);
        return RollGeometry{branch * inverse_sqrt(dot(branch, branch)), middle,
                            ratio(Register(1.0), dot(middle, middle))};
    });
}

HWY_INLINE PairGeometry<FloatRegister> stored_geometry(const MixedScratch& f, std::size_t k) {
    return geometry_along(load_triple(f.branch, k), FloatRegister::load(f.inverse_distance + k));
}

/// Tangential forces and their work; like friction(), a loop of its own, because a shorter one
/// lets the processor work on more contacts at a time.
template <class Slider, class Parameter>
HWY_FLATTEN void mixed_friction(const Entries& e, const MixedEntries& pairs, std::size_t from,
                                std::size_t count, double time_step, const Parameter& parameter,
                                const double* grip_overlap, const double* grip_force,
                                MixedScratch& f) {
    for (std::size_t k = 0; k < count; k += float_lanes) {
        FloatTriple velocity{};
        if constexpr (Slider::needs_velocity) {
            velocity = sliding_velocity<FloatRegister>(
                stored_geometry(f, k),
                {load_triple(f.predicted, k), load_triple(f.predicted + 3, k)}, parameter(0, k));
        }
        const Slider law = laws::from_fields<Slider>(
            [&](std::size_t field) HWY_ATTR { return parameter(2 + field, k); });
        float* const record = pair_record(pairs, from + k);
        const FloatTriple mean = load_triple(f.slip_velocity, k);
        const auto response = law.respond(
            {.slip = mean * FloatRegister(time_step),
             .mean = mean,
             .velocity = velocity,
             .overlap = FloatRegister::load(grip_overlap + k),
             .normal_force = FloatRegister::load(grip_force + k)},
            {load_triple(f.tangential, k), FloatRegister::load(record + 7 * entry_block)});
        response.memory.vector.x.store(record + 4 * entry_block);
        response.memory.vector.y.store(record + 5 * entry_block);
        response.memory.vector.z.store(record + 6 * entry_block);
        response.memory.number.store(record + 7 * entry_block);
        if constexpr (Slider::needs_velocity) {
            if (e.tangential_force[0] != nullptr) {
                response.force.x.store(e.tangential_force[0] + from + k);
                response.force.y.store(e.tangential_force[1] + from + k);
                response.force.z.store(e.tangential_force[2] + from + k);
            }
        }
        store_triple(response.force, f.tangential, k);
        response.work.store(f.work + k);
    }
}

template <class Slider>
HWY_FLATTEN void mixed_slide(const KindTable& table, const Entries& e, const MixedEntries& pairs,
                             std::size_t from, std::size_t count, double time_step, Scratch& s,
                             MixedScratch& f, const Sums& sums) {
    constexpr bool slides = laws::field_count < Slider >> 0;
    constexpr std::size_t width = slides ? 8 : 4;
    // The second body gets the force, the first minus it; both get the lever and their share of the
    // work: half of it, all of it to a particle at a wall.
    alignas(64) static constexpr double signs[8] = {-1, -1, -1, 1, 1, 1, 1, 1};
    const bool rolls = sums.torque != nullptr;
    const std::array<const double*, slide_fields> numbers = slide_numbers(table);
    const std::size_t fields = rolls ? slide_fields : slides ? 2 + table.slider_fields : 0;
    const Parameters of_kinds = parameters(table, e, from, count, numbers.data(), fields, 0, s);
    // The numbers of kinds begin with inverse_radii.
    const auto parameter = [&](std::size_t field, std::size_t k) HWY_ATTR {
        if (!table.by_entry) return of_kinds.at<FloatRegister>(field, k);
        return MixedParameters<slides>{table, of_kinds, pairs, from}.at(field + 1, k);
    };
    const double* const grip_overlap = s.has_grip ? s.grip_overlap : s.overlap;
    const double* const grip_force = s.has_grip ? s.grip_force : s.normal_force;
    if (rolls) {
        mixed_roll({.e = e,
                    .from = from,
                    .count = count,
                    .time_step = time_step,
                    .p = of_kinds,
                    .grip_overlap = grip_overlap,
                    .grip_force = grip_force},
                   s, f, sums.torque);
    }
    const auto share = [&](const FloatRegister& work, std::size_t k) HWY_ATTR {
        const FloatRegister all = rolls ? work + FloatRegister::load(s.work + k) : work;
        return (all * (FloatRegister(1.0) - parameter(1, k) * FloatRegister(0.5))).raw;
    };
    if constexpr (slides)
        mixed_friction<Slider>(e, pairs, from, count, time_step, parameter, grip_overlap,
                               grip_force, f);
    for (std::size_t k = 0; k < count; k += float_lanes) {
        const PairGeometry<FloatRegister> geometry = stored_geometry(f, k);
        const FloatRegister normal_force = FloatRegister::load(s.normal_force + k);
        FloatColumns<width> out;
        if constexpr (slides) {
            const FloatTriple force = load_triple(f.tangential, k);
            out.put(0, plus(force, normal_force, geometry.normal));
            out.raw[3] = share(FloatRegister::load(f.work + k), k);
            out.put(4, cross(force, geometry.branch) * parameter(0, k));
            out.raw[7] = FloatRegister(0.0).raw;
        } else {
            out.put(0, geometry.normal * normal_force);
            out.raw[3] = rolls ? share(FloatRegister(0.0), k) : FloatRegister(0.0).raw;
        }
        store_float_rows<width>(out, f.rows + k * width);
    }
    add_float_rows<width>(sums.force, f.rows, e.to_first + from, e.to_second + from, count, signs);
}

/// Writes the lines of floats of particles that move on.
HWY_INLINE auto mirrored(const MixedLines& to) {
    return [to](std::size_t i, const Line& place, const Line& half, const Line& predicted)
               HWY_ATTR {
                   put_mixed(place, half, to.body + i * mixed_line);
                   if (to.predicted == nullptr) return;
                   alignas(64) double v[8];
                   predicted.store(v);
                   mixed_predicted_numbers(v, to.predicted + i * mixed_predicted_line);
               };
}
inline void mixed_kick(Kick& p, const MixedLines& to) {
    kick_lines(p, mirrored(to));
}
inline void mixed_push(Kick& p, const MixedLines& to) {
    push_lines(p, mirrored(to));
}

}  // namespace beadwave::packing::BEADWAVE_TARGET

// Tangential forces, rolling resistance, and the sums of all forces on the particles of a block,
// batch by batch in phases. Included by vector_code.cpp.

namespace beadwave::packing::BEADWAVE_TARGET {

HWY_INLINE void store_memory(const laws::SliderMemory<Register>& m, double* const* columns,
                             std::size_t at) {
    store_triple(m.vector, columns, at);
    m.number.store(columns[3] + at);
}

HWY_INLINE PairGeometry<Register> stored_geometry(const Scratch& s, std::size_t k) {
    PairGeometry<Register> geometry{};
    geometry.branch = load_triple(s.branch, k);
    geometry.inverse_distance = Register::load(s.inverse_distance + k);
    geometry.normal = geometry.branch * geometry.inverse_distance;
    return geometry;
}

/// What the phases of slide() share.
struct SlideBatch {
    const Lines& lines;
    const Entries& e;
    std::size_t from, count;
    double time_step;
    /// 1/(R_1 + R_2), `turning`, then the numbers of the tangential law, from 6 on those of rolling
    /// resistance.
    const Parameters& p;
    const double *grip_overlap, *grip_force;

    /// Half of the work to each particle, all of it to a particle at a wall.
    HWY_INLINE Register share(const Register& work, std::size_t k) const {
        return work * (Register(1.0) - p.at(1, k) * 0.5);
    }
};

template <class Slider>
HWY_FLATTEN void friction(const SlideBatch& b, Scratch& s) {
    for (std::size_t k = 0; k < b.count; k += register_lanes) {
        const std::size_t at = b.from + k;
        Triple velocity{};
        if constexpr (Slider::needs_velocity) {
            velocity = sliding_velocity<Register>(
                stored_geometry(s, k),
                {load_triple(s.predicted, k), load_triple(s.predicted + 3, k)}, b.p.at(0, k));
        }
        const Slider law = laws::from_fields<Slider>([&](std::size_t field)
                                                         HWY_ATTR { return b.p.at(2 + field, k); });
        const Triple mean = load_triple(s.slip_velocity, k);
        const auto response =
            law.respond({.slip = mean * Register(b.time_step),
                         .mean = mean,
                         .velocity = velocity,
                         .overlap = Register::load(b.grip_overlap + k),
                         .normal_force = Register::load(b.grip_force + k)},
                        {load_triple(s.tangential, k), Register::load(b.e.sliding[3] + at)});
        store_memory(response.memory, b.e.sliding, at);
        store_triple(response.force, s.tangential, k);
        if constexpr (Slider::needs_velocity) {
            if (b.e.tangential_force[0] != nullptr)
                store_triple(response.force, b.e.tangential_force, at);
        }
        response.work.store(s.work + k);
    }
}

/// Adds to the work, and the torques to their sums.
inline HWY_FLATTEN void roll(const SlideBatch& b, Scratch& s, double* torques) {
    // The second body gets the torque, the first minus it; both get their share of the work.
    alignas(64) static constexpr double signs[8] = {0, 0, 0, 1, -1, -1, -1, 0};
    for (std::size_t k = 0; k < b.count; k += register_lanes) {
        const std::size_t at = b.from + k;
        const PairGeometry<Register> geometry = stored_geometry(s, k);
        const PairSlip<Register> slip =
            slip_in_step(geometry, load_velocities(b.lines, b.e, at), b.p, k, b.time_step);
        const Triple before = load_triple(b.e.rolling, at);
        const Triple reflected = before - slip.middle * (Register(2.0) * dot(before, slip.middle) *
                                                         slip.inverse_middle_squared);
        const auto law = laws::from_fields<laws::RollingSlider<Register>>(
            [&](std::size_t field) HWY_ATTR { return b.p.at(6 + field, k); });
        const Triple angular_velocity = load_triple(s.turn, k);
        const auto response = law.respond(
            {.angle = angular_velocity * Register(b.time_step),
             .mean = angular_velocity,
             .velocity = load_triple(s.turn + 3, k),
             .normal = geometry.normal,
             .overlap = Register::load(b.grip_overlap + k),
             .normal_force = Register::load(b.grip_force + k)},
            {reflected - geometry.normal * (Register(2.0) * dot(reflected, geometry.normal)),
             Register::load(b.e.rolling[3] + at)});
        store_memory(response.memory, b.e.rolling, at);
        (Register::load(s.work + k) + response.work).store(s.work + k);
        Columns torque;
        for (const std::size_t column : {0, 1, 2, 7})
            torque.raw[column] = Register(0.0).raw;
        torque.raw[3] = b.share(response.work, k).raw;
        torque.put(4, response.force);
        store_rows<true>(torque, s.rows[k]);
    }
    add_rows<true>(torques, s.rows[0], b.e.to_first + b.from, b.e.to_second + b.from, b.count,
                   signs);
}

/// Adds the forces and their levers to the sums.
template <bool slides>
HWY_FLATTEN void add_forces(const SlideBatch& b, Scratch& s, bool has_work, double* forces) {
    // The second body gets the force, the first minus it; both get the lever and their share of the
    // work.
    alignas(64) static constexpr double signs[8] = {-1, -1, -1, 1, 1, 1, 1, 1};
    for (std::size_t k = 0; k < b.count; k += register_lanes) {
        const PairGeometry<Register> geometry = stored_geometry(s, k);
        Triple force = geometry.normal * Register::load(s.normal_force + k);
        Columns out;
        if constexpr (slides) {
            const Triple tangential = load_triple(s.tangential, k);
            force += tangential;
            out.put(4, cross(tangential, geometry.branch) * b.p.at(0, k));
            out.raw[7] = Register(0.0).raw;
        }
        out.put(0, force);
        out.raw[3] = Register(0.0).raw;
        if (slides || has_work) out.raw[3] = b.share(Register::load(s.work + k), k).raw;
        store_rows<slides>(out, s.rows[k]);
    }
    add_rows<slides>(forces, s.rows[0], b.e.to_first + b.from, b.e.to_second + b.from, b.count,
                     signs);
}

template <class Slider>
void slide(const KindTable& table, const Lines& lines, const Entries& e, std::size_t from,
           std::size_t count, double time_step, Scratch& s, const Sums& sums) {
    constexpr bool slides = laws::field_count < Slider >> 0;
    const bool rolls = sums.torque != nullptr;
    // Scratch keeps overlap and normal force. The normal law's parameters are no longer needed.
    const double* numbers[10];
    std::fill_n(numbers, 10, table.turning);
    numbers[0] = table.inverse_radii;
    std::copy_n(table.slider, table.slider_fields, numbers + 2);
    std::copy_n(table.rolling, 4, numbers + 6);
    const Parameters p =
        parameters(table, e, from, count, numbers, rolls ? 10 : 2 + table.slider_fields, s);
    const SlideBatch b{.lines = lines,
                       .e = e,
                       .from = from,
                       .count = count,
                       .time_step = time_step,
                       .p = p,
                       .grip_overlap = s.has_grip ? s.grip_overlap : s.overlap,
                       .grip_force = s.has_grip ? s.grip_force : s.normal_force};
    if constexpr (slides) {
        friction<Slider>(b, s);
    } else if (rolls) {
        std::fill_n(s.work, count, 0.0);
    }
    if (rolls) roll(b, s, sums.torque);
    add_forces<slides>(b, s, rolls, sums.force);
}

}  // namespace beadwave::packing::BEADWAVE_TARGET

// Rolling resistance of a batch of pairs, in double precision also in mixed precision. Included by
// vector_code.cpp.

namespace beadwave::packing::BEADWAVE_TARGET {

struct RollGeometry {
    Triple normal;  ///< unit, at the end of the step
    Triple middle;  ///< the branch in its middle
    Register inverse_middle_squared;
};

/// The part of the work by twisting: springs, dashpots and sliders of rolling and of twisting do
/// not see each other, so with the motion about the normal alone the law does the work of twisting.
HWY_INLINE Register twisting_work(const laws::RollingSlider<Register>& law,
                                  const laws::Turn<Register>& turn,
                                  const laws::SliderMemory<Register>& before) {
    const auto about = [&](const Triple& v) HWY_ATTR { return turn.normal * dot(v, turn.normal); };
    return law
        .respond({.angle = about(turn.angle),
                  .mean = about(turn.mean),
                  .velocity = about(turn.velocity),
                  .normal = turn.normal,
                  .overlap = turn.overlap,
                  .normal_force = turn.normal_force},
                 {about(before.vector), before.number})
        .work;
}

/// Adds to the work, and the torques to their sums. `geometry_of`(k): RollGeometry of the pairs of
/// a register from number k of the batch on. `keeps`: Scratch::rolling is wanted.
template <bool keeps, class GeometryOf>
HWY_FLATTEN void roll(const SlideBatch& b, Scratch& s, double* torques, GeometryOf geometry_of) {
    // The second body gets the torque, the first minus it; both get their share of the work.
    alignas(64) static constexpr double signs[8] = {0, 0, 0, 1, -1, -1, -1, 0};
    for (std::size_t k = 0; k < b.count; k += register_lanes) {
        const std::size_t at = b.from + k;
        const RollGeometry geometry = geometry_of(k);
        const Triple before = load_triple(b.e.rolling, at);
        const Triple reflected =
            before - geometry.middle * (Register(2.0) * dot(before, geometry.middle) *
                                        geometry.inverse_middle_squared);
        const auto law = laws::from_fields<laws::RollingSlider<Register>>(
            [&](std::size_t field) HWY_ATTR { return b.p.at(rolling_fields + field, k); });
        const Triple angular_velocity = load_triple(s.turn, k);
        const laws::Turn<Register> turn{.angle = angular_velocity * Register(b.time_step),
                                        .mean = angular_velocity,
                                        .velocity = load_triple(s.turn + 3, k),
                                        .normal = geometry.normal,
                                        .overlap = Register::load(b.grip_overlap + k),
                                        .normal_force = Register::load(b.grip_force + k)};
        const laws::SliderMemory<Register> turned{
            reflected - geometry.normal * (Register(2.0) * dot(reflected, geometry.normal)),
            Register::load(b.e.rolling[3] + at)};
        const auto response = law.respond(turn, turned);
        if constexpr (keeps) {
            store_triple(response.force, s.rolling, k);
            response.work.store(s.rolling[3] + k);
            twisting_work(law, turn, turned).store(s.rolling[4] + k);
        }
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

}  // namespace beadwave::packing::BEADWAVE_TARGET

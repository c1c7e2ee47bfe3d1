// How fast beads vibrate and are damped, from the slopes of their contacts' laws. Included by
// vector_code.cpp.

namespace beadwave::dynamics::BEADWAVE_TARGET {

/// The largest value in a row so far, and its place.
struct Largest {
    double value = 0.0;
    std::size_t place = 0;

    HWY_INLINE void update(Vector values, std::size_t i) {
        if (HWY_LIKELY(!any(values > Vector(value)))) return;
        alignas(64) double lanes[lane_count];
        values.store(lanes);
        for (std::size_t lane = 0; lane < lane_count; ++lane) {
            if (!(lanes[lane] > value)) continue;
            value = lanes[lane];
            place = i + lane;
        }
    }
};

/// The sums of both contacts' slopes over the bead's mass.
HWY_NOINLINE HWY_FLATTEN RowSlopes row_slopes(const LawCode& law, const Parameters& p,
                                              const TileTask& row, std::size_t begin,
                                              std::size_t end, double speed) {
    const State& s = row.state;
    const AnyBeads parameters(p);
    const bool adhesive = law.range != nullptr;
    const WallMotion& wall = row.left_wall;
    const std::int64_t last = row.steps - 1;
    const double wall_displacement = wall.displacement != nullptr ? wall.displacement[last] : 0.0;
    const double wall_velocity = wall.velocity != nullptr ? wall.velocity[last] : 0.0;
    const auto slopes_at = [&](std::size_t i) HWY_ATTR {
        const Vector displacement = Vector::load(s.displacement + i);
        const Vector left =
            i > 0 ? Vector::load(s.displacement + i - lane_count) : Vector(wall_displacement);
        const Vector overlap =
            moved_up(left, displacement) - displacement - Vector::load(p.gap + i);
        if (!adhesive && !any(overlap > Vector(0.0))) return laws::Slopes<Vector>{};
        const LawOfBlock of_block(law, p, s, i);
        const LawOfBlock::Memory memory{};
        if (!adhesive && !law.uses_speed) return laws::elastic_slopes(of_block, overlap, memory);
        const Vector velocity = Vector::load(s.velocity + i);
        const Vector left_velocity =
            i > 0 ? Vector::load(s.velocity + i - lane_count) : Vector(wall_velocity);
        const Vector approach_speed = moved_up(left_velocity, velocity) - velocity;
        return adhesive ? laws::adhesive_slopes(of_block, overlap, approach_speed, memory,
                                                Vector(speed), Vector(p.time_step))
                        : laws::slopes(of_block, overlap, approach_speed, memory, Vector(speed),
                                       Vector(p.time_step));
    };
    Largest stiffness, damping;
    laws::Slopes<Vector> here = slopes_at(begin);
    for (std::size_t i = begin; i < end; i += lane_count) {
        laws::Slopes<Vector> next{};
        if (i + lane_count < row.length) next = slopes_at(i + lane_count);
        const Vector kick = parameters.kick(i);
        stiffness.update((here.stiffness + moved_down(here.stiffness, next.stiffness)) * kick, i);
        damping.update((here.damping + moved_down(here.damping, next.damping)) * kick, i);
        here = next;
    }
    // The kick is dt / (2 m), so kick times this is 1/m.
    const double by_mass = 2.0 / p.time_step;
    return {.stiffness = stiffness.value * by_mass,
            .damping = damping.value * by_mass,
            .stiffness_bead = stiffness.place,
            .damping_bead = damping.place};
}

}  // namespace beadwave::dynamics::BEADWAVE_TARGET

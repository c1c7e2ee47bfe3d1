// T steps of a row. Included by vector_code.cpp after tiled_step.inl.hpp.

namespace beadwave::dynamics::BEADWAVE_TARGET {

/// Blocks of the row that a step advances after `steps` of them. Forces on a bead reach `reach`
/// beads on each side. So after this step all but (steps + 1) reach beads at each end are valid;
/// they need the displacements of `reach` more beads.
inline Stretch valid_blocks(const TileTask& row, std::size_t steps, std::size_t reach) {
    const std::size_t invalid = steps * reach / lane_count * lane_count;
    return {row.left_end ? 0 : invalid, row.right_end ? row.length : row.length - invalid};
}

/// The sweeps of a law: of rows whose beads carry nothing, or something that is stepped after the
/// sweep, and one that steps it in passing; null: there is none.
struct Sweeps {
    Sweep *alone, *carrying;
};

/// The sweep that also steps what the beads of a row carry; null: it cannot step it in passing.
template <class Law, template <class> class Row>
Sweep* carrying_sweep(const ElementRow& all) {
    if (!alone(all)) return nullptr;
    const auto with_terms = [&]<bool damped, bool uniform>() {
        return all.single ? &sweep<Law, Row, CarriedAlone<damped, uniform, true>>
                          : &sweep<Law, Row, CarriedAlone<damped, uniform, false>>;
    };
    const auto with_damping = [&]<bool damped>() {
        return all.uniform && !all.cubic ? with_terms.template operator()<damped, true>()
                                         : with_terms.template operator()<damped, false>();
    };
    return all.damped ? with_damping.template operator()<true>()
                      : with_damping.template operator()<false>();
}

template <class Law, template <class> class Row>
Sweeps sweeps_of(const TileTask& row) {
    Sweeps sweeps{.alone = &sweep<Law, Row, NothingAlone>, .carrying = nullptr};
    if constexpr (Law::conservative) {
        if (row.elements != nullptr) sweeps.carrying = carrying_sweep<Law, Row>(*row.elements);
    }
    return sweeps;
}

inline HWY_NOINLINE void advance(const LawCode& law, const Sweeps& sweeps, const Parameters& p,
                                 const TileTask& row) {
    const State& s = row.state;
    for (std::size_t i = 0; i < row.length; i += lane_count) {
        (Vector::load(s.velocity + i) + Vector::load(s.velocity_change + i)).store(s.half + i);
    }
    const ElementRow* const elements = row.elements;
    const ElementKernel* const element = row.element_kernel;
    if (elements != nullptr) element->start(*elements, s, row.length);
    double* force_row = row.trace_force;
    double* velocity_row = row.trace_velocity;
    const WallMotion &left = row.left_wall, &right = row.right_wall;
    const Stored stored(row);
    const bool read_each_step = !stored.stretches().empty();
    // Driven beads read their forces.
    const bool drives = elements != nullptr && !elements->driven.empty();
    const std::span<const Stretch> each_step =
        drives ? std::span(&everywhere, 1) : stored.stretches();
    std::size_t reach = 1;
    if (elements != nullptr) {
        for (const PairRow& pair : elements->pairs)
            reach = std::max(reach, pair.neighbour);
    }
    for (std::int64_t step = 1; step <= row.steps; ++step) {
        const auto lost = static_cast<std::size_t>(step - 1);
        const Stretch blocks = valid_blocks(row, lost, reach);
        if (right.displacement != nullptr) {
            // The wall is a fixed bead: its half-step velocity stays zero, and the law uses its
            // half-step velocity change as its velocity.
            s.displacement[row.right_wall_entry] = right.displacement[lost];
            s.velocity_change[row.right_wall_entry] = right.velocity[lost];
        }
        if (drives) element->begin_step(*elements, s, lost);
        const bool last = step == row.steps;
        const auto go = [&](Sweep* sweep) {
            sweep(p, s, blocks.begin, blocks.end, last ? std::span(&everywhere, 1) : each_step,
                  left.displacement != nullptr ? left.displacement[lost] : 0.0,
                  left.velocity != nullptr ? left.velocity[lost] : 0.0, elements, law);
        };
        if (sweeps.carrying != nullptr && !last) {
            go(sweeps.carrying);
            for (const TileSensor& sensor : row.sensors) {
                const std::size_t i = sensor.bead - row.first;
                s.velocity[i] += (p.uniform ? *p.kick : p.kick[i]) * elements->force[i];
            }
        } else {
            go(sweeps.alone);
            if (elements != nullptr)
                element->end_step(*elements, p, row, blocks.begin, blocks.end, lost,
                                  law.uses_speed);
        }
        if (!read_each_step) continue;
        if (left.force != nullptr) left.force[lost] = s.force[0];
        if (right.force != nullptr) right.force[lost] = s.force[row.right_wall_entry];
        for (const TileSensor& sensor : row.sensors) {
            const std::size_t bead = sensor.bead - row.first;
            force_row[sensor.column] = 0.5 * (s.force[bead] + s.force[bead + 1]);
            velocity_row[sensor.column] = s.velocity[bead];
        }
        force_row += row.trace_stride;
        velocity_row += row.trace_stride;
    }
}

template <class Law>
Sweeps sweeps_of_row(const Parameters& p, const TileTask& row) {
    using Path = laws::PathOf<Law>;
    if constexpr (is_cheap<Path>) {
        return p.uniform ? sweeps_of<Path, UniformRow>(row) : sweeps_of<Path, ColumnRow>(row);
    } else {
        return sweeps_of<Path, AnyRow>(row);
    }
}

}  // namespace beadwave::dynamics::BEADWAVE_TARGET

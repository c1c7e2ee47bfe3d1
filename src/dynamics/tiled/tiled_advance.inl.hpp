// T steps of a row. Included by vector_code.cpp after tiled_step.inl.hpp.

namespace beadwave::dynamics::BEADWAVE_TARGET {

/// Blocks of the row that a step advances after `steps` of them. Forces on a bead reach `reach`
/// beads on each side. So after this step all but (steps + 1) reach beads at each end are valid;
/// they need the displacements of `reach` more beads.
inline Stretch valid_blocks(const TileTask& row, std::size_t steps, std::size_t reach) {
    const std::size_t invalid = steps * reach / lane_count * lane_count;
    return {row.left_end ? 0 : invalid, row.right_end ? row.length : row.length - invalid};
}

/// Calls function.operator()<Carried>() with what the beads of a row carry, if it is stepped within
/// the sweep.
template <class Law, class Function>
HWY_INLINE void with_carried(const TileTask& row, const Function& function) {
    if constexpr (Law::conservative) {
        const ElementRow* const all = row.elements;
        if (all != nullptr && alone(*all)) {
            const auto with_terms = [&]<bool damped, bool uniform>() HWY_ATTR {
                all->single ? function.template operator()<CarriedAlone<damped, uniform, true>>()
                            : function.template operator()<CarriedAlone<damped, uniform, false>>();
            };
            const auto with_damping = [&]<bool damped>() HWY_ATTR {
                all->uniform && !all->cubic ? with_terms.template operator()<damped, true>()
                                            : with_terms.template operator()<damped, false>();
            };
            return all->damped ? with_damping.template operator()<true>()
                               : with_damping.template operator()<false>();
        }
    }
    function.template operator()<NothingAlone>();
}

template <class Law, template <class> class Row, class Carried>
void advance(const Parameters& p, const TileTask& row) {
    constexpr bool carries = !std::same_as<Carried, NothingAlone>;
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
        const auto go = [&]<class InPassing>() {
            sweep<Law, Row, InPassing>(
                p, s, blocks.begin, blocks.end, last ? std::span(&everywhere, 1) : each_step,
                left.displacement != nullptr ? left.displacement[lost] : 0.0,
                left.velocity != nullptr ? left.velocity[lost] : 0.0, elements);
        };
        if (carries && !last) {
            go.template operator()<Carried>();
            for (const TileSensor& sensor : row.sensors) {
                const std::size_t i = sensor.bead - row.first;
                s.velocity[i] += (p.uniform ? *p.kick : p.kick[i]) * elements->force[i];
            }
        } else {
            go.template operator()<NothingAlone>();
            if (elements != nullptr)
                element->end_step(*elements, p, row, blocks.begin, blocks.end, lost,
                                  uses_speed<Law>);
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
void advance_task(const Parameters& p, const TileTask& row) {
    with_carried<Law>(row, [&]<class Carried>() {
        p.uniform ? advance<Law, UniformRow, Carried>(p, row)
                  : advance<Law, ColumnRow, Carried>(p, row);
    });
}

}  // namespace beadwave::dynamics::BEADWAVE_TARGET

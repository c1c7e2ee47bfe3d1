// A step of a block's pairs, batch by batch in phases: geometry and normal forces;
// packing_slide.inl.hpp has the others. Included by vector_code.cpp.
//
// Each phase is a loop of its own. What a contact takes is a long chain of operations that wait for
// one another; the shorter the loop, the more contacts the processor works on at a time.

namespace beadwave::packing::BEADWAVE_TARGET {

/// Angular velocities of the first bodies minus those of the second, in the middle of the step or
/// at its end.
HWY_INLINE Triple relative_angular_velocity(const double* place, const double* velocities,
                                            const std::uint32_t* first,
                                            const std::uint32_t* second) {
    const auto angular_velocity = [&](const std::uint32_t* body) HWY_ATTR {
        const Register radius = max(load_lines(place, body).at(3), Register(wall_line_radius));
        return load_lines(velocities, body).triple(4) * (Register(1.0) / radius);
    };
    return angular_velocity(first) - angular_velocity(second);
}

/// Velocities of the second minus those of the first; sum of the rims' velocities.
alignas(64) inline constexpr double relative_signs[8] = {-1, -1, -1, 0, 1, 1, 1, 0};

/// The lines of bodies that a step needs; see Prefetcher.
template <bool half, bool predicted>
struct LineFetch {
    const Lines& lines;
    HWY_INLINE void operator()(std::uint32_t body) const {
        const std::size_t at = std::size_t{body} * 8;
        __builtin_prefetch(lines.place + at, 0, first_level);
        if constexpr (half) __builtin_prefetch(lines.half + at, 0, first_level);
        if constexpr (predicted) __builtin_prefetch(lines.predicted + at, 0, first_level);
    }
};

HWY_INLINE PairVelocities<Register> load_velocities(const Lines& lines, const Entries& e,
                                                    std::size_t at) {
    const Columns half = load_pairs(lines.half, e.first + at, e.second + at, relative_signs);
    return {half.triple(0), half.triple(4)};
}

HWY_INLINE void store_way(const PairVelocities<Register>& half, Scratch& s, std::size_t k) {
    store_triple(half.velocity, s.way, k);
    store_triple(half.rolling, s.way + 3, k);
}

/// Scratch::earlier. Before the step the branch was shorter by the way; walls do without.
template <bool slides>
HWY_INLINE void store_earlier(const PairGeometry<Register>& geometry,
                              const PairVelocities<Register>& half, const Parameters& p,
                              const Entries& e, std::size_t at, double time_step, Scratch& s,
                              std::size_t k) {
    const Triple branch = plus(geometry.branch, Register(-time_step), half.velocity);
    Register power = Register::load(e.work[work_push] + at) * dot(branch, half.velocity);
    if constexpr (slides)
        power += dot(load_triple(e.sliding, at),
                     plus(half.velocity, p.at(0, k), cross(branch, half.rolling)));
    power.store(s.earlier + k);
}

/// `p`: 1/(R_1 + R_2) and `turning`.
HWY_INLINE PairSlip<Register> slip_in_step(const PairGeometry<Register>& geometry,
                                           const PairVelocities<Register>& half,
                                           const Parameters& p, std::size_t k, double time_step) {
    return slip_of<Register>(geometry, half, p.at(0, k), Register(time_step),
                             p.at(1, k) * (0.5 * time_step));
}

/// Loads the columns of later pairs into the second-level cache. They are more than the processor
/// follows by itself, which costs a tenth of the speed with friction.
template <bool slides>
HWY_INLINE void prefetch_columns(const KindTable& table, const Entries& e, std::size_t at) {
    if (!e.prefetches) return;
    constexpr std::size_t ahead = 2 * batch;
    __builtin_prefetch(e.gap + at + ahead, 0, second_level);
    __builtin_prefetch(e.first + at + ahead, 0, second_level);
    __builtin_prefetch(e.second + at + ahead, 0, second_level);
    if constexpr (slides) {
        for (const double* const column : e.sliding)
            __builtin_prefetch(column + at + ahead, 1, second_level);
    }
    if (e.work[work_push] != nullptr) {
        for (const std::size_t k : {work_push, work_given})
            __builtin_prefetch(e.work[k] + at + ahead, 1, second_level);
        if constexpr (slides)
            __builtin_prefetch(e.work[work_sliding] + at + ahead, 1, second_level);
    } else if (e.work[work_given] != nullptr) {
        for (std::size_t k = 0; k < work_on_wall; ++k) {
            if (e.work[k] != nullptr) __builtin_prefetch(e.work[k] + at + ahead, 1, second_level);
        }
    }
    if (!table.by_entry) return;
    const std::size_t row = e.number + at + ahead;
    __builtin_prefetch(table.inverse_radii + row, 0, second_level);
    __builtin_prefetch(table.turning + row, 0, second_level);
    for (std::size_t k = 0; k < table.law_fields; ++k)
        __builtin_prefetch(table.law[k] + row, 0, second_level);
    for (std::size_t k = 0; k < table.slider_fields; ++k)
        __builtin_prefetch(table.slider[k] + row, 0, second_level);
}

/// The part of Lines::predicted that is needed.
enum class Predicted {
    none,
    approach,   ///< the approach speed
    velocities  ///< also the relative velocities
};

/// `slides`: there is a tangential law. `turn`: there is rolling resistance.
template <bool slides, Predicted predicted, bool turn>
HWY_FLATTEN void place_batch(const KindTable& table, const Lines& lines, const Entries& e,
                             std::size_t from, std::size_t count, double time_step, Scratch& s) {
    // Displacements and references of the second minus those of the first; sum of both radii.
    // Sum of both 1/R.
    alignas(64) static constexpr double places[8] = {-1, -1, -1, 1, -1, -1, -1, 1};
    const double* const numbers[2] = {table.inverse_radii, table.turning};
    const Parameters p =
        parameters(table, e, from, count, numbers, slides || turn ? 2 : 0, table.same_slide, s);
    const bool works = e.work[work_given] != nullptr, pushes = e.work[work_push] != nullptr;
    Register deepest = Register::load(s.deepest);
    using Fetch = LineFetch<slides || turn, predicted != Predicted::none>;
    Prefetcher<register_lanes, Fetch> prefetch({lines}, e, from, count);
    for (std::size_t k = 0; k < count; k += register_lanes) {
        const std::uint32_t *first = e.first + from + k, *second = e.second + from + k;
        prefetch.fetch_some();
        prefetch_columns<slides>(table, e, from + k);
        const Columns pair = load_pairs(lines.place, first, second, places);
        const auto geometry = pair_geometry<Register>({.reference = pair.triple(4),
                                                       .displacement = pair.triple(0),
                                                       .radii = pair.at(3),
                                                       .gap = Register::load(e.gap + from + k)});
        deepest = max(deepest, geometry.overlap * pair.at(7));  // NaN does not count
        geometry.overlap.store(s.overlap + k);
        geometry.inverse_distance.store(s.inverse_distance + k);
        store_triple(geometry.branch, s.branch, k);
        if (slides || turn || works) {
            const PairVelocities<Register> half = load_velocities(lines, e, from + k);
            if (works) store_way(half, s, k);
            if (pushes) store_earlier<slides>(geometry, half, p, e, from + k, time_step, s, k);
            if constexpr (slides || turn) {
                const PairSlip<Register> slip = slip_in_step(geometry, half, p, k, time_step);
                if constexpr (turn) {
                    store_triple(slip.middle, s.middle, k);
                    slip.inverse_middle_squared.store(s.middle[3] + k);
                }
                if constexpr (slides) {
                    store_triple(slip.mean, s.slip_velocity, k);
                    store_triple(laws::turned(load_triple(e.sliding, from + k), slip.middle,
                                              slip.inverse_middle_squared, geometry.normal),
                                 s.tangential, k);
                }
            }
        }
        if constexpr (turn)
            store_triple(relative_angular_velocity(lines.place, lines.half, first, second), s.turn,
                         k);
        if constexpr (predicted != Predicted::none) {
            const auto store_approach = [&](const Triple& velocity) HWY_ATTR {
                (-dot(velocity, geometry.normal)).store(s.approach_speed + k);
            };
            if constexpr (predicted == Predicted::velocities) {
                const Columns velocities =
                    load_pairs(lines.predicted, first, second, relative_signs);
                store_approach(velocities.triple(0));
                store_triple(velocities.triple(0), s.predicted, k);
                store_triple(velocities.triple(4), s.predicted + 3, k);
            } else {
                store_approach(load_differences(lines.predicted, first, second));
            }
        }
        if constexpr (turn)
            store_triple(relative_angular_velocity(lines.place, lines.predicted, first, second),
                         s.turn + 3, k);
    }
    deepest.store(s.deepest);
}

template <class Slider>
void place(const KindTable& table, const Lines& lines, const Entries& e, std::size_t from,
           std::size_t count, double time_step, Scratch& s) {
    constexpr bool slides = laws::field_count < Slider >> 0;
    constexpr Predicted predicted =
        Slider::needs_velocity ? Predicted::velocities : Predicted::approach;
    s.single_kind = of_single_kind(table, e, from, count);
    if (e.rolling[0] != nullptr)
        return place_batch<slides, predicted, true>(table, lines, e, from, count, time_step, s);
    if (lines.predicted != nullptr)
        return place_batch<slides, predicted, false>(table, lines, e, from, count, time_step, s);
    place_batch<slides, Predicted::none, false>(table, lines, e, from, count, time_step, s);
}

/// The forces of a law that is a formula, of many contacts at a time.
template <class Law>
HWY_FLATTEN void normal_of_formula(const Parameters& p, const Entries& e, std::size_t from,
                                   std::size_t count, Scratch& s) {
    constexpr std::size_t most = 128 / lane_count;
    const auto law_at = [&](std::size_t k) HWY_ATTR {
        return laws::from_fields<Law>([&](std::size_t field)
                                          HWY_ATTR { return p.at<Vector>(field, k); });
    };
    laws::ExpressionBatch<Law, Vector, most> formula(law_at(0), p.same, most);
    for (std::size_t begin = 0; begin < count; begin += most * lane_count) {
        const std::size_t end = std::min(count, begin + most * lane_count);
        std::size_t b = 0;
        for (std::size_t k = begin; k < end; k += lane_count) {
            const auto before = load_record<typename Law::Memory>(e.memory, from + k);
            const auto read = [&]() HWY_ATTR { return law_at(k); };
            store_record(formula.put(b++, read, Vector::load(s.overlap + k),
                                     Vector::load(s.approach_speed + k), before),
                         e.memory, from + k);
        }
        formula.run(b);
        b = 0;
        for (std::size_t k = begin; k < end; k += lane_count)
            formula.force(b++, [&]() HWY_ATTR { return law_at(k); }).store(s.normal_force + k);
    }
    s.has_grip = false;
}

template <class Law>
HWY_FLATTEN void normal(const KindTable& table, const Entries& e, std::size_t from,
                        std::size_t count, Scratch& s) {
    using Memory = typename Law::Memory;
    const Parameters p =
        parameters(table, e, from, count, table.law, laws::field_count<Law>, table.same_law, s);
    if constexpr (laws::is_formula<Law>) return normal_of_formula<Law>(p, e, from, count, s);
    Law law{};
    const auto read = [&](std::size_t k) HWY_ATTR {
        law = laws::from_fields<Law>([&](std::size_t field)
                                         HWY_ATTR { return p.at<Vector>(field, k); });
    };
    if (p.same) read(0);
    for (std::size_t k = 0; k < count; k += lane_count) {
        if (!p.same) read(k);
        const auto before = load_record<Memory>(e.memory, from + k);
        const Vector overlap = Vector::load(s.overlap + k);
        const auto [force, memory] =
            law.respond(overlap, Vector::load(s.approach_speed + k), before);
        force.store(s.normal_force + k);
        store_record(memory, e.memory, from + k);
        if constexpr (laws::AdhesiveLaw<Law>) {
            const laws::Grip<Vector> grip = law.grip(overlap, force, memory);
            grip.overlap.store(s.grip_overlap + k);
            grip.force.store(s.grip_force + k);
        }
    }
    s.has_grip = laws::AdhesiveLaw<Law>;
}

}  // namespace beadwave::packing::BEADWAVE_TARGET

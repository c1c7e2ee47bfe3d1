// A step of a block's pairs, batch by batch in phases: geometry, normal forces, tangential forces.
// Included by vector_code.cpp.

namespace beadwave::packing::BEADWAVE_TARGET {

HWY_INLINE Triple load_triple(const double (*columns)[batch], std::size_t at) {
    return {Register::load(columns[0] + at), Register::load(columns[1] + at),
            Register::load(columns[2] + at)};
}
HWY_INLINE void store_triple(const Triple& v, double (*columns)[batch], std::size_t at) {
    v.x.store(columns[0] + at);
    v.y.store(columns[1] + at);
    v.z.store(columns[2] + at);
}
HWY_INLINE void store_triple(const Triple& v, double* const* columns, std::size_t at) {
    v.x.store(columns[0] + at);
    v.y.store(columns[1] + at);
    v.z.store(columns[2] + at);
}
HWY_INLINE Triple load_triple(double* const* columns, std::size_t at) {
    return {Register::load(columns[0] + at), Register::load(columns[1] + at),
            Register::load(columns[2] + at)};
}

/// Angular velocities of the first bodies minus those of the second, in the middle of the step or
/// at its end.
HWY_INLINE Triple relative_angular_velocity(const double* place, const double* velocities,
                                            const std::uint32_t* first,
                                            const std::uint32_t* second) {
    const auto angular_velocity = [&](const std::uint32_t* body) HWY_ATTR {
        // A wall has radius 0 and does not rotate.
        const Register radius = max(load_lines(place, body).at(3), Register(1e-300));
        return load_lines(velocities, body).triple(4) * (Register(1.0) / radius);
    };
    return angular_velocity(first) - angular_velocity(second);
}

/// Velocities of the second minus those of the first; sum of the rims' velocities.
alignas(64) inline constexpr double relative_signs[8] = {-1, -1, -1, 0, 1, 1, 1, 0};

/// Loads the lines of bodies into the second-level cache before they are needed. Processors predict
/// accesses to consecutive lines, not to scattered ones. It gains a third in speed if the caches
/// cannot hold all particles.
template <bool half, bool predicted>
class Prefetcher {
  public:
    HWY_INLINE Prefetcher(const Lines& lines, const Entries& e, std::size_t from, std::size_t count)
        : lines_(lines) {
        const std::uint32_t* const begin = e.prefetch_begin + from / batch;
        if (from == 0) fetch(e.prefetch + begin[0], e.prefetch + begin[1]);
        next_ = e.prefetch + begin[1];
        end_ = e.prefetch + begin[2];
        const std::size_t calls = count / register_lanes;
        per_call_ = (static_cast<std::size_t>(end_ - next_) + calls - 1) / calls;
    }
    /// Prefetches a part of the next batch's bodies. Called once per register of this batch, it
    /// gets all of them.
    HWY_INLINE void fetch_some() {
        const std::size_t left = static_cast<std::size_t>(end_ - next_);
        const std::uint32_t* const to = next_ + std::min(per_call_, left);
        fetch(next_, to);
        next_ = to;
    }

  private:
    // Inlined: in a separate function GCC would drop a prefetch as having no effect.
    HWY_INLINE void fetch(const std::uint32_t* body, const std::uint32_t* end) const {
        constexpr int second_level = 2;
        for (; body != end; ++body) {
            const std::size_t at = std::size_t{*body} * 8;
            __builtin_prefetch(lines_.place + at, 0, second_level);
            if constexpr (half) __builtin_prefetch(lines_.half + at, 0, second_level);
            if constexpr (predicted) __builtin_prefetch(lines_.predicted + at, 0, second_level);
        }
    }

    const Lines& lines_;
    const std::uint32_t *next_, *end_;
    std::size_t per_call_;
};

template <bool half, bool predicted, bool turn>
HWY_FLATTEN void place_batch(const Lines& lines, const Entries& e, std::size_t from,
                             std::size_t count, Scratch& s) {
    // Displacements and references of the second minus those of the first; sum of both radii.
    // Sum of both 1/R.
    alignas(64) static constexpr double places[8] = {-1, -1, -1, 1, -1, -1, -1, 1};
    Register deepest = Register::load(s.deepest);
    Prefetcher<half, predicted> prefetch(lines, e, from, count);
    for (std::size_t k = 0; k < count; k += register_lanes) {
        const std::uint32_t *first = e.first + from + k, *second = e.second + from + k;
        prefetch.fetch_some();
        const Columns pair = load_pairs(lines.place, first, second, places);
        const auto geometry = pair_geometry<Register>({.reference = pair.triple(4),
                                                       .displacement = pair.triple(0),
                                                       .radii = pair.at(3),
                                                       .gap = Register::load(e.gap + from + k)});
        deepest = max(deepest, geometry.overlap * pair.at(7));  // NaN does not count
        geometry.overlap.store(s.overlap + k);
        geometry.inverse_distance.store(s.inverse_distance + k);
        store_triple(geometry.branch, s.branch, k);
        if constexpr (half) {
            // slide() needs these in the middle of long chains of operations, where waiting costs
            // most. They have arrived by then.
            for (std::size_t lane = 0; lane < register_lanes; ++lane) {
                __builtin_prefetch(lines.half + std::size_t{first[lane]} * 8);
                __builtin_prefetch(lines.half + std::size_t{second[lane]} * 8);
            }
        }
        if constexpr (turn)
            store_triple(relative_angular_velocity(lines.place, lines.half, first, second), s.turn,
                         k);
        if constexpr (predicted) {
            const Columns velocities = load_pairs(lines.predicted, first, second, relative_signs);
            (-dot(velocities.triple(0), geometry.normal)).store(s.approach_speed + k);
            store_triple(velocities.triple(0), s.predicted, k);
            store_triple(velocities.triple(4), s.predicted + 3, k);
            if constexpr (turn)
                store_triple(relative_angular_velocity(lines.place, lines.predicted, first, second),
                             s.turn + 3, k);
        }
    }
    deepest.store(s.deepest);
}

inline void place(const Lines& lines, const Entries& e, std::size_t from, std::size_t count,
                  bool half, bool predicted, bool turn, Scratch& s) {
    if (turn) return place_batch<true, true, true>(lines, e, from, count, s);
    if (half && predicted) return place_batch<true, true, false>(lines, e, from, count, s);
    if (half) return place_batch<true, false, false>(lines, e, from, count, s);
    if (predicted) return place_batch<false, true, false>(lines, e, from, count, s);
    place_batch<false, false, false>(lines, e, from, count, s);
}

/// Whether all entries of a batch are of one kind.
inline bool of_single_kind(const Entries& e, std::size_t from, std::size_t count) {
    if (e.single_kind) return true;
    std::uint32_t differ = 0;
    for (std::size_t k = 0; k < count; ++k)
        differ |= e.kind[from + k] ^ e.kind[from];
    return differ == 0;
}

/// Parameters of a batch: those of its single kind, or columns with one value per entry.
struct Parameters {
    bool same;
    std::uint32_t kind;
    const double* const* numbers;
    double (*spread)[batch];
    template <class Number = Register>
    HWY_INLINE Number at(std::size_t field, std::size_t k) const {
        return same ? Number(numbers[field][kind]) : Number::load(spread[field] + k);
    }
};

inline Parameters parameters(const Entries& e, std::size_t from, std::size_t count,
                             const double* const* numbers, std::size_t fields, Scratch& s,
                             std::size_t place) {
    const Parameters p{of_single_kind(e, from, count), e.kind[from], numbers, s.parameter + place};
    if (!p.same) {
        for (std::size_t field = 0; field < fields; ++field) {
            for (std::size_t k = 0; k < count; ++k)
                p.spread[field][k] = numbers[field][e.kind[from + k]];
        }
    }
    return p;
}

template <class Law>
HWY_FLATTEN void normal(const KindTable& table, const Entries& e, std::size_t from,
                        std::size_t count, Scratch& s) {
    using Memory = typename Law::Memory;
    const Parameters p = parameters(e, from, count, table.law, laws::field_count<Law>, s, 0);
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

HWY_INLINE laws::SliderMemory<Register> load_memory(double* const* columns, std::size_t at) {
    return {load_triple(columns, at), Register::load(columns[3] + at)};
}
HWY_INLINE void store_memory(const laws::SliderMemory<Register>& m, double* const* columns,
                             std::size_t at) {
    store_triple(m.vector, columns, at);
    m.number.store(columns[3] + at);
}

template <class Slider>
HWY_FLATTEN void slide(const KindTable& table, const Lines& lines, const Entries& e,
                       std::size_t from, std::size_t count, double time_step, Scratch& s,
                       const Sums& sums) {
    constexpr bool slides = laws::field_count < Slider >> 0;
    // Scratch keeps overlap and normal force. The normal law's parameters are no longer needed.
    const double* numbers[10];
    std::fill_n(numbers, 10, table.turning);
    numbers[0] = table.inverse_radii;
    std::copy_n(table.slider, table.slider_fields, numbers + 2);
    std::copy_n(table.rolling, 4, numbers + 6);
    const Parameters p = parameters(e, from, count, numbers,
                                    sums.torque != nullptr ? 10 : 2 + table.slider_fields, s, 0);
    const Register dt(time_step);
    const double* const grip_overlap = s.has_grip ? s.grip_overlap : s.overlap;
    const double* const grip_force = s.has_grip ? s.grip_force : s.normal_force;
    // The first body gets minus the force, the second the force; both get minus the lever and their
    // share of the work.
    alignas(64) static constexpr double signs[2][8] = {{-1, -1, -1, 1, -1, -1, -1, 1},
                                                       {1, 1, 1, 1, -1, -1, -1, 1}};
    alignas(64) static constexpr double turns[2][8] = {{0, 0, 0, 1, -1, -1, -1, 0},
                                                       {0, 0, 0, 1, 1, 1, 1, 0}};
    const Line first_sign = Line::load(signs[0]), second_sign = Line::load(signs[1]);
    for (std::size_t k = 0; k < count; k += register_lanes) {
        PairGeometry<Register> geometry{};
        geometry.branch = load_triple(s.branch, k);
        geometry.inverse_distance = Register::load(s.inverse_distance + k);
        geometry.normal = geometry.branch * geometry.inverse_distance;
        geometry.overlap = Register::load(s.overlap + k);
        const Register normal_force = Register::load(s.normal_force + k);
        Triple force = geometry.normal * normal_force;
        Columns out;
        Register work;
        Columns half;
        if (slides || sums.torque != nullptr)
            half = load_pairs(lines.half, e.first + from + k, e.second + from + k, relative_signs);
        if constexpr (slides) {
            const Register inverse_radii = p.at(0, k);
            const PairSlip<Register> slip =
                slip_of<Register>(geometry, {half.triple(0), half.triple(4)}, inverse_radii, dt,
                                  p.at(1, k) * (0.5 * time_step));
            Triple velocity{};
            if constexpr (Slider::needs_velocity) {
                velocity = sliding_velocity<Register>(
                    geometry, {load_triple(s.predicted, k), load_triple(s.predicted + 3, k)},
                    inverse_radii);
            }
            laws::SliderMemory<Register> before = load_memory(e.sliding, from + k);
            before.vector = laws::turned(before.vector, slip.middle, slip.inverse_middle_squared,
                                         geometry.normal);
            const Slider law = laws::from_fields<Slider>(
                [&](std::size_t field) HWY_ATTR { return p.at(2 + field, k); });
            const auto response = law.respond({.slip = slip.slip,
                                               .mean = slip.mean,
                                               .velocity = velocity,
                                               .overlap = Register::load(grip_overlap + k),
                                               .normal_force = Register::load(grip_force + k)},
                                              before);
            store_memory(response.memory, e.sliding, from + k);
            if constexpr (Slider::needs_velocity) {
                if (e.tangential_force[0] != nullptr)
                    store_triple(response.force, e.tangential_force, from + k);
            }
            force += response.force;
            const Triple lever = cross(geometry.branch, response.force) * inverse_radii;
            work = response.work;
            out.put(4, lever);
            out.raw[7] = Register(0.0).raw;
        }
        if (sums.torque != nullptr) {
            const PairSlip<Register> slip =
                slip_of<Register>(geometry, {half.triple(0), half.triple(4)}, p.at(0, k), dt,
                                  p.at(1, k) * (0.5 * time_step));
            laws::SliderMemory<Register> before = load_memory(e.rolling, from + k);
            const Triple reflected =
                before.vector - slip.middle * (Register(2.0) * dot(before.vector, slip.middle) *
                                               slip.inverse_middle_squared);
            before.vector =
                reflected - geometry.normal * (Register(2.0) * dot(reflected, geometry.normal));
            const auto law = laws::from_fields<laws::RollingSlider<Register>>(
                [&](std::size_t field) HWY_ATTR { return p.at(6 + field, k); });
            const Triple angular_velocity = load_triple(s.turn, k);
            const auto response = law.respond({.angle = angular_velocity * dt,
                                               .mean = angular_velocity,
                                               .velocity = load_triple(s.turn + 3, k),
                                               .normal = geometry.normal,
                                               .overlap = Register::load(grip_overlap + k),
                                               .normal_force = Register::load(grip_force + k)},
                                              before);
            store_memory(response.memory, e.rolling, from + k);
            work += response.work;
            Columns torque;
            for (const std::size_t column : {0, 1, 2, 7})
                torque.raw[column] = Register(0.0).raw;
            torque.raw[3] = (response.work * (Register(1.0) - p.at(1, k) * 0.5)).raw;
            torque.put(4, response.force);
            add_to<true>(sums.torque, torque, e.to_first + from + k, e.to_second + from + k,
                         Line::load(turns[0]), Line::load(turns[1]));
        }
        if constexpr (!slides) {
            for (std::size_t column = 4; column < 8; ++column)
                out.raw[column] = Register(0.0).raw;
        }
        out.put(0, force);
        // Half of the work to each particle, all of it to a particle at a wall.
        out.raw[3] = (work * (Register(1.0) - p.at(1, k) * 0.5)).raw;
        add_to<slides>(sums.force, out, e.to_first + from + k, e.to_second + from + k, first_sign,
                       second_sign);
    }
}

}  // namespace beadwave::packing::BEADWAVE_TARGET

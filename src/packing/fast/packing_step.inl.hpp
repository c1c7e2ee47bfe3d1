// A step of a block's pairs in phases: where a batch of them stands, its normal forces, its
// tangential forces. Included by packing_target.inl.hpp.

namespace beadwave::dynamics::BEADWAVE_TARGET {

using packing::batch;
using packing::Entries;
using packing::KindTable;
using packing::Lines;
using packing::Scratch;
using packing::Sums;

HWY_INLINE Triple load_triple(const double (*columns)[batch], std::size_t at) {
    return {Register::load(columns[0] + at), Register::load(columns[1] + at),
            Register::load(columns[2] + at)};
}
HWY_INLINE void store_triple(const Triple& v, double (*columns)[batch], std::size_t at) {
    v.x.store(columns[0] + at);
    v.y.store(columns[1] + at);
    v.z.store(columns[2] + at);
}
HWY_INLINE Triple load_triple(double* const* columns, std::size_t at) {
    return {Register::load(columns[0] + at), Register::load(columns[1] + at),
            Register::load(columns[2] + at)};
}

/// Spins of the first body less those of the second, in the middle of the step or at its end.
HWY_INLINE Triple turn_of(const double* place, const double* motion, const std::uint32_t* first,
                          const std::uint32_t* second) {
    const auto spin = [&](const std::uint32_t* body) HWY_ATTR {
        // A wall has neither radius nor spin.
        const Register radius = at_least(load_lines(place, body).at(3), Register(1e-300));
        return load_lines(motion, body).triple(4) * (Register(1.0) / radius);
    };
    return spin(first) - spin(second);
}

/// Velocities of the second less those of the first, of the rims together.
alignas(64) inline constexpr double motions[8] = {-1, -1, -1, 0, 1, 1, 1, 0};

/// Brings the lines of bodies into the second-level cache before they are asked for: a processor
/// foresees rows of lines, not lines here and there. A third more speed where the caches do not
/// hold all particles.
template <bool half, bool predicted>
class Arrivals {
  public:
    HWY_INLINE Arrivals(const Lines& lines, const Entries& e, std::size_t from, std::size_t count)
        : lines_(lines) {
        const std::uint32_t* const begin = e.arrival_begin + from / batch;
        if (from == 0) fetch(e.arrivals + begin[0], e.arrivals + begin[1]);
        next_ = e.arrivals + begin[1];
        end_ = e.arrivals + begin[2];
        const std::size_t calls = count / register_lanes;
        at_once_ = (static_cast<std::size_t>(end_ - next_) + calls - 1) / calls;
    }
    /// A part of those of the next batch; all of them, once for each register of this one.
    HWY_INLINE void fetch_some() {
        const std::size_t left = static_cast<std::size_t>(end_ - next_);
        const std::uint32_t* const to = next_ + std::min(at_once_, left);
        fetch(next_, to);
        next_ = to;
    }

  private:
    // In a function of its own GCC would drop a prefetch as if it did nothing.
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
    std::size_t at_once_;
};

template <bool half, bool predicted, bool turn>
HWY_FLATTEN void place_batch(const Lines& lines, const Entries& e, std::size_t from,
                             std::size_t count, Scratch& s) {
    // Displacements and references of the second less those of the first, radii of both; velocities
    // less, rims' velocities together.
    alignas(64) static constexpr double places[8] = {-1, -1, -1, 1, -1, -1, -1, 0};
    Arrivals<half, predicted> arrivals(lines, e, from, count);
    for (std::size_t k = 0; k < count; k += register_lanes) {
        const std::uint32_t *first = e.first + from + k, *second = e.second + from + k;
        arrivals.fetch_some();
        const Columns pair = load_pairs(lines.place, first, second, places);
        const auto stand = packing::stand<Register>({.reference = pair.triple(4),
                                                     .displacement = pair.triple(0),
                                                     .radii = pair.at(3),
                                                     .gap = Register::load(e.gap + from + k)});
        stand.overlap.store(s.overlap + k);
        stand.inverse_distance.store(s.inverse_distance + k);
        store_triple(stand.branch, s.branch, k);
        if constexpr (half) {
            // slide() asks for these in the midst of long chains of operations, where waiting costs
            // most: they are on their way by then.
            for (std::size_t lane = 0; lane < register_lanes; ++lane) {
                __builtin_prefetch(lines.half + std::size_t{first[lane]} * 8);
                __builtin_prefetch(lines.half + std::size_t{second[lane]} * 8);
            }
        }
        if constexpr (turn)
            store_triple(turn_of(lines.place, lines.half, first, second), s.turn, k);
        if constexpr (predicted) {
            const Columns motion = load_pairs(lines.predicted, first, second, motions);
            (-dot(motion.triple(0), stand.normal)).store(s.approach_speed + k);
            store_triple(motion.triple(0), s.predicted, k);
            store_triple(motion.triple(4), s.predicted + 3, k);
            if constexpr (turn)
                store_triple(turn_of(lines.place, lines.predicted, first, second), s.turn + 3, k);
        }
    }
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
inline bool alike(const Entries& e, std::size_t from, std::size_t count) {
    if (e.alike) return true;
    std::uint32_t differ = 0;
    for (std::size_t k = 0; k < count; ++k)
        differ |= e.kind[from + k] ^ e.kind[from];
    return differ == 0;
}

/// Parameters of a batch: numbers of its one kind, or spread over columns.
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
    const Parameters p{alike(e, from, count), e.kind[from], numbers, s.parameter + place};
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
        const auto before = laws::from_fields<Memory>(
            [&](std::size_t f) HWY_ATTR { return Vector::load(e.memory[f] + from + k); });
        const auto [force, memory] =
            law.respond(Vector::load(s.overlap + k), Vector::load(s.approach_speed + k), before);
        force.store(s.normal_force + k);
        laws::to_fields(memory, [&](std::size_t f, Vector value)
                                    HWY_ATTR { value.store(e.memory[f] + from + k); });
    }
}

HWY_INLINE laws::SliderMemory<Register> load_memory(double* const* columns, std::size_t at) {
    return {load_triple(columns, at), Register::load(columns[3] + at)};
}
HWY_INLINE void store_memory(const laws::SliderMemory<Register>& m, double* const* columns,
                             std::size_t at) {
    m.vector.x.store(columns[0] + at);
    m.vector.y.store(columns[1] + at);
    m.vector.z.store(columns[2] + at);
    m.number.store(columns[3] + at);
}

template <class Slider>
HWY_FLATTEN void slide(const KindTable& table, const Lines& lines, const Entries& e,
                       std::size_t from, std::size_t count, double time_step, Scratch& s,
                       const Sums& sums) {
    constexpr bool slides = laws::field_count < Slider >> 0;
    // Overlap and normal force of the law stay; its parameters are no longer needed.
    const double* numbers[10];
    std::fill_n(numbers, 10, table.turning);
    numbers[0] = table.inverse_radii;
    std::copy_n(table.slider, table.slider_fields, numbers + 2);
    std::copy_n(table.rolling, 4, numbers + 6);
    const Parameters p = parameters(e, from, count, numbers,
                                    sums.torque != nullptr ? 10 : 2 + table.slider_fields, s, 0);
    const Register dt(time_step);
    // The first gets minus the force, the second the force; both minus the lever, both the work.
    alignas(64) static constexpr double signs[2][8] = {{-1, -1, -1, 1, -1, -1, -1, 1},
                                                       {1, 1, 1, 1, -1, -1, -1, 1}};
    alignas(64) static constexpr double turns[2][8] = {{0, 0, 0, 0, -1, -1, -1, 0},
                                                       {0, 0, 0, 0, 1, 1, 1, 0}};
    const Line first_sign = Line::load(signs[0]), second_sign = Line::load(signs[1]);
    for (std::size_t k = 0; k < count; k += register_lanes) {
        packing::PairStand<Register> stand{};
        stand.branch = load_triple(s.branch, k);
        stand.inverse_distance = Register::load(s.inverse_distance + k);
        stand.normal = stand.branch * stand.inverse_distance;
        stand.overlap = Register::load(s.overlap + k);
        const Register normal_force = Register::load(s.normal_force + k);
        Triple force = stand.normal * normal_force;
        Columns out;
        Register work;
        Columns half;
        if (slides || sums.torque != nullptr)
            half = load_pairs(lines.half, e.first + from + k, e.second + from + k, motions);
        if constexpr (slides) {
            const Register inverse_radii = p.at(0, k);
            const packing::PairSlip<Register> slip =
                packing::slip_of<Register>(stand, {half.triple(0), half.triple(4)}, inverse_radii,
                                           dt, p.at(1, k) * (0.5 * time_step));
            Triple velocity{};
            if constexpr (Slider::asks_velocity) {
                velocity = packing::sliding_velocity<Register>(
                    stand, {load_triple(s.predicted, k), load_triple(s.predicted + 3, k)},
                    inverse_radii);
            }
            laws::SliderMemory<Register> before = load_memory(e.sliding, from + k);
            before.vector =
                laws::turned(before.vector, slip.middle, slip.inverse_middle_squared, stand.normal);
            const Slider law = laws::from_fields<Slider>(
                [&](std::size_t field) HWY_ATTR { return p.at(2 + field, k); });
            const auto answer = law.respond({.slip = slip.slip,
                                             .mean = slip.mean,
                                             .velocity = velocity,
                                             .overlap = stand.overlap,
                                             .normal_force = normal_force},
                                            before);
            store_memory(answer.memory, e.sliding, from + k);
            force += answer.force;
            const Triple lever = cross(stand.branch, answer.force) * inverse_radii;
            work = answer.work;
            out.put(4, lever);
            out.raw[7] = Register(0.0).raw;
        }
        if (sums.torque != nullptr) {
            const packing::PairSlip<Register> slip =
                packing::slip_of<Register>(stand, {half.triple(0), half.triple(4)}, p.at(0, k), dt,
                                           p.at(1, k) * (0.5 * time_step));
            laws::SliderMemory<Register> before = load_memory(e.rolling, from + k);
            const Triple reflected =
                before.vector - slip.middle * (Register(2.0) * dot(before.vector, slip.middle) *
                                               slip.inverse_middle_squared);
            before.vector =
                reflected - stand.normal * (Register(2.0) * dot(reflected, stand.normal));
            const auto law = laws::from_fields<laws::RollingSlider<Register>>(
                [&](std::size_t field) HWY_ATTR { return p.at(6 + field, k); });
            const Triple spin = load_triple(s.turn, k);
            const auto answer = law.respond({.angle = spin * dt,
                                             .mean = spin,
                                             .velocity = load_triple(s.turn + 3, k),
                                             .normal = stand.normal,
                                             .overlap = stand.overlap,
                                             .normal_force = normal_force},
                                            before);
            store_memory(answer.memory, e.rolling, from + k);
            work += answer.work;
            Columns torque;
            for (const std::size_t column : {0, 1, 2, 3, 7})
                torque.raw[column] = Register(0.0).raw;
            torque.put(4, answer.force);
            add_to<true>(sums.torque, torque, e.to_first + from + k, e.to_second + from + k,
                         Line::load(turns[0]), Line::load(turns[1]));
        }
        if constexpr (!slides) {
            for (std::size_t column = 4; column < 8; ++column)
                out.raw[column] = Register(0.0).raw;
        }
        out.put(0, force);
        // Half of it to either particle, all to one before a wall.
        out.raw[3] = (work * (Register(1.0) - p.at(1, k) * 0.5)).raw;
        add_to<slides>(sums.force, out, e.to_first + from + k, e.to_second + from + k, first_sign,
                       second_sign);
    }
}

template <std::size_t... index>
void name_laws(packing::PackingKernel& kernel, std::index_sequence<index...>) {
    ((kernel.normal[index] =
          &normal<
              typename std::variant_alternative_t<index, laws::AnyLaw>::template Rebind<Vector>>),
     ...);
}
template <std::size_t... index>
void name_sliders(packing::PackingKernel& kernel, std::index_sequence<index...>) {
    ((kernel.slide[index] =
          &slide<typename std::variant_alternative_t<index,
                                                     laws::AnySlider>::template Rebind<Register>>),
     ...);
}

packing::PackingKernel packing_kernel(const char* name) {
    packing::PackingKernel kernel{};
    kernel.name = name;
    kernel.place = &place;
    kernel.kick = &kick;
    name_laws(kernel, std::make_index_sequence<std::variant_size_v<laws::AnyLaw>>{});
    name_sliders(kernel, std::make_index_sequence<std::variant_size_v<laws::AnySlider>>{});
    return kernel;
}

}  // namespace beadwave::dynamics::BEADWAVE_TARGET

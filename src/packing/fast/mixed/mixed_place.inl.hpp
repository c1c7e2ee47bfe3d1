// The first phase of a mixed-precision step: the geometry of pairs. Included by vector_code.cpp.

namespace beadwave::packing::BEADWAVE_TARGET {

HWY_INLINE FloatTriple load_floats(const float (*columns)[batch], std::size_t at) {
    return {FloatRegister::load(columns[0] + at), FloatRegister::load(columns[1] + at),
            FloatRegister::load(columns[2] + at)};
}
HWY_INLINE void store_floats(const FloatTriple& v, float (*columns)[batch], std::size_t at) {
    v.x.store(columns[0] + at);
    v.y.store(columns[1] + at);
    v.z.store(columns[2] + at);
}

/// Where column 0 of an entry's pair record is.
HWY_INLINE float* pair_record(const MixedEntries& e, std::size_t at) {
    return e.pair + at / entry_block * (entry_block * mixed_pair) + at % entry_block;
}
HWY_INLINE FloatTriple load_record_triple(const float* record, std::size_t column) {
    const float* const p = record + column * entry_block;
    return {FloatRegister::load(p), FloatRegister::load(p + entry_block),
            FloatRegister::load(p + 2 * entry_block)};
}

/// Parameters of a batch, like Parameters.
struct FloatParameters {
    bool same;
    std::size_t row;  ///< of the first entry, in the columns of all parameters
    const double* const* numbers;
    float (*spread)[batch];
    HWY_INLINE FloatRegister at(std::size_t field, std::size_t k) const {
        return same ? FloatRegister(numbers[field][row]) : FloatRegister::load(spread[field] + k);
    }
};

inline FloatParameters float_parameters(const KindTable& table, const Entries& e, std::size_t from,
                                        std::size_t count, const double* const* numbers,
                                        std::size_t fields, MixedScratch& s) {
    // Not e.kind[from] where one will do: the first one of the block stays in the cache.
    const FloatParameters p{.same = of_single_kind(e, from, count),
                            .row = table.by_entry  ? e.number + from
                                   : e.single_kind ? e.kind[0]
                                                   : e.kind[from],
                            .numbers = numbers,
                            .spread = s.parameter};
    for (std::size_t field = 0; !p.same && field < fields; ++field) {
        for (std::size_t k = 0; k < count; ++k)
            p.spread[field][k] =
                static_cast<float>(numbers[field][table.by_entry ? p.row + k : e.kind[from + k]]);
    }
    return p;
}

/// Loads what a batch needs into the second-level cache before it is needed; see Prefetcher.
class MixedPrefetcher {
  public:
    HWY_INLINE MixedPrefetcher(const MixedLines& lines, const Entries& e, std::size_t from,
                               std::size_t count)
        : body_(lines.body) {
        const std::uint32_t* const begin = e.prefetch_begin + from / batch;
        if (from == 0) fetch(e.prefetch + begin[0], e.prefetch + begin[1]);
        next_ = e.prefetch + begin[1];
        end_ = e.prefetch + begin[2];
        const std::size_t calls = count / float_lanes;
        per_call_ = (static_cast<std::size_t>(end_ - next_) + calls - 1) / calls;
    }
    HWY_INLINE void fetch_some() {
        const std::size_t left = static_cast<std::size_t>(end_ - next_);
        const std::uint32_t* const to = next_ + std::min(per_call_, left);
        fetch(next_, to);
        next_ = to;
    }

  private:
    HWY_INLINE void fetch(const std::uint32_t* body, const std::uint32_t* end) const {
        constexpr int second_level = 2;
        for (; body != end; ++body)
            __builtin_prefetch(body_ + std::size_t{*body} * mixed_line, 0, second_level);
    }

    const float* body_;
    const std::uint32_t *next_, *end_;
    std::size_t per_call_;
};

/// Loads the columns of later pairs into the second-level cache.
template <bool slides>
HWY_INLINE void prefetch_pairs(const Entries& e, const MixedEntries& pairs, std::size_t at) {
    constexpr std::size_t ahead = 2 * batch, of_line = 16;
    constexpr int second_level = 2;
    __builtin_prefetch(e.first + at + ahead, 0, second_level);
    __builtin_prefetch(e.second + at + ahead, 0, second_level);
    __builtin_prefetch(e.to_first + at + ahead, 0, second_level);
    __builtin_prefetch(e.to_second + at + ahead, 0, second_level);
    const float* const record = pair_record(pairs, at + ahead);
    constexpr std::size_t lines = (slides ? 8 : 4) * float_lanes / of_line;
    // Of short registers, each takes its part of the lines of a record.
    const std::size_t from = at % entry_block / float_lanes * lines * of_line;
#pragma GCC unroll 8
    for (std::size_t k = 0; k < lines; ++k)
        __builtin_prefetch(record - at % entry_block + from + k * of_line, 1, second_level);
}

/// From the displacement u of the second body relative to the first since the list was built, when
/// it was at l n: |l n + u| - |l n| = (2 l n.u + u.u) / (|l n + u| + |l n|), as in lengthening().
/// All terms are as small as u, so that a float keeps 1e-7 of u, not of l.
HWY_INLINE PairGeometry<FloatRegister> mixed_geometry(const FloatTriple& n, const FloatTriple& u,
                                                      const FloatRegister& radii,
                                                      const FloatRegister& gap) {
    const FloatRegister l = radii + gap, along = dot(n, u);
    const FloatRegister more = multiply_add(l, along + along, dot(u, u));
    const FloatTriple branch = plus(u, l, n);
    const FloatRegister squared = dot(branch, branch);
    const FloatRegister inverse = inverse_sqrt(squared);
    const FloatRegister change = ratio(more, multiply_add(squared, inverse, l));
    return {branch, branch * inverse, inverse, -(gap + change)};
}

alignas(64) inline constexpr float mixed_signs[16] = {-1, -1, -1, 1,  -1, -1, -1, -1,
                                                      -1, -1, -1, -1, 1,  1,  1,  -1};
alignas(64) inline constexpr float mixed_predicted_signs[8] = {-1, -1, -1, 0, 1, 1, 1, 0};

/// `velocities`: the tangential law needs those at the end of the step.
template <bool slides, bool predicted, bool velocities>
HWY_FLATTEN void mixed_place_batch(const KindTable& table, const MixedTable& mixed,
                                   const MixedLines& lines, const Entries& e,
                                   const MixedEntries& pairs, std::size_t from, std::size_t count,
                                   double time_step, Scratch& s, MixedScratch& f) {
    const double* const numbers[3] = {mixed.inverse_radii_sum, table.inverse_radii, table.turning};
    const FloatParameters p = float_parameters(table, e, from, count, numbers, slides ? 3 : 1, f);
    FloatRegister deepest = FloatRegister::load(f.deepest);
    MixedPrefetcher prefetch(lines, e, from, count);
    for (std::size_t k = 0; k < count; k += float_lanes) {
        const std::uint32_t *first = e.first + from + k, *second = e.second + from + k;
        prefetch.fetch_some();
        prefetch_pairs<slides>(e, pairs, from + k);
        const float* const record = pair_record(pairs, from + k);
        const auto body = load_float_pairs<mixed_line>(lines.body, first, second, mixed_signs);
        const auto geometry =
            mixed_geometry(load_record_triple(record, 0), body.triple(0) + body.triple(4),
                           body.at(3), FloatRegister::load(record + 3 * entry_block));
        deepest = max(geometry.overlap * p.at(0, k), deepest);
        geometry.overlap.store(s.overlap + k);
        geometry.inverse_distance.store(f.inverse_distance + k);
        store_floats(geometry.branch, f.branch, k);
        if constexpr (slides) {
            const FloatTriple rest{body.at(7), body.at(11), body.at(15)};
            const PairSlip<FloatRegister> slip = slip_of<FloatRegister>(
                geometry, {body.triple(8) + rest, body.triple(12)}, p.at(1, k),
                FloatRegister(time_step), p.at(2, k) * FloatRegister(0.5 * time_step));
            store_floats(slip.mean, f.slip_velocity, k);
            store_floats(laws::turned(load_record_triple(record, 4), slip.middle,
                                      slip.inverse_middle_squared, geometry.normal),
                         f.tangential, k);
        }
        if constexpr (predicted) {
            const auto now = load_float_pairs<mixed_predicted_line>(lines.predicted, first, second,
                                                                    mixed_predicted_signs);
            (-dot(now.triple(0), geometry.normal)).store(s.approach_speed + k);
            if constexpr (velocities) {
                store_floats(now.triple(0), f.predicted, k);
                store_floats(now.triple(4), f.predicted + 3, k);
            }
        }
    }
    deepest.store(f.deepest);
}

template <class Slider>
void mixed_place(const KindTable& table, const MixedTable& mixed, const MixedLines& lines,
                 const Entries& e, const MixedEntries& pairs, std::size_t from, std::size_t count,
                 double time_step, Scratch& s, MixedScratch& f) {
    constexpr bool slides = laws::field_count < Slider >> 0;
    if (lines.predicted != nullptr) {
        return mixed_place_batch<slides, true, Slider::needs_velocity>(
            table, mixed, lines, e, pairs, from, count, time_step, s, f);
    }
    mixed_place_batch<slides, false, false>(table, mixed, lines, e, pairs, from, count, time_step,
                                            s, f);
}

}  // namespace beadwave::packing::BEADWAVE_TARGET

// The first phase of a mixed-precision step: the geometry of pairs. Included by vector_code.cpp.

namespace beadwave::packing::BEADWAVE_TARGET {

HWY_INLINE FloatTriple load_triple(const float (*columns)[batch], std::size_t at) {
    return {FloatRegister::load(columns[0] + at), FloatRegister::load(columns[1] + at),
            FloatRegister::load(columns[2] + at)};
}
HWY_INLINE void store_triple(const FloatTriple& v, float (*columns)[batch], std::size_t at) {
    v.x.store(columns[0] + at);
    v.y.store(columns[1] + at);
    v.z.store(columns[2] + at);
}

/// Where column 0 of an entry's pair record is.
HWY_INLINE float* pair_record(const MixedEntries& e, std::size_t at) {
    return e.pair + at / entry_block * (entry_block * e.width) + at % entry_block;
}
HWY_INLINE void store_triple(const FloatTriple& v, double (*columns)[batch], std::size_t at) {
    v.x.store(columns[0] + at);
    v.y.store(columns[1] + at);
    v.z.store(columns[2] + at);
}
HWY_INLINE FloatTriple load_record_triple(const float* record, std::size_t column) {
    const float* const p = record + column * entry_block;
    return {FloatRegister::load(p), FloatRegister::load(p + entry_block),
            FloatRegister::load(p + 2 * entry_block)};
}

/// The float lines of bodies; see Prefetcher.
struct FloatLineFetch {
    const float* body;
    HWY_INLINE void operator()(std::uint32_t index) const {
        __builtin_prefetch(body + std::size_t{index} * mixed_line, 0, second_level);
    }
};

/// Parameters of a batch, in the order of mixed_parameters(): of its entries, or of their kinds.
template <bool slides>
struct MixedParameters {
    const KindTable& table;
    const Parameters& of_kinds;
    const MixedEntries& pairs;
    std::size_t from;
    HWY_INLINE FloatRegister at(std::size_t field, std::size_t k) const {
        if (!table.by_entry) return of_kinds.at<FloatRegister>(field, k);
        return FloatRegister::load(pair_record(pairs, from + k) +
                                   (mixed_pair(slides) + field) * entry_block);
    }
};

/// Loads the columns of later pairs into the second-level cache.
HWY_INLINE void prefetch_pairs(const KindTable& table, const Entries& e, const MixedEntries& pairs,
                               std::size_t at) {
    constexpr std::size_t ahead = 2 * batch, of_line = 16;
    __builtin_prefetch(e.first + at + ahead, 0, second_level);
    __builtin_prefetch(e.second + at + ahead, 0, second_level);
    __builtin_prefetch(e.to_first + at + ahead, 0, second_level);
    __builtin_prefetch(e.to_second + at + ahead, 0, second_level);
    const float* const record = pair_record(pairs, at + ahead);
    // With short registers, each takes its part of the lines of a record.
    const std::size_t lines = (pairs.width * float_lanes + of_line - 1) / of_line;
    const std::size_t from = at % entry_block / float_lanes * lines * of_line;
    for (std::size_t k = 0; k < lines; ++k)
        __builtin_prefetch(record - at % entry_block + from + k * of_line, 1, second_level);
    if (!table.by_entry) return;
    for (std::size_t k = 0; k < table.law_fields; ++k)
        __builtin_prefetch(table.law[k] + e.number + at + ahead, 0, second_level);
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

/// Angular velocities of the first bodies minus those of the second, in the middle of the step and
/// at its end.
HWY_INLINE void store_turn(const MixedLines& lines, const std::uint32_t* first,
                           const std::uint32_t* second, double (*turn)[batch], std::size_t at) {
    FloatTriple half, predicted;
    const auto add = [&](const std::uint32_t* body, double sign) HWY_ATTR {
        const auto now = load_float_lines<mixed_line>(lines.body, body);
        const auto end = load_float_lines<mixed_predicted_line>(lines.predicted, body);
        const FloatRegister radius = max(now.at(3), FloatRegister(mixed_wall_line_radius));
        const FloatRegister inverse = FloatRegister(sign) / radius;
        half = half + now.triple(12) * inverse;
        predicted = predicted + end.triple(4) * inverse;
    };
    add(first, 1.0);
    add(second, -1.0);
    store_triple(half, turn, at);
    store_triple(predicted, turn + 3, at);
}

/// `velocities`: the tangential law needs those at the end of the step. `turn`: there is rolling
/// resistance.
template <bool slides, bool predicted, bool velocities, bool turn>
HWY_FLATTEN void mixed_place_batch(const KindTable& table, const MixedTable& mixed,
                                   const MixedLines& lines, const Entries& e,
                                   const MixedEntries& pairs, std::size_t from, std::size_t count,
                                   double time_step, Scratch& s, MixedScratch& f) {
    const double* const numbers[3] = {mixed.inverse_radii_sum, table.inverse_radii, table.turning};
    const Parameters of_kinds =
        parameters(table, e, from, count, numbers, slides || turn ? 3 : 1, 0, s);
    const MixedParameters<slides> p{table, of_kinds, pairs, from};
    FloatRegister deepest = FloatRegister::load(f.deepest);
    Prefetcher<float_lanes, FloatLineFetch> prefetch({lines.body}, e, from, count);
    for (std::size_t k = 0; k < count; k += float_lanes) {
        const std::uint32_t *first = e.first + from + k, *second = e.second + from + k;
        prefetch.fetch_some();
        prefetch_pairs(table, e, pairs, from + k);
        const float* const record = pair_record(pairs, from + k);
        const auto body = load_float_pairs<mixed_line>(lines.body, first, second, mixed_signs);
        const auto geometry =
            mixed_geometry(load_record_triple(record, 0), body.triple(0) + body.triple(4),
                           body.at(3), FloatRegister::load(record + 3 * entry_block));
        deepest = max(geometry.overlap * p.at(0, k), deepest);
        geometry.overlap.store(s.overlap + k);
        geometry.inverse_distance.store(f.inverse_distance + k);
        store_triple(geometry.branch, f.branch, k);
        if constexpr (slides || turn) {
            const FloatTriple rest{body.at(7), body.at(11), body.at(15)};
            const PairSlip<FloatRegister> slip = slip_of<FloatRegister>(
                geometry, {body.triple(8) + rest, body.triple(12)}, p.at(1, k),
                FloatRegister(time_step), p.at(2, k) * FloatRegister(0.5 * time_step));
            if constexpr (slides) {
                store_triple(slip.mean, f.slip_velocity, k);
                store_triple(laws::turned(load_record_triple(record, 4), slip.middle,
                                          slip.inverse_middle_squared, geometry.normal),
                             f.tangential, k);
            }
            if constexpr (turn) {
                store_triple(geometry.branch, s.branch, k);
                store_triple(slip.middle, f.middle, k);
                store_turn(lines, first, second, s.turn, k);
            }
        }
        if constexpr (predicted) {
            const auto now = load_float_pairs<mixed_predicted_line>(lines.predicted, first, second,
                                                                    mixed_predicted_signs);
            (-dot(now.triple(0), geometry.normal)).store(s.approach_speed + k);
            if constexpr (velocities) {
                store_triple(now.triple(0), f.predicted, k);
                store_triple(now.triple(4), f.predicted + 3, k);
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
    s.single_kind = of_single_kind(table, e, from, count);
    const auto place = [&]<bool predicted, bool velocities, bool turn>() {
        mixed_place_batch<slides, predicted, velocities, turn>(table, mixed, lines, e, pairs, from,
                                                               count, time_step, s, f);
    };
    if (e.rolling[0] != nullptr)
        return place.template operator()<true, Slider::needs_velocity, true>();
    if (lines.predicted != nullptr)
        return place.template operator()<true, Slider::needs_velocity, false>();
    place.template operator()<false, false, false>();
}

}  // namespace beadwave::packing::BEADWAVE_TARGET

// Lines of floats into columns of lanes and back. Included by vector_code.cpp.
//
// As in packing_lines.inl.hpp, arrays that must stay in registers are of type Raw.

namespace beadwave::packing::BEADWAVE_TARGET {

using DoubleView = hn::Repartition<double, FloatLanes>;

/// `width` columns of `float_lanes` lines.
template <std::size_t width>
using FloatColumns = ColumnsOf<FloatRegister, width>;

/// Transposes the 4 x 4 squares of four registers: number j of part p of out[k] is number k of part
/// p of in[j].
HWY_INLINE void transpose_parts(const FloatRegister::Raw* in, FloatRegister::Raw* out) {
    const FloatLanes f;
    const DoubleView d;
    const auto a = hn::BitCast(d, hn::InterleaveLower(f, in[0], in[1]));
    const auto b = hn::BitCast(d, hn::InterleaveUpper(f, in[0], in[1]));
    const auto p = hn::BitCast(d, hn::InterleaveLower(f, in[2], in[3]));
    const auto q = hn::BitCast(d, hn::InterleaveUpper(f, in[2], in[3]));
    out[0] = hn::BitCast(f, hn::InterleaveLower(d, a, p));
    out[1] = hn::BitCast(f, hn::InterleaveUpper(d, a, p));
    out[2] = hn::BitCast(f, hn::InterleaveLower(d, b, q));
    out[3] = hn::BitCast(f, hn::InterleaveUpper(d, b, q));
}

/// Transposes a square of numbers.
HWY_INLINE void transpose_floats(const FloatRegister::Raw* r, FloatRegister::Raw* c) {
    FloatRegister::Raw u[float_lanes];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < float_lanes; k += 4)
        transpose_parts(r + k, u + k);
#pragma GCC unroll 4
    for (std::size_t k = 0; k < 4; ++k) {
#if HWY_TARGET == HWY_AVX3
        const auto even = _mm512_shuffle_f32x4(u[k].raw, u[4 + k].raw, 0x88),
                   odd = _mm512_shuffle_f32x4(u[k].raw, u[4 + k].raw, 0xDD),
                   more_even = _mm512_shuffle_f32x4(u[8 + k].raw, u[12 + k].raw, 0x88),
                   more_odd = _mm512_shuffle_f32x4(u[8 + k].raw, u[12 + k].raw, 0xDD);
        c[k].raw = _mm512_shuffle_f32x4(even, more_even, 0x88);
        c[8 + k].raw = _mm512_shuffle_f32x4(even, more_even, 0xDD);
        c[4 + k].raw = _mm512_shuffle_f32x4(odd, more_odd, 0x88);
        c[12 + k].raw = _mm512_shuffle_f32x4(odd, more_odd, 0xDD);
#elif HWY_TARGET == HWY_AVX2
        c[k] = hn::ConcatLowerLower(FloatLanes(), u[4 + k], u[k]);
        c[4 + k] = hn::ConcatUpperUpper(FloatLanes(), u[4 + k], u[k]);
#else
        c[k] = u[k];
#endif
    }
}

/// The columns of `float_lanes` lines: row(lanes, k, part) loads numbers of line k, from its number
/// `part` on.
template <std::size_t width, class Row>
HWY_INLINE FloatColumns<width> float_columns(Row row) {
    FloatColumns<width> c;
    const FloatLanes f;
    if constexpr (width < float_lanes) {
        // Two lines to a register: of the first half of the lines, and of the second.
        static_assert(2 * width == float_lanes);
        constexpr std::size_t half = float_lanes - width;
        const hn::Half<FloatLanes> h;
        FloatRegister::Raw r[half], u[half];
#pragma GCC unroll 8
        for (std::size_t k = 0; k < half; ++k)
            r[k] = hn::Combine(f, row(h, half + k, 0), row(h, k, 0));
#pragma GCC unroll 4
        for (std::size_t k = 0; k < half; k += 4)
            transpose_parts(r + k, u + k);
#if HWY_TARGET == HWY_AVX3
#pragma GCC unroll 4
        for (std::size_t k = 0; k < 4; ++k) {
            // Parts of u[k]: columns k and 4 + k of lines 0 to 3, the same of lines 8 to 11; of
            // u[4 + k]: of lines 4 to 7 and 12 to 15.
            const auto even = _mm512_shuffle_f32x4(u[k].raw, u[4 + k].raw, 0x88),
                       odd = _mm512_shuffle_f32x4(u[k].raw, u[4 + k].raw, 0xDD);
            c.raw[k].raw = _mm512_shuffle_f32x4(even, even, 0xD8);
            c.raw[4 + k].raw = _mm512_shuffle_f32x4(odd, odd, 0xD8);
        }
#endif
        return c;
    } else {
#pragma GCC unroll 4
        for (std::size_t part = 0; part < width; part += float_lanes) {
            FloatRegister::Raw r[float_lanes];
#pragma GCC unroll 16
            for (std::size_t k = 0; k < float_lanes; ++k)
                r[k] = row(f, k, part);
            transpose_floats(r, c.raw + part);
        }
        return c;
    }
}

/// The columns of second + sign x first for the lines of `float_lanes` pairs.
template <std::size_t width>
HWY_INLINE FloatColumns<width> load_float_pairs(const float* lines, const std::uint32_t* first,
                                                const std::uint32_t* second, const float* sign) {
    return float_columns<width>([=](auto lanes, std::size_t k, std::size_t part) HWY_ATTR {
        return hn::MulAdd(hn::LoadU(lanes, lines + std::size_t{first[k]} * width + part),
                          hn::LoadU(lanes, sign + part),
                          hn::LoadU(lanes, lines + std::size_t{second[k]} * width + part));
    });
}

/// The columns of the lines of `float_lanes` bodies.
template <std::size_t width>
HWY_INLINE FloatColumns<width> load_float_lines(const float* lines, const std::uint32_t* body) {
    return float_columns<width>([=](auto lanes, std::size_t k, std::size_t part) HWY_ATTR {
        return hn::LoadU(lanes, lines + std::size_t{body[k]} * width + part);
    });
}

/// Stores the rows of eight or four columns. Row 4 p + k of the lines is the stored row
/// k parts + p, with as many parts as a register has groups of four.
template <std::size_t width>
HWY_INLINE void store_float_rows(const FloatColumns<width>& c, float* rows) {
    constexpr std::size_t parts = float_lanes / 4;
    const FloatLanes f;
    FloatRegister::Raw low[4];
    transpose_parts(c.raw, low);
    if constexpr (width == 4) {
#pragma GCC unroll 4
        for (std::size_t k = 0; k < 4; ++k)
            hn::StoreU(low[k], f, rows + k * parts * 4);
        return;
    } else {
        FloatRegister::Raw high[4];
        transpose_parts(c.raw + 4, high);
#pragma GCC unroll 4
        for (std::size_t k = 0; k < 4; ++k) {
            float* const to = rows + k * parts * 8;
#if HWY_TARGET == HWY_AVX3
            const __m512i lower = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
                          upper = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
            const __m512d a = _mm512_castps_pd(low[k].raw), b = _mm512_castps_pd(high[k].raw);
            _mm512_storeu_ps(to, _mm512_castpd_ps(_mm512_permutex2var_pd(a, lower, b)));
            _mm512_storeu_ps(to + 16, _mm512_castpd_ps(_mm512_permutex2var_pd(a, upper, b)));
#elif HWY_TARGET == HWY_AVX2
            hn::StoreU(hn::ConcatLowerLower(f, high[k], low[k]), f, to);
            hn::StoreU(hn::ConcatUpperUpper(f, high[k], low[k]), f, to + 8);
#else
            hn::StoreU(low[k], f, to);
            hn::StoreU(high[k], f, to + 4);
#endif
        }
    }
}

/// Adds the rows of `count` pairs, in the order of store_float_rows(), to the sums of their second
/// particles, and the rows times `sign` to those of their first ones.
template <std::size_t width>
HWY_INLINE void add_float_rows(double* sums, const float* rows, const std::uint16_t* first,
                               const std::uint16_t* second, std::size_t count, const double* sign) {
    constexpr std::size_t lanes = HWY_MIN(register_lanes, 4), parts = width / lanes,
                          groups = float_lanes / 4;
    using Floats = hn::Rebind<float, Part>;
    hn::Vec<Part> signs[parts];
#pragma GCC unroll 4
    for (std::size_t part = 0; part < parts; ++part)
        signs[part] = hn::Load(Part(), sign + part * lanes);
    for (std::size_t from = 0; from < count; from += float_lanes) {
#pragma GCC unroll 4
        for (std::size_t k = 0; k < 4; ++k) {
#pragma GCC unroll 4
            for (std::size_t group = 0; group < groups; ++group) {
                const std::size_t pair = from + 4 * group + k;
                const float* const row = rows + width * (from + k * groups + group);
                double* const a = sums + std::size_t{first[pair]} * 8;
                double* const b = sums + std::size_t{second[pair]} * 8;
#pragma GCC unroll 4
                for (std::size_t part = 0; part < parts; ++part) {
                    const std::size_t at = part * lanes;
                    const auto x = hn::PromoteTo(Part(), hn::LoadU(Floats(), row + at));
                    hn::Store(hn::MulAdd(x, signs[part], hn::Load(Part(), a + at)), Part(), a + at);
                    hn::Store(hn::Add(x, hn::Load(Part(), b + at)), Part(), b + at);
                }
            }
        }
    }
}

#if HWY_TARGET == HWY_AVX3
/// The nearest float of each number, and in the second half what that leaves.
HWY_INLINE __m512 with_rest(__m512d x) {
    const __m256 high = _mm512_cvtpd_ps(x);
    const __m256 rest = _mm512_cvtpd_ps(_mm512_sub_pd(x, _mm512_cvtps_pd(high)));
    return _mm512_insertf32x8(_mm512_castps256_ps512(high), rest, 1);
}
#endif

/// Writes the mixed lines of a particle from its lines of doubles.
HWY_INLINE void put_mixed(const Line& place, const Line& half, float* to) {
#if HWY_TARGET == HWY_AVX3
    const __m512i order =
        _mm512_setr_epi32(0, 1, 2, 3, 8, 9, 10, 24, 16, 17, 18, 25, 20, 21, 22, 26);
    _mm512_store_ps(
        to, _mm512_permutex2var_ps(with_rest(place.raw[0].raw), order, with_rest(half.raw[0].raw)));
#else
    alignas(64) double p[8], h[8];
    place.store(p);
    half.store(h);
    mixed_numbers(p, h, to);
#endif
}

}  // namespace beadwave::packing::BEADWAVE_TARGET

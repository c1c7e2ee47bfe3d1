// Lines of eight numbers into columns of lanes and back. Included by vector_code.cpp.
//
// Arrays that must stay in registers are of type Raw, without initialisation, in loops unrolled by
// pragma; otherwise the compiler keeps them in memory. Empty constructors are written out, because
// on ARM the compiler generates the default ones for another instruction set.

namespace beadwave::packing::BEADWAVE_TARGET {

/// `width` columns of as many lines as a register of `Number` has lanes.
template <class Number, std::size_t width>
struct ColumnsOf {
    typename Number::Raw raw[width];

    HWY_INLINE ColumnsOf() {}
    HWY_INLINE Number at(std::size_t k) const { return Number(raw[k]); }
    HWY_INLINE laws::Triple<Number> triple(std::size_t from) const {
        return {at(from), at(from + 1), at(from + 2)};
    }
    HWY_INLINE void put(std::size_t from, const laws::Triple<Number>& v) {
        raw[from] = v.x.raw;
        raw[from + 1] = v.y.raw;
        raw[from + 2] = v.z.raw;
    }
};

/// The eight columns of `register_lanes` lines.
using Columns = ColumnsOf<Register, 8>;

/// The first `numbers` of a line in one or more registers.
template <std::size_t numbers>
struct LineOf {
    using Tag = hn::CappedTag<double, numbers>;
    static constexpr std::size_t lanes = HWY_MIN(register_lanes, numbers),
                                 registers = numbers / lanes;
    hn::Vec<Tag> raw[registers];

    HWY_INLINE LineOf() {}

    template <class Function>
    static HWY_INLINE LineOf each(Function function) {
        LineOf line;
#pragma GCC unroll 8
        for (std::size_t k = 0; k < registers; ++k)
            line.raw[k] = function(k);
        return line;
    }
    static HWY_INLINE LineOf all(double x) {
        return each([x](std::size_t) HWY_ATTR { return hn::Set(Tag(), x); });
    }
    static HWY_INLINE LineOf load(const double* p) {
        return each([p](std::size_t k) HWY_ATTR { return hn::Load(Tag(), p + k * lanes); });
    }
    HWY_INLINE void store(double* p) const {
#pragma GCC unroll 8
        for (std::size_t k = 0; k < registers; ++k)
            hn::Store(raw[k], Tag(), p + k * lanes);
    }
    friend HWY_INLINE LineOf operator+(const LineOf& a, const LineOf& b) {
        return each([&](std::size_t k) HWY_ATTR { return hn::Add(a.raw[k], b.raw[k]); });
    }
    friend HWY_INLINE LineOf operator-(const LineOf& a, const LineOf& b) {
        return each([&](std::size_t k) HWY_ATTR { return hn::Sub(a.raw[k], b.raw[k]); });
    }
    friend HWY_INLINE LineOf operator*(const LineOf& a, const LineOf& b) {
        return each([&](std::size_t k) HWY_ATTR { return hn::Mul(a.raw[k], b.raw[k]); });
    }
    friend HWY_INLINE LineOf larger(const LineOf& a, const LineOf& b) {
        return each([&](std::size_t k) HWY_ATTR { return hn::Max(a.raw[k], b.raw[k]); });
    }
    friend HWY_INLINE LineOf smaller(const LineOf& a, const LineOf& b) {
        return each([&](std::size_t k) HWY_ATTR { return hn::Min(a.raw[k], b.raw[k]); });
    }
    /// Bitwise |a| or b: zero only where both are zero.
    friend HWY_INLINE LineOf bits_of(const LineOf& a, const LineOf& b) {
        return each([&](std::size_t k) HWY_ATTR { return hn::Or(hn::Abs(a.raw[k]), b.raw[k]); });
    }
};

using Line = LineOf<8>;
/// What is of the centre of a particle.
using HalfLine = LineOf<4>;

template <class L>
HWY_INLINE HalfLine first_half(const L& line) {
    return HalfLine::each([&](std::size_t k) HWY_ATTR {
        if constexpr (L::lanes > HalfLine::lanes)
            return hn::LowerHalf(HalfLine::Tag(), line.raw[k]);
        else
            return line.raw[k];
    });
}

template <class L>
HWY_INLINE auto joined_part(const HalfLine& first, const HalfLine& second, std::size_t k) {
    if constexpr (L::lanes > HalfLine::lanes)
        return hn::Combine(typename L::Tag(), second.raw[k], first.raw[k]);
    else
        return k < HalfLine::registers ? first.raw[k] : second.raw[k - HalfLine::registers];
}
/// Two halves of a line.
HWY_INLINE Line joined(const HalfLine& first, const HalfLine& second) {
    return Line::each([&](std::size_t k) HWY_ATTR { return joined_part<Line>(first, second, k); });
}
/// A line whose second half is 0.
HWY_INLINE Line widened(const HalfLine& half) {
    return joined(half, HalfLine::all(0.0));
}

using Square = Register::Raw[register_lanes];

/// Transposes a square of numbers.
HWY_INLINE void transpose(const Square& r, Square& c) {
#if HWY_TARGET == HWY_AVX3
    __m512d t[8], u[8];
#pragma GCC unroll 8
    for (int k = 0; k < 4; ++k) {
        t[2 * k] = _mm512_unpacklo_pd(r[2 * k].raw, r[2 * k + 1].raw);
        t[2 * k + 1] = _mm512_unpackhi_pd(r[2 * k].raw, r[2 * k + 1].raw);
    }
#pragma GCC unroll 8
    for (int k = 0; k < 2; ++k) {
#pragma GCC unroll 8
        for (int h = 0; h < 2; ++h) {
            u[4 * k + h] = _mm512_shuffle_f64x2(t[4 * k + h], t[4 * k + 2 + h], 0x88);
            u[4 * k + 2 + h] = _mm512_shuffle_f64x2(t[4 * k + h], t[4 * k + 2 + h], 0xDD);
        }
    }
    // u[h]: blocks 0 and 2 of rows 0, 1 and 2, 3; u[2 + h]: blocks 1 and 3.
#pragma GCC unroll 8
    for (int h = 0; h < 2; ++h) {
        c[h].raw = _mm512_shuffle_f64x2(u[h], u[4 + h], 0x88);
        c[4 + h].raw = _mm512_shuffle_f64x2(u[h], u[4 + h], 0xDD);
        c[2 + h].raw = _mm512_shuffle_f64x2(u[2 + h], u[6 + h], 0x88);
        c[6 + h].raw = _mm512_shuffle_f64x2(u[2 + h], u[6 + h], 0xDD);
    }
#elif HWY_TARGET == HWY_AVX2
    const auto a = hn::InterleaveLower(Lanes(), r[0], r[1]);
    const auto b = hn::InterleaveUpper(Lanes(), r[0], r[1]);
    const auto d = hn::InterleaveLower(Lanes(), r[2], r[3]);
    const auto e = hn::InterleaveUpper(Lanes(), r[2], r[3]);
    c[0] = hn::ConcatLowerLower(Lanes(), d, a);
    c[1] = hn::ConcatLowerLower(Lanes(), e, b);
    c[2] = hn::ConcatUpperUpper(Lanes(), d, a);
    c[3] = hn::ConcatUpperUpper(Lanes(), e, b);
#else
    static_assert(register_lanes == 2);
    c[0] = hn::InterleaveLower(Lanes(), r[0], r[1]);
    c[1] = hn::InterleaveUpper(Lanes(), r[0], r[1]);
#endif
}

/// The columns of the lines: row(k, part) loads line k from its number `part` on.
template <class Row>
HWY_INLINE Columns transpose_rows(Row row) {
    Columns c;
#pragma GCC unroll 8
    for (std::size_t part = 0; part < 8; part += register_lanes) {
        Square r, transposed;
#pragma GCC unroll 8
        for (std::size_t k = 0; k < register_lanes; ++k)
            r[k] = row(k, part);
        transpose(r, transposed);
#pragma GCC unroll 8
        for (std::size_t k = 0; k < register_lanes; ++k)
            c.raw[part + k] = transposed[k];
    }
    return c;
}

/// The columns of second + sign x first for the lines of `register_lanes` pairs. The sum is taken
/// line by line before transposing, which saves one transpose.
HWY_INLINE Columns load_pairs(const double* lines, const std::uint32_t* first,
                              const std::uint32_t* second, const double* sign) {
    return transpose_rows([=](std::size_t k, std::size_t part) HWY_ATTR {
        return hn::MulAdd(hn::Load(Lanes(), lines + std::size_t{first[k]} * 8 + part),
                          hn::Load(Lanes(), sign + part),
                          hn::Load(Lanes(), lines + std::size_t{second[k]} * 8 + part));
    });
}

/// The first three columns of second minus first. With AVX-512 it loads half lines, two to a
/// register, which takes less than half of the shuffles.
HWY_INLINE Triple load_differences(const double* lines, const std::uint32_t* first,
                                   const std::uint32_t* second) {
#if HWY_TARGET == HWY_AVX3
    __m512d r[4];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < 4; ++k) {
        const auto two = [=](const std::uint32_t* body) HWY_ATTR {
            const __m256d low = _mm256_load_pd(lines + std::size_t{body[k]} * 8),
                          high = _mm256_load_pd(lines + std::size_t{body[k + 4]} * 8);
            return _mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
        };
        r[k] = _mm512_sub_pd(two(second), two(first));
    }
    const __m512i lower = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13),
                  upper = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    const __m512d xz = _mm512_unpacklo_pd(r[0], r[1]),
                  xz_of_others = _mm512_unpacklo_pd(r[2], r[3]);
    const __m512d y = _mm512_unpackhi_pd(r[0], r[1]), y_of_others = _mm512_unpackhi_pd(r[2], r[3]);
    const auto column = [](const __m512d& a, const __m512i& from, const __m512d& b) HWY_ATTR {
        return Register(Register::Raw{_mm512_permutex2var_pd(a, from, b)});
    };
    return {column(xz, lower, xz_of_others), column(y, lower, y_of_others),
            column(xz, upper, xz_of_others)};
#else
    alignas(64) static constexpr double signs[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
    return load_pairs(lines, first, second, signs).triple(0);
#endif
}

/// The eight columns of `register_lanes` particles' lines.
HWY_INLINE Columns load_lines(const double* lines, const std::uint32_t* index) {
    return transpose_rows([=](std::size_t k, std::size_t part) HWY_ATTR {
        return hn::Load(Lanes(), lines + std::size_t{index[k]} * 8 + part);
    });
}

/// Stores the lines of columns. `all` false: only the first four columns.
template <bool all>
HWY_INLINE void store_rows(const Columns& c, double* rows) {
#if HWY_TARGET == HWY_AVX3
    if constexpr (!all) {
        const __m512i lower = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
                      upper = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
#pragma GCC unroll 8
        for (int odd = 0; odd < 2; ++odd) {
            const auto pair = [&](int k) HWY_ATTR {
                return odd != 0 ? _mm512_unpackhi_pd(c.raw[k].raw, c.raw[k + 1].raw)
                                : _mm512_unpacklo_pd(c.raw[k].raw, c.raw[k + 1].raw);
            };
            const __m512d xy = pair(0), zw = pair(2);
            const auto store_two = [&](double* to, __m512i from) HWY_ATTR {
                const __m512d two = _mm512_permutex2var_pd(xy, from, zw);
                _mm256_store_pd(to, _mm512_castpd512_pd256(two));
                _mm256_store_pd(to + 16, _mm512_extractf64x4_pd(two, 1));
            };
            store_two(rows + 8 * odd, lower);
            store_two(rows + 8 * (4 + odd), upper);
        }
        return;
    }
#endif
#pragma GCC unroll 8
    for (std::size_t part = 0; part < (all ? 8 : 4); part += register_lanes) {
        Square columns, transposed;
#pragma GCC unroll 8
        for (std::size_t k = 0; k < register_lanes; ++k)
            columns[k] = c.raw[part + k];
        transpose(columns, transposed);
#pragma GCC unroll 8
        for (std::size_t k = 0; k < register_lanes; ++k)
            hn::Store(transposed[k], Lanes(), rows + 8 * k + part);
    }
}

/// Half a line, or less where registers are shorter.
using Part = hn::CappedTag<double, 4>;

/// Adds the lines of `count` pairs to the sums of their second particles, and the lines times
/// `sign` to those of their first ones. `all` false: only their first four numbers.
///
/// Half a line at a time: AMD's Zen 5 takes three times as long to add to whole lines, most of
/// which it has just stored.
template <bool all>
HWY_INLINE void add_rows(double* sums, const double* rows, const std::uint16_t* first,
                         const std::uint16_t* second, std::size_t count, const double* sign) {
    constexpr std::size_t lanes = HWY_MIN(register_lanes, 4), parts = (all ? 8 : 4) / lanes;
    hn::Vec<Part> signs[parts];
#pragma GCC unroll 4
    for (std::size_t part = 0; part < parts; ++part)
        signs[part] = hn::Load(Part(), sign + part * lanes);
#pragma GCC unroll 4
    for (std::size_t k = 0; k < count; ++k) {
        double* const a = sums + std::size_t{first[k]} * 8;
        double* const b = sums + std::size_t{second[k]} * 8;
#pragma GCC unroll 4
        for (std::size_t part = 0; part < parts; ++part) {
            const std::size_t at = part * lanes;
            const auto row = hn::Load(Part(), rows + 8 * k + at);
            hn::Store(hn::MulAdd(row, signs[part], hn::Load(Part(), a + at)), Part(), a + at);
            hn::Store(hn::Add(row, hn::Load(Part(), b + at)), Part(), b + at);
        }
    }
}

}  // namespace beadwave::packing::BEADWAVE_TARGET

// Lines of eight numbers into columns of lanes and back. Included by packing_target.inl.hpp.

namespace beadwave::dynamics::BEADWAVE_TARGET {

/// The eight columns of `register_lanes` lines.
struct Columns {
    Register at[8];
    HWY_INLINE Columns() {}
};

/// x^(-1/2) for normal x > 0; as that of two registers.
HWY_INLINE Register inverse_sqrt(Register x) {
#if HWY_TARGET == HWY_AVX3
    const Register y = inverse_root_estimate(x);
    const Register e = multiply_subtract(x * y, y, Register(1.0));
    const Register series =
        multiply_add(e, multiply_add(e, Register(5.0 / 16.0), Register(3.0 / 8.0)), Register(0.5));
    return multiply_add(y * e, series, y);
#else
    return Register(1.0) / sqrt(x);
#endif
}

#if HWY_TARGET == HWY_AVX3
/// Rows of eight registers into columns.
HWY_INLINE void transpose(const __m512d (&r)[8], __m512d (&c)[8]) {
    __m512d t[8], u[8];
    for (int k = 0; k < 4; ++k) {
        t[2 * k] = _mm512_unpacklo_pd(r[2 * k], r[2 * k + 1]);
        t[2 * k + 1] = _mm512_unpackhi_pd(r[2 * k], r[2 * k + 1]);
    }
    for (int k = 0; k < 2; ++k) {
        for (int h = 0; h < 2; ++h) {
            u[4 * k + h] = _mm512_shuffle_f64x2(t[4 * k + h], t[4 * k + 2 + h], 0x88);
            u[4 * k + 2 + h] = _mm512_shuffle_f64x2(t[4 * k + h], t[4 * k + 2 + h], 0xDD);
        }
    }
    // u[h]: blocks 0 and 2 of rows 0, 1 and 2, 3; u[2 + h]: blocks 1 and 3.
    for (int h = 0; h < 2; ++h) {
        c[h] = _mm512_shuffle_f64x2(u[h], u[4 + h], 0x88);
        c[4 + h] = _mm512_shuffle_f64x2(u[h], u[4 + h], 0xDD);
        c[2 + h] = _mm512_shuffle_f64x2(u[2 + h], u[6 + h], 0x88);
        c[6 + h] = _mm512_shuffle_f64x2(u[2 + h], u[6 + h], 0xDD);
    }
}
#endif

/// Columns of the lines of `register_lanes` particles.
HWY_INLINE void load_register(const double* lines, const std::uint32_t* index, Register (&c)[8]) {
#if HWY_TARGET == HWY_AVX3
    __m512d rows[8], columns[8];
    for (int k = 0; k < 8; ++k)
        rows[k] = _mm512_load_pd(lines + std::size_t{index[k]} * 8);
    transpose(rows, columns);
    for (int k = 0; k < 8; ++k)
        c[k] = Register(Register::Raw{columns[k]});
#elif HWY_TARGET == HWY_AVX2
    for (std::size_t part = 0; part < 8; part += 4) {
        Register::Raw r[4];
        for (int k = 0; k < 4; ++k)
            r[k] = hn::Load(Lanes(), lines + std::size_t{index[k]} * 8 + part);
        const auto a = hn::InterleaveLower(Lanes(), r[0], r[1]);
        const auto b = hn::InterleaveUpper(Lanes(), r[0], r[1]);
        const auto d = hn::InterleaveLower(Lanes(), r[2], r[3]);
        const auto e = hn::InterleaveUpper(Lanes(), r[2], r[3]);
        c[part] = Register(hn::ConcatLowerLower(Lanes(), d, a));
        c[part + 1] = Register(hn::ConcatLowerLower(Lanes(), e, b));
        c[part + 2] = Register(hn::ConcatUpperUpper(Lanes(), d, a));
        c[part + 3] = Register(hn::ConcatUpperUpper(Lanes(), e, b));
    }
#else
    static_assert(register_lanes == 2);
    for (std::size_t part = 0; part < 8; part += 2) {
        const auto a = hn::Load(Lanes(), lines + std::size_t{index[0]} * 8 + part);
        const auto b = hn::Load(Lanes(), lines + std::size_t{index[1]} * 8 + part);
        c[part] = Register(hn::InterleaveLower(Lanes(), a, b));
        c[part + 1] = Register(hn::InterleaveUpper(Lanes(), a, b));
    }
#endif
}

/// The lines of `register_lanes` entries one after the other.
HWY_INLINE void store_register(const Register (&c)[8], double* lines) {
#if HWY_TARGET == HWY_AVX3
    __m512d rows[8], columns[8];
    for (int k = 0; k < 8; ++k)
        columns[k] = c[k].raw.raw;
    transpose(columns, rows);
    for (int k = 0; k < 8; ++k)
        _mm512_store_pd(lines + 8 * k, rows[k]);
#elif HWY_TARGET == HWY_AVX2
    for (std::size_t part = 0; part < 8; part += 4) {
        const auto a = hn::InterleaveLower(Lanes(), c[part].raw, c[part + 1].raw);
        const auto b = hn::InterleaveUpper(Lanes(), c[part].raw, c[part + 1].raw);
        const auto d = hn::InterleaveLower(Lanes(), c[part + 2].raw, c[part + 3].raw);
        const auto e = hn::InterleaveUpper(Lanes(), c[part + 2].raw, c[part + 3].raw);
        hn::Store(hn::ConcatLowerLower(Lanes(), d, a), Lanes(), lines + part);
        hn::Store(hn::ConcatLowerLower(Lanes(), e, b), Lanes(), lines + 8 + part);
        hn::Store(hn::ConcatUpperUpper(Lanes(), d, a), Lanes(), lines + 16 + part);
        hn::Store(hn::ConcatUpperUpper(Lanes(), e, b), Lanes(), lines + 24 + part);
    }
#else
    for (std::size_t part = 0; part < 8; part += 2) {
        hn::Store(hn::InterleaveLower(Lanes(), c[part].raw, c[part + 1].raw), Lanes(),
                  lines + part);
        hn::Store(hn::InterleaveUpper(Lanes(), c[part].raw, c[part + 1].raw), Lanes(),
                  lines + 8 + part);
    }
#endif
}

HWY_INLINE Columns load_lines(const double* lines, const std::uint32_t* index) {
    Columns columns;
    load_register(lines, index, columns.at);
    return columns;
}

/// Columns of second + sign x first, whose lines those of `register_lanes` pairs are: the sum is
/// taken line by line, which spares turning both.
HWY_INLINE Columns load_pairs(const double* lines, const std::uint32_t* first,
                              const std::uint32_t* second, const double* sign) {
    Columns columns;
#if HWY_TARGET == HWY_AVX3
    const __m512d s = _mm512_load_pd(sign);
    __m512d rows[8], turned[8];
    for (int k = 0; k < 8; ++k) {
        rows[k] = _mm512_fmadd_pd(_mm512_load_pd(lines + std::size_t{first[k]} * 8), s,
                                  _mm512_load_pd(lines + std::size_t{second[k]} * 8));
    }
    transpose(rows, turned);
    for (int k = 0; k < 8; ++k)
        columns.at[k] = Register(Register::Raw{turned[k]});
#else
    static constexpr std::uint32_t number[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    alignas(64) double rows[8 * register_lanes];
    for (std::size_t k = 0; k < register_lanes; ++k) {
        for (std::size_t part = 0; part < 8; part += register_lanes) {
            const Register a = Register::load(lines + std::size_t{first[k]} * 8 + part);
            const Register b = Register::load(lines + std::size_t{second[k]} * 8 + part);
            (b + a * Register::load(sign + part)).store(rows + 8 * k + part);
        }
    }
    load_register(rows, number, columns.at);
#endif
    return columns;
}

HWY_INLINE void store_lines(const Columns& columns, double* lines) {
    store_register(columns.at, lines);
}

}  // namespace beadwave::dynamics::BEADWAVE_TARGET

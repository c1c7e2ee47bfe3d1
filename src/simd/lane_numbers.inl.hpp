// The numbers of lanes. Included by a vector_code.cpp after simd/begin_vector_code.hpp.

namespace beadwave::simd::BEADWAVE_TARGET {

/// Puts first + lane for each lane whose bit is set into `to`, and returns how many there are. What
/// lies behind them is overwritten, up to `register_lanes` numbers in all.
HWY_INLINE std::size_t put_lanes(std::uint32_t first, unsigned lanes, std::uint32_t* to) {
#if HWY_TARGET == HWY_AVX3
    const __m256i numbers = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(first)),
                                             _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                        _mm256_maskz_compress_epi32(static_cast<__mmask8>(lanes), numbers));
    return static_cast<std::size_t>(std::popcount(lanes));
#else
    std::size_t found = 0;
    for (unsigned lane = 0; lane < register_lanes; ++lane) {
        to[found] = first + lane;
        found += (lanes >> lane) & 1;
    }
    return found;
#endif
}

}  // namespace beadwave::simd::BEADWAVE_TARGET

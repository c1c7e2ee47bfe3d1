// The vector code of the search for neighbours, compiled once per instruction set.

#include "near_members.hpp"

#include <bit>
#include <type_traits>  // for the vector types, before the code of one instruction set

// clang-format off
#include "simd/begin_vector_code.hpp"
// clang-format on

namespace beadwave::packing::BEADWAVE_TARGET {
using namespace simd::BEADWAVE_TARGET;

/// Puts m + lane for each lane whose bit is set into `near`, and returns how many there are. What
/// lies behind them is overwritten, up to `register_lanes` numbers in all.
HWY_INLINE std::size_t put_members(std::uint32_t m, unsigned lanes, std::uint32_t* near) {
#if HWY_TARGET == HWY_AVX3
    const __m256i numbers = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(m)),
                                             _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(near),
                        _mm256_maskz_compress_epi32(static_cast<__mmask8>(lanes), numbers));
    return static_cast<std::size_t>(std::popcount(lanes));
#else
    std::uint32_t* const first = near;
    for (; lanes != 0; lanes &= lanes - 1)
        *near++ = m + static_cast<std::uint32_t>(std::countr_zero(lanes));
    return static_cast<std::size_t>(near - first);
#endif
}

inline HWY_FLATTEN std::size_t find_near_members(const MemberColumns& members,
                                                 std::span<MemberRange> ranges, double own,
                                                 std::uint32_t* near) {
    const Register its_own(own);
    const std::uint32_t* const all = near;
    for (MemberRange& range : ranges) {
        const Register x(range.x), y(range.y), z(range.z), lowest(range.above);
        std::uint32_t* const first = near;
        const std::size_t end = range.end;
        for (std::size_t m = range.begin; m < end; m += register_lanes) {
            const Register along_x = Register::load(members.x + m) - x,
                           along_y = Register::load(members.y + m) - y,
                           along_z = Register::load(members.z + m) - z,
                           within = its_own + Register::load(members.radius + m);
            const RegisterMask is_near =
                (along_x * along_x + along_y * along_y + along_z * along_z <= within * within) &
                (Register::load(members.number + m) > lowest);
            std::uint8_t bits = 0;
            hn::StoreMaskBits(Lanes(), is_near.raw, &bits);
            unsigned found = bits;
            if (end - m < register_lanes) found &= (1U << (end - m)) - 1U;
            near += put_members(static_cast<std::uint32_t>(m), found, near);
        }
        range.found = static_cast<std::size_t>(near - first);
    }
    return static_cast<std::size_t>(near - all);
}

}  // namespace beadwave::packing::BEADWAVE_TARGET

namespace beadwave::packing {

template <>
FindNearMembers find_near_members<simd::Target::BEADWAVE_TARGET>() {
    return &BEADWAVE_TARGET::find_near_members;
}

}  // namespace beadwave::packing

#include "simd/end_vector_code.hpp"

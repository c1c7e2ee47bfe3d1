// The vector code of the search for neighbours, compiled once per instruction set.

#include "near_members.hpp"

#include <bit>
#include <type_traits>  // for the vector types, before the code of one instruction set

// clang-format off
#include "simd/begin_vector_code.hpp"
#include "simd/lane_numbers.inl.hpp"
// clang-format on

namespace beadwave::packing::BEADWAVE_TARGET {
using namespace simd::BEADWAVE_TARGET;

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
            near += put_lanes(static_cast<std::uint32_t>(m), found, near);
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

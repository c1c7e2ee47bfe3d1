// The kernels of one normal law, number BEADWAVE_LAW of DeviceLaws, for a graphics processor.
// The build compiles this file once per law.

// Clang's own header for device code needs it first.
// clang-format off
#include <cstdlib>
// clang-format on

#include "device/thread_number.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#pragma clang force_cuda_host_device begin
#include "step_entry.hpp"
#pragma clang force_cuda_host_device end

namespace beadwave::packing::on_device {

using beadwave::device::thread_number;

/// The number of another thread of the warp.
__attribute__((device)) inline std::int64_t from_lane(std::int64_t x, int distance) {
    const auto bits = static_cast<std::uint64_t>(x);
    const auto low = static_cast<std::uint32_t>(
        __nvvm_shfl_sync_bfly_i32(0xFFFFFFFFU, static_cast<int>(bits & 0xFFFFFFFFU), distance, 31));
    const auto high = static_cast<std::uint32_t>(
        __nvvm_shfl_sync_bfly_i32(0xFFFFFFFFU, static_cast<int>(bits >> 32), distance, 31));
    return static_cast<std::int64_t>(std::uint64_t{high} << 32 | low);
}

/// Combines the ranges of a warp, then adds them to a slot.
__attribute__((device)) inline void add_range(const StepArguments& a, Range range) {
    for (int distance = 16; distance > 0; distance /= 2) {
        for (int k = 0; k < 3; ++k) {
            const std::int64_t low = from_lane(range.lowest[k], distance),
                               high = from_lane(range.highest[k], distance);
            if (low < range.lowest[k]) range.lowest[k] = low;
            if (high > range.highest[k]) range.highest[k] = high;
        }
        const std::int64_t deep = from_lane(range.deepest, distance);
        if (deep > range.deepest) range.deepest = deep;
        const std::int64_t far = from_lane(range.farthest, distance);
        if (far > range.farthest) range.farthest = far;
    }
    if (__nvvm_read_ptx_sreg_tid_x() % 32 != 0) return;
    long long* const slot = reinterpret_cast<long long*>(
        a.results + __nvvm_read_ptx_sreg_ctaid_x() % result_slots * slot_numbers);
    for (int k = 0; k < 3; ++k) {
        __nvvm_atom_min_gen_ll(slot + k, range.lowest[k]);
        __nvvm_atom_max_gen_ll(slot + 3 + k, range.highest[k]);
    }
    __nvvm_atom_max_gen_ll(slot + 6, range.deepest);
    __nvvm_atom_max_gen_ll(slot + 7, range.farthest);
}

template <std::size_t slider, bool rolls>
__attribute__((device)) inline void step(const StepArguments& a) {
    const std::size_t i = thread_number();
    Range range;
    for (std::size_t k = i; i < 128 && k < result_slots * slot_numbers; k += 128)
        a.results_next[k] = fresh_result(k);
    if (i == 0) *a.delicate_count_next = 0;
    if (i < a.particles) {
        if (is_delicate(a, i)) {
            a.delicate[__nvvm_atom_add_gen_i(reinterpret_cast<int*>(a.delicate_count), 1)] =
                static_cast<std::uint32_t>(i);
        } else {
            step_with<false, BEADWAVE_LAW, slider, rolls>(a, i, range);
        }
    }
    add_range(a, range);
}

/// The particles that step() has left.
template <std::size_t slider, bool rolls>
__attribute__((device)) inline void delicate_step(const StepArguments& a) {
    const std::size_t k = thread_number(), count = *a.delicate_count;
    if (k / 32 * 32 >= count) return;  // all threads of the warp
    Range range;
    if (k < count) step_with<true, BEADWAVE_LAW, slider, rolls>(a, a.delicate[k], range);
    add_range(a, range);
}

}  // namespace beadwave::packing::on_device

#define BEADWAVE_KERNEL(slider, rolls)                                      \
    extern "C" __attribute__((global))                                      \
    __attribute__((launch_bounds(128))) void step_##slider##_##rolls(       \
        const beadwave::packing::on_device::StepArguments a) {              \
        beadwave::packing::on_device::step<slider, rolls != 0>(a);          \
    }                                                                       \
    extern "C" __attribute__((global))                                      \
    __attribute__((launch_bounds(128))) void delicate_##slider##_##rolls(   \
        const beadwave::packing::on_device::StepArguments a) {              \
        beadwave::packing::on_device::delicate_step<slider, rolls != 0>(a); \
    }

BEADWAVE_KERNEL(0, 0)
BEADWAVE_KERNEL(0, 1)
BEADWAVE_KERNEL(1, 0)
BEADWAVE_KERNEL(1, 1)
BEADWAVE_KERNEL(2, 0)
BEADWAVE_KERNEL(2, 1)
BEADWAVE_KERNEL(3, 0)
BEADWAVE_KERNEL(3, 1)

// The arithmetic of Hertz steps alone: 128 beads that stay in registers and the first-level cache,
// with the vectors of the engine. No engine can be faster.

#include <hwy/detect_targets.h>

// The best instruction set of the engine that the compiler may use; in Highway, better ones have
// lower numbers.
#if HWY_ARCH_X86 && HWY_STATIC_TARGET <= HWY_AVX3
#define BEADWAVE_HWY_TARGET HWY_AVX3
#elif HWY_ARCH_X86 && HWY_STATIC_TARGET <= HWY_AVX2
#define BEADWAVE_HWY_TARGET HWY_AVX2
#elif HWY_ARCH_X86
#define BEADWAVE_HWY_TARGET HWY_SSE4
#else
#define BEADWAVE_HWY_TARGET HWY_NEON
#endif
#define BEADWAVE_TARGET arithmetic_limit

#include "arithmetic_limit.hpp"
#include "simd/begin_vector_code.hpp"

namespace beadwave::bench {

using simd::arithmetic_limit::lane_count;
using simd::arithmetic_limit::Vector;

HWY_FLATTEN double hertz_on_registers(long steps, double stiffness, double mass, double overlap,
                                      double time_step) {
    constexpr std::size_t vectors = limit_beads / lane_count;
    std::array<Vector, vectors> displacement{}, half{}, force{};
    half[0] = Vector(1e-3);
    const Vector dt(time_step), k(stiffness), kick(0.5 * time_step / mass), gap(-overlap);
    for (long step = 0; step < steps; ++step) {
        Vector left;
        for (std::size_t i = 0; i < vectors; ++i) {
            displacement[i] = multiply_add(dt, half[i], displacement[i]);
            force[i] = k * power_3_2(moved_up(left, displacement[i]) - displacement[i] - gap);
            left = displacement[i];
        }
        for (std::size_t i = 0; i < vectors; ++i) {
            const Vector net =
                force[i] - moved_down(force[i], i + 1 < vectors ? force[i + 1] : Vector());
            const Vector velocity_change = net * kick;
            const Vector velocity = half[i] + velocity_change;
            half[i] = velocity + velocity_change;
        }
    }
    alignas(64) double lanes[lane_count];
    half[1].store(lanes);
    return lanes[0];
}

}  // namespace beadwave::bench

#include "simd/end_vector_code.hpp"

// The arithmetic of Hertz steps alone, with the vectors of the engine. Every lane has a chain of
// its own, so that no number moves between lanes; all chains stay in the first-level cache, and the
// steps of the beads of a chain do not wait for one another.

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

using simd::arithmetic_limit::Register;
using simd::arithmetic_limit::register_lanes;

HWY_FLATTEN std::size_t hertz_in_lanes(long steps, double stiffness, double mass, double overlap,
                                       double time_step, double& velocity) {
    constexpr std::size_t beads = 32;
    alignas(64) double displacement[beads][register_lanes]{}, half[beads][register_lanes]{};
    std::fill_n(half[0], register_lanes, 1e-3);
    const Register dt(time_step), k(stiffness), kick(0.5 * time_step / mass), gap(-overlap);
    for (long step = 0; step < steps; ++step) {
        Register left(0.0), force(0.0), before(0.0);
        const auto accelerate = [&](double* half_of_bead, const Register& next_force) HWY_ATTR {
            const Register change = (force - next_force) * kick;
            ((before + change) + change).store(half_of_bead);
        };
        for (std::size_t i = 0; i < beads; ++i) {
            const Register own_half = Register::load(half[i]);
            const Register own = multiply_add(dt, own_half, Register::load(displacement[i]));
            own.store(displacement[i]);
            const Register next_force = k * power_3_2(left - own - gap);
            if (i > 0) accelerate(half[i - 1], next_force);
            force = next_force;
            left = own;
            before = own_half;
        }
        accelerate(half[beads - 1], k * power_3_2(left - gap));
    }
    velocity = half[1][0];
    return beads * register_lanes;
}

}  // namespace beadwave::bench

#include "simd/end_vector_code.hpp"

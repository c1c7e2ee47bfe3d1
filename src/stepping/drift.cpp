#include "stepping/drift.hpp"

#include "simd/clones.hpp"

namespace beadwave::stepping {

BEADWAVE_CLONES void drift(std::size_t n, double time_step, const double* __restrict change,
                           double* __restrict velocity, double* __restrict displacement) {
    for (std::size_t i = 0; i < n; ++i) {
        velocity[i] += change[i];
        displacement[i] += time_step * velocity[i];
    }
}

}  // namespace beadwave::stepping

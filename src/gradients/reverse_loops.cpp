#include "gradients/reverse_loops.hpp"

#include "simd/clones.hpp"

namespace beadwave::gradients {

BEADWAVE_CLONES void reverse_kick(std::size_t n, const double* __restrict kick,
                                  const double* __restrict velocity_bar,
                                  const double* __restrict change_bar,
                                  const double* __restrict force,
                                  const double* __restrict body_force, double* __restrict push,
                                  double* __restrict kick_bar, double* __restrict load_bar) {
    for (std::size_t i = 0; i < n; ++i) {
        const double bar = change_bar[i] + velocity_bar[i];
        push[i] = kick[i] * bar;
        load_bar[i] += push[i];
        kick_bar[i] += bar * (force[i] - force[i + 1] + body_force[i]);
    }
}

BEADWAVE_CLONES void spread_push(std::size_t contacts, const double* __restrict push,
                                 double* __restrict force_bar) {
    for (std::size_t c = 0; c < contacts; ++c)
        force_bar[c] = push[c + 1] - push[c];
}

BEADWAVE_CLONES void reverse_drift(std::size_t n, double dt, const double* __restrict overlap_bar,
                                   const double* __restrict speed_bar,
                                   double* __restrict displacement_bar,
                                   double* __restrict velocity_bar, double* __restrict change_bar) {
    for (std::size_t i = 0; i < n; ++i) {
        const double predicted = speed_bar[i + 1] - speed_bar[i];
        displacement_bar[i] += overlap_bar[i + 1] - overlap_bar[i];
        const double half = velocity_bar[i] + predicted + dt * displacement_bar[i];
        velocity_bar[i] = half;
        change_bar[i] = half + predicted;
    }
}

BEADWAVE_CLONES void reverse_drift(std::size_t n, double dt, const double* __restrict overlap_bar,
                                   double* __restrict displacement_bar,
                                   double* __restrict velocity_bar, double* __restrict change_bar) {
    for (std::size_t i = 0; i < n; ++i) {
        displacement_bar[i] += overlap_bar[i + 1] - overlap_bar[i];
        const double half = velocity_bar[i] + dt * displacement_bar[i];
        velocity_bar[i] = half;
        change_bar[i] = half;
    }
}

BEADWAVE_CLONES void subtract(std::size_t count, const double* __restrict x,
                              double* __restrict from) {
    for (std::size_t c = 0; c < count; ++c)
        from[c] -= x[c];
}

}  // namespace beadwave::gradients

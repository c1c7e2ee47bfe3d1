#include "gradients/law_kernel.hpp"

#include "beadwave/laws/any_law.hpp"
#include "gradients/law_kernel.inl.hpp"
#include "simd/clones.hpp"

#include <cmath>

namespace beadwave::gradients {
namespace {

// Hertz's law by hand: its contacts step in the registers of the processor.

BEADWAVE_CLONES void respond_hertz(std::size_t count, const double* __restrict stiffness,
                                   const double* __restrict overlap, double* __restrict force) {
    for (std::size_t c = 0; c < count; ++c) {
        const double x = overlap[c] < 0.0 ? 0.0 : overlap[c];
        force[c] = stiffness[c] * (x * std::sqrt(x));
    }
}

BEADWAVE_CLONES void reverse_hertz(std::size_t count, const double* __restrict stiffness,
                                   const double* __restrict overlap,
                                   const double* __restrict force_bar,
                                   double* __restrict overlap_bar,
                                   double* __restrict stiffness_bar) {
    for (std::size_t c = 0; c < count; ++c) {
        const double x = overlap[c] < 0.0 ? 0.0 : overlap[c], root = std::sqrt(x);
        overlap_bar[c] = force_bar[c] * (1.5 * stiffness[c] * root);
        stiffness_bar[c] += force_bar[c] * (x * root);
    }
}

BEADWAVE_CLONES void reverse_hertz_energy(std::size_t count, const double* __restrict stiffness,
                                          const double* __restrict overlap,
                                          const double* __restrict energy_bar,
                                          double* __restrict overlap_bar,
                                          double* __restrict stiffness_bar) {
    for (std::size_t c = 0; c < count; ++c) {
        const double x = overlap[c] < 0.0 ? 0.0 : overlap[c], power = x * std::sqrt(x);
        overlap_bar[c] += energy_bar[c] * (stiffness[c] * power);
        stiffness_bar[c] += energy_bar[c] * (0.4 * x * power);
    }
}

constexpr LawKernel hertz{
    .respond =
        [](const ForwardContacts& f) { respond_hertz(f.count, f.law[0], f.overlap, f.force); },
    .reverse =
        [](const ReverseContacts& r) {
            reverse_hertz(r.count, r.law[0], r.overlap, r.force_bar, r.overlap_bar, r.law_bar[0]);
            if (r.energy_bar != nullptr) {
                reverse_hertz_energy(r.count, r.law[0], r.overlap, r.energy_bar, r.overlap_bar,
                                     r.law_bar[0]);
            }
        },
    .stored_energy = &stored_energy<laws::Hertz<double>>,
    .uses_speed = false,
    .may_jump = false,
    .last_jump = [](const double*) { return 0.0; },
    .path = RowPath::hertz};

}  // namespace

const LawKernel& law_kernel(std::size_t law) {
    if (law == laws::AnyLaw(laws::Hertz<double>{}).index()) return hertz;
    const Quarter* const all[] = {&first_kernels, &second_kernels, &third_kernels, &fourth_kernels};
    return (*all[law / quarter])[law % quarter];
}

}  // namespace beadwave::gradients

// The vector code of panels. A panel is eight vectors side by side: number i of vector j is at
// 8 i + j. So a contact is read once for eight vectors, and all lanes of a register do the same.
#pragma once

#include "simd/instruction_sets.hpp"

#include <cstddef>
#include <cstdint>

namespace beadwave::modes {

inline constexpr std::size_t panel_width = 8;

/// A contact as one of its bodies sees it; see packing_operator.hpp.
struct PanelContact {
    double normal[3];           ///< to the other body
    double across_and_sliding;  ///< minus their sum [N/m]
    double along;               ///< the sum of these two less the normal stiffness [N/m]
    double torque, turn;        ///< sliding stiffness times the lever, and times its square [N/m]
    std::size_t other;          ///< body; the ground is one behind the last
};

/// Rolling and twisting stiffness divided by the body's radius [N], and both inverse radii [1/m].
struct PanelRolling {
    double rolling, twisting, inverse_radius, other_inverse_radius;
};

/// M^(-1) K of a packing.
struct PanelMatrix {
    const std::size_t* first;  ///< contact of each body, and their number
    const PanelContact* contact;
    const PanelRolling* rolling;  ///< of the contacts; null: none rolls or twists
    const double* inverse_mass;   ///< per freedom
};

/// out = factor (M^(-1) K u - shift u) - before; a null `before` counts as 0, and may be `out`.
struct PanelStep {
    const double* u;
    double factor, shift;
    const double* before;
    double* out;
};

struct PanelKernel {
    /// Applies the matrix for bodies `begin` to `end`.
    void (*apply)(const PanelMatrix&, std::size_t begin, std::size_t end, const PanelStep&);
    /// sums[8 j + k] += a_j . b_k over the rows from `begin` to `end`.
    void (*add_products)(std::size_t begin, std::size_t end, const double* a, const double* b,
                         double* sums);
    /// out_k += sum over j of a_j factors[8 j + k], for `rows` rows.
    void (*add_combination)(std::size_t rows, const double* a, const double* factors, double* out);
};

/// Defined by vector_code.cpp for each instruction set. `dimension`: 2 or 3.
template <simd::Target>
PanelKernel panel_kernel(int dimension, bool rotates, bool rolls);

}  // namespace beadwave::modes

// Damped modes from dense matrices.
#pragma once

#include "modes/modes.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace beadwave::modes {

/// The largest number of freedoms for which they are computed from dense matrices.
inline constexpr std::size_t most_dense_damped = 600;

/// Stiffness and damping, divided by the square roots of the masses of row and column; symmetric.
struct DenseMatrices {
    std::vector<double> stiffness, damping;  ///< damping is empty if there is none
};

struct DampedMode {
    Complex lambda;                ///< [1/s]
    std::vector<Complex> shape{};  ///< of all freedoms, times the roots of their masses
};

/// The modes besides the rigid ones with Im lambda >= 0, ascending in size: one per oscillating
/// mode, two per overdamped one. `undamped`: the eigenvectors of the stiffness, of which the first
/// `rigid` have no stiffness; `highest`: the highest frequency without damping [Hz].
std::vector<DampedMode> dense_damped_modes(const DenseMatrices& matrices,
                                           const std::vector<double>& undamped, std::size_t rigid,
                                           double highest);

/// Says that modes are listed twice, if `modes` has more than its freedoms.
void note_overdamped(Modes& modes);

/// Damping ratios to first order in the damping, for modes without damping whose shapes are known:
/// c/(2 omega m), c and m the damping [N s/m] and the mass of the mode. Adds a warning, with `why`.
void add_first_order_damping(const std::vector<double>& mass, const std::vector<double>& damping,
                             const std::string& why, Modes& modes);

}  // namespace beadwave::modes

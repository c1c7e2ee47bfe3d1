// Bloch waves exp(i (k.x - omega t)) of the endless packing that repeats a cell, without damping.
#pragma once

#include "linear/packing_operator.hpp"
#include "modes/primitive_cell.hpp"

#include <array>
#include <complex>
#include <vector>

namespace beadwave::modes {

/// Angular frequencies [rad/s], ascending, of waves with a wave vector [rad/m]. Of a wave that
/// grows: minus its rate [1/s].
std::vector<double> bloch_frequencies(const linear::PackingOperator& packing,
                                      const PrimitiveCell& cell, const packing::Vec3& wave);

/// One branch near a wave vector: the square of its frequency, d/dk and d^2/dk^2 of it.
struct BranchCurve {
    double square;                                     ///< [1/s^2]
    std::array<double, 3> slope{};                     ///< [m/s^2]
    std::array<std::array<double, 3>, 3> curvature{};  ///< [m^2/s^2]
    bool alone = true;  ///< no other branch is so near that the derivatives lose their meaning
};

/// All waves with one wave vector, by perturbation theory near it.
class BlochState {
  public:
    /// Both must outlive it.
    BlochState(const linear::PackingOperator& packing, const PrimitiveCell& cell,
               const packing::Vec3& wave);

    BranchCurve curve(std::size_t branch) const;

  private:
    const linear::PackingOperator& packing_;
    const PrimitiveCell& cell_;
    packing::Vec3 wave_;
    std::vector<double> squares_{};
    std::vector<std::complex<double>> vectors_{};
};

struct BlochWaves {
    std::vector<double> omega;            ///< as bloch_frequencies()
    std::vector<packing::Vec3> velocity;  ///< d omega / d k [m/s]; NaN where omega is not above 0
};

/// Frequencies with group velocities, from the derivative of the dynamical matrix. Branches that
/// meet at this wave vector have one for each line through it: that along the unit vector `along`.
/// There the velocity of a branch that starts at zero frequency is its limit.
BlochWaves bloch_waves(const linear::PackingOperator& packing, const PrimitiveCell& cell,
                       const packing::Vec3& wave, const packing::Vec3& along);

}  // namespace beadwave::modes

// Up to which speed an impact is what contact laws take it for.
//
// Elastic and viscous laws: below 1e-5 sqrt(E/density) impacts are elastic and quasi-static; faster
// ones leave permanent deformation [Skrinjar2018 Eq. (19); CorralReview Eq. (5.44), after Lankarani
// and Nikravesh]. On steel that is 0.05 m/s. The factor is a power of ten, so that a speed counts
// as beyond it from sqrt(10) times the limit on: 0.16 m/s on steel. (Johnson, Contact Mechanics,
// 1985, section 11.5, has hard steel yield from about 0.1 m/s on.)
//
// Elastoplastic laws have that deformation. They come from slow tests: at strain rates of fast
// impacts metals are harder, and waves take up energy. Here they count as beyond from a hundred
// times the limit on, 1e-3 sqrt(E/density), 5 m/s on steel, where the same section has fully
// plastic impacts begin.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace beadwave::laws {

/// 1e-5 sqrt(E/density) [m/s] from Young's modulus [Pa] and density [kg/m^3]. Infinite below 10
/// GPa, where no metal is: rubber does not yield so, and moduli that are lowered for longer time
/// steps say nothing about yield.
double elastic_impact_speed(double youngs_modulus, double density);

/// A warning if a spin bursts a body: if its surface moves faster than 0.1 sqrt(E/density), where
/// the stresses of the spin are near a hundredth of Young's modulus [Pa], above the strength of
/// what grains are made of. `spin` [rad/s], `reach` of its surface from the axis [m], density
/// [kg/m^3]. The sentence begins with `what`.
std::optional<std::string> beyond_spin_limit(std::string_view what, double spin, double reach,
                                             double youngs_modulus, double density);

/// Density [kg/m^3] of steel, for bodies whose density is not known.
inline constexpr double assumed_density = 7850.0;

/// A warning if a speed [m/s] is beyond what holds for the law of this name; `limit` [m/s] is the
/// elastic_impact_speed() of the body that has the smaller one, `line`: the name is that of a line
/// law. The sentence begins with `what`, such as "an impact at", and the speed.
std::optional<std::string> beyond_impact_limit(const std::string& law, bool line,
                                               std::string_view what, double speed, double limit);

}  // namespace beadwave::laws

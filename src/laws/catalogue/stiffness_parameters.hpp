// Springs that are not the two bodies' own Hertz spring, and material data of which a contact keeps
// only the effective modulus.
#pragma once

#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/settings.hpp"

namespace beadwave::laws {

/// `stiffness` of a linear spring, "hertz" for the one of linear_stiffness().
Parameter linear_stiffness_parameter();

/// `impact_speed` for which `stiffness` = "hertz" is computed.
Parameter stiffness_speed_parameter();

/// K [N/m]: as given, or (4/5) K_Hertz sqrt(d), which stores as much as Hertz does at its largest
/// overlap d when the two bodies collide at `impact_speed`.
double linear_stiffness(const Contact&, const Settings&);

/// `stiffness` of a spring K delta^n, "hertz" for the two bodies' own.
Parameter power_stiffness_parameter();

/// K [N/m^n]: as given, or Hertz's. Throws ArgumentError for Hertz's with n other than 3/2.
double power_stiffness(const Contact&, const Settings&, double exponent);

/// `poisson_ratio` of two bodies of one material, from 0 to 0.5; "bodies" for poisson_ratio().
Parameter poisson_ratio_parameter();

/// `poisson_ratio` of the body that yields; "bodies" for yielding_poisson_ratio().
Parameter yielding_poisson_ratio_parameter();

/// nu [-]: as given, or the mean of the two bodies'; assumed_poisson_ratio where the contact was
/// given without bodies. Throws ArgumentError if the bodies' is below 0.
double poisson_ratio(const Contact&, const Settings&);

/// nu [-] of the body that yields, given or assumed as for poisson_ratio().
double yielding_poisson_ratio(const Contact&, const Settings&);

/// E [Pa]. Throws ArgumentError if the contact has none.
double effective_modulus(const Contact&, const Settings&);

/// Young's modulus [Pa] of two bodies of one material: 2 (1 - nu^2) E. Throws ArgumentError if the
/// contact has no effective modulus E.
double youngs_modulus(const Contact&, const Settings&);

/// Effective radius [m]. Throws ArgumentError if the contact has none.
double effective_radius(const Contact&, const Settings&);

}  // namespace beadwave::laws

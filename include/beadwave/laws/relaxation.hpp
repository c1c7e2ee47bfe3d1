// A viscoelastic material whose stress relaxes with one time [CorralReview Eqs (5.85)-(5.88)]:
//
//     G(t) = G_e + G_0 exp(-t/T),     T = eta/G_0,     K(t) = (2/3) (1 + nu)/(1 - 2 nu) G(t)
//
// G is the shear relaxation modulus, K the bulk modulus, eta the viscosity of the damper. Two
// spheres of it carry, with S = 4 sqrt(R) / (3 (1 - nu)),
//
//     F(t) = S integral_0^t G(t - s) d(delta^(3/2))
//
// of which jian.hpp keeps what is left for T far below the time of contact.
#pragma once

#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/settings.hpp"

namespace beadwave::laws {

struct Relaxation {
    double equilibrium_modulus;  ///< G_e [Pa]
    double relaxing_modulus;     ///< G_0 [Pa]
    double time;                 ///< T [s]
    double poisson_ratio;        ///< nu [-], the same at all times

    double shear_modulus(double time_since) const;  ///< G [Pa] a time after a strain [s]
    double bulk_modulus(double time_since) const;   ///< K [Pa]; infinite for nu = 0.5
};

/// The material of the law "jian" for these bodies. Throws ArgumentError if its numbers contradict
/// each other, or if it needs bodies and there are none.
Relaxation relaxation_of(const Contact& contact, const Settings& settings);

}  // namespace beadwave::laws

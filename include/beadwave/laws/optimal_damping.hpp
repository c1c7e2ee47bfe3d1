// The damping of the law "poursina-nikravesh" as a number of one impact: F = K delta^n + c
// delta_dot returns the restitution e, at zero force, if c is c_opt. It has an upper bound
// [Poursina2020],
//
//     c_opt = (lambda/e) [((n+1)/2)^n K v^(n-1) m^n]^(1/(n+1)),   lambda in [0, 1]   [Eqs (33),
//     (34)]
//
// because the contact cannot end deeper than an impact without damping goes, and a closed form that
// was fitted to it, alpha (e^beta - 1) [K v^(n-1) m^n]^(1/(n+1)) [Eq. (49)].
#pragma once

namespace beadwave::laws {

/// One impact on a spring K delta^n.
struct DampedImpact {
    double restitution;  ///< e to return [-], in [1e-4, 1]
    double exponent;     ///< n [-], in [1, 2]
    double stiffness;    ///< K [N/m^n], above 0
    double mass;         ///< effective mass m [kg], above 0
    double speed;        ///< v, when the contact closes [m/s], above 0
};

struct OptimalDamping {
    double optimum;  ///< c_opt, which returns e [N s/m]
    double bound;    ///< upper bound of c_opt [N s/m]
    double lambda;   ///< optimum / bound [-]
    double
        separation_overlap;  ///< where the contact ends under c_opt: (c e v/K)^(1/n) [m] [Eq. (51)]
    double fit;              ///< the closed form [N s/m]
    double fit_restitution;  ///< what the closed form returns [-]
};

/// Found by integrating impacts (relative error below 1e-9).
OptimalDamping optimal_damping(const DampedImpact&);

/// Restitution at zero force of an impact with the dimensionless damping
/// kappa = c / [K v^(n-1) m^n]^(1/(n+1)), which with the exponent n decides it [-].
double poursina_restitution(double kappa, double exponent);

}  // namespace beadwave::laws

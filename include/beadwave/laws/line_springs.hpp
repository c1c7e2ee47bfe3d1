// The elastic part of the line-contact laws: four forms of the force F on the whole length L.
//
// Each form has these functions, for overlaps above 0 and below largest_overlap():
//
//     double force(double overlap) const;          // [N]
//     double stored_energy(double overlap) const;  // [J]: the integral of the force
//     double largest_overlap() const;              // [m]: where the law ends, infinity if nowhere
//
// Delta R, R, L and E* are those of line_contact.hpp.
#pragma once

#include <limits>
#include <variant>

namespace beadwave::laws {

/// Most line laws print the overlap that belongs to a force,
///
///     delta = c F (ln(A/F) + B)          [Skrinjar2018 Eqs (33), (36), (41)-(44)]
///
/// and have a closed inverse: F = delta/(c y) with y = -W(-delta/(c A e^B)), W the lower branch of
/// Lambert's function. The overlap has a maximum, at F = A e^(B-1); no force belongs to a larger
/// one.
struct LogarithmicLine {
    double compliance;   ///< c [m/N]
    double force_scale;  ///< A [N]
    double offset;       ///< B [-]

    double overlap(double force) const;
    double force(double overlap) const;
    double stored_energy(double overlap) const;
    double largest_overlap() const;
};

/// Liu: fitted to finite elements [Skrinjar2018 Eq. (45)].
///
///     F = (pi/2) E* L delta sqrt(delta / (2 (Delta R + delta)))
///
/// The text omits L; without it the unit is N/m.
struct LiuLine {
    double modulus_length;     ///< E* L [N/m]
    double radius_difference;  ///< Delta R [m]

    double force(double overlap) const;
    double stored_energy(double overlap) const;
    double largest_overlap() const { return std::numeric_limits<double>::infinity(); }
};

/// Persson: a pin that nearly fills its hole [Skrinjar2018 Table 4].
///
///     F = pi f E* L Delta R (b^2 + 1) b^2 / (2 - ln(b^2 + 1) - 2 b^4)
///     b = tan(eps/2), eps = arccos(Delta R / (Delta R + delta)), that is b^2 = delta/(2 Delta R +
///     delta)
///
/// The printed denominator, 2 (Delta R + delta), gives a force per area; this one is that of the
/// theory of conforming cylinders of equal elasticity. It is zero at b = 0.9136, delta = 10.09
/// Delta R, where the law ends. Far below, the denominator is 2 and the force is linear in delta.
///
/// The print has f = 1. In the theory the modulus is that of one of the two equal bodies,
/// E/(1 - nu^2) = 2 E*, so f = 2: a narrow contact of half width a = 2 b R then carries
/// F/L = pi E* Delta R a^2 / (4 R^2), as under Hertz's theory; with f = 1 it carries half of that.
struct PerssonLine {
    double modulus_length;     ///< f E* L [N/m]
    double radius_difference;  ///< Delta R [m]
    bool full;                 ///< false: the denominator is 2 throughout

    double force(double overlap) const;
    double stored_energy(double overlap) const;
    double largest_overlap() const;
};

/// F = K delta^n, stored K delta^(n+1) / (n+1).
struct PowerLine {
    double stiffness;  ///< K [N/m^n]
    double exponent;   ///< n [-]

    double force(double overlap) const;
    double stored_energy(double overlap) const;
    double largest_overlap() const { return std::numeric_limits<double>::infinity(); }
};

using LineSpring = std::variant<LogarithmicLine, LiuLine, PerssonLine, PowerLine>;

}  // namespace beadwave::laws

// Two curved surfaces that touch in a point: each has two principal radii of curvature there, and
// under load they touch on an ellipse [Hertz; K. L. Johnson, Contact Mechanics, 1985, sections 4.1
// and 4.2]. A and B, with B >= A > 0, are the principal relative curvatures over two:
//
//     A + B = (1/R1' + 1/R1'' + 1/R2' + 1/R2'') / 2
//     B - A = sqrt(d1^2 + d2^2 + 2 d1 d2 cos(2 angle)) / 2,     d = 1/R' - 1/R''
//
// The axis ratio q = b/a of the ellipse follows from
//
//     B/A = (E(k)/q^2 - K(k)) / (K(k) - E(k)),     k^2 = 1 - q^2
//
// with the complete elliptic integrals K and E, and the force from R_e = 1/(2 sqrt(A B)):
//
//     F = (4/3) E* sqrt(R_e) (delta / F2)^(3/2),     sqrt(a b) = (3 F R_e/(4 E*))^(1/3) F1
//
// So the contact is as stiff as that of a sphere of the radius R_e/F2^3 on a flat: every law that
// rests on Hertz's takes it from there (elliptic_contact()). The largest pressure is another one.
#pragma once

#include "beadwave/laws/contact.hpp"

#include <optional>
#include <string>

namespace beadwave::laws {

/// Principal radii of curvature of a surface where it touches another [m]: above 0 convex, infinite
/// straight, below 0 hollow.
struct PrincipalRadii {
    double first, second;
};

/// The ellipse on which two surfaces touch; the same for every force.
struct ContactEllipse {
    double axis_ratio;         ///< q = b/a [-], above 0 up to 1
    double mean_radius;        ///< R_e [m]
    double size_factor;        ///< F1 [-]
    double approach_factor;    ///< F2 [-]
    double equivalent_radius;  ///< R_e / F2^3 [m]

    /// The greater and the smaller semi-axis at a force [N], with the effective modulus [Pa].
    double semi_major(double force, double modulus) const;
    double semi_minor(double force, double modulus) const;
    /// The pressure in the middle: 3 F/(2 pi a b) [Pa].
    double largest_pressure(double force, double modulus) const;
};

/// `angle` [rad] is that between the directions of the two first radii. Throws ArgumentError if the
/// surfaces do not touch in a point alone: along a line, or where one is hollow, all around.
ContactEllipse contact_ellipse(const PrincipalRadii& a, const PrincipalRadii& b, double angle);

/// A warning if the ellipse is longer than the shorter of two cylinders [m] at this force [N], with
/// the effective modulus [Pa].
std::optional<std::string> too_long(const ContactEllipse&, double force, double modulus,
                                    double cylinder);

/// The contact with the stiffness of this ellipse. Masses in kg; an infinite mass is a fixed body.
Contact elliptic_contact(const ContactEllipse& ellipse, double mass_1, const Elasticity& material_1,
                         double mass_2, const Elasticity& material_2);

}  // namespace beadwave::laws

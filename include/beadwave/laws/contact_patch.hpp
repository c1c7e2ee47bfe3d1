// Where two round bodies touch under a force, and the pressure there, by Hertz: between spheres a
// circle of the radius a (a ContactEllipse whose axes are equal), between parallel cylinders a
// strip of the half-width a, with the effective radius R, the effective modulus E* and the length L
// [K. L. Johnson, Contact Mechanics, 1985, sections 4.2 and 4.3; Skrinjar2018 Eq. (32)]:
//
//     spheres      a = (3 F R/(4 E*))^(1/3)     p0 = 3 F/(2 pi a^2)
//     cylinders    a = sqrt(4 F R/(pi E* L))    p0 = 2 F/(pi a L)
//
// and the pressure p0 sqrt(1 - r^2/a^2) at the distance r from the centre or the middle line.
// The bodies are elastic and do not adhere, and the contact is narrow beside their radii.
#pragma once

#include "beadwave/laws/elliptic_contact.hpp"
#include "beadwave/laws/line_contact.hpp"

#include <optional>
#include <string>

namespace beadwave::laws {

/// The circle on which spheres of this effective radius [m] touch.
ContactEllipse contact_circle(double radius);

/// The strip on which two parallel cylinders touch.
struct ContactStrip {
    double half_width;        ///< a [m]
    double largest_pressure;  ///< p0, in the middle [Pa]

    /// The pressure at the distance x [m] from the middle line; 0 outside of the strip [Pa].
    double pressure(double x) const;
};

/// The strip under a force [N], at least 0.
ContactStrip contact_strip(const LineContact&, double force);

/// The radius of the smaller cylinder [m].
double smaller_radius(const LineContact&);

/// A warning if a contact of this half-width is too wide for Hertz's theory beside the radius of
/// the smaller body, both in m: from half of it on a circle leaves its parabola by 7 %.
std::optional<std::string> too_wide(double half_width, double radius);

}  // namespace beadwave::laws

// Two parallel cylinders that touch along a line: a pin in a hole (internal) or side by side
// (external), of which one may be flat.
#pragma once

#include "beadwave/laws/contact.hpp"

namespace beadwave::laws {

/// A cylinder. An infinite mass is a fixed body.
struct Cylinder {
    double radius;  ///< [m]; infinite: a flat
    double length;  ///< [m]
    double mass;    ///< [kg]
    Elasticity elasticity;
};

/// Effective properties of one line contact [Skrinjar2018 Eqs (34), (35), (40)].
struct LineContact {
    bool internal;             ///< a pin in a hole
    double radius_difference;  ///< Delta R [m]: R_i - R_j internal (the clearance), R_i + R_j
                               ///< external; infinite against a flat
    double radius;             ///< effective radius R = R_i R_j / Delta R [m]
    double length;             ///< L [m], of the shorter cylinder
    double modulus;            ///< E* [Pa]: 1/E* = sum of (1 - nu^2)/E_i
    double mass;               ///< effective mass [kg]

    bool operator==(const LineContact&) const = default;
};

/// Two cylinders side by side.
LineContact external_line_contact(const Cylinder& a, const Cylinder& b);

/// A pin in a larger hole.
LineContact internal_line_contact(const Cylinder& pin, const Cylinder& hole);

}  // namespace beadwave::laws

// A solid superellipsoid in space: in the axes of the body, its surface is
//
//     N(x) = 1,   N = (rho^n1 + |z/c|^n1)^(1/n1),   rho = (|x/a|^n2 + |y/b|^n2)^(1/n2)
//
// with exponents of 2 and above [A. H. Barr, IEEE Comput. Graph. Appl. 1 (1981) 11]. It is convex,
// N is a norm, and the support function is its dual norm: the same formula of (a nx, b ny, c nz)
// with m2 and m1 in place of n2 and n1, 1/m + 1/n = 1. The gradient of either gives the point with
// a given normal and the normal at a given point.
//
// With exponents above 2 the surface is straight wherever it crosses a plane of two of its axes:
// across this plane its curvature is zero. So the point with a given normal is known worse than
// the normal, and what works with both holds the point and asks for the normal there.
//
// Exponents of 2 are the ellipsoid (ellipsoid.hpp), to the bit in all functions of a normal.
#pragma once

#include "shapes/ellipsoid.hpp"

#include <array>

namespace beadwave::shapes {

struct Exponents {
    double plane = 2.0;  ///< n2 [-]: of the section across the third axis
    double axis = 2.0;   ///< n1 [-]: towards the third axis

    bool operator==(const Exponents&) const = default;
};

struct Superellipsoid {
    Superellipsoid(const Ellipsoid& e, const Exponents& powers = {})
        : semi_axes(e.semi_axes), centre(e.centre), orientation(e.orientation), exponents(powers) {}

    Vector semi_axes;        ///< along x, y and z of the body [m], above 0
    Vector centre;           ///< [m]
    Quaternion orientation;  ///< unit
    Exponents exponents;     ///< 2 and above
};

/// Whether both exponents are 2.
bool is_ellipsoid(const Superellipsoid&);
/// The ellipsoid of the same axes, centre and orientation.
Ellipsoid as_ellipsoid(const Superellipsoid&);

/// How far it reaches from its centre along the unit vector `n` [m].
double reach(const Superellipsoid&, const Vector& n);
/// The vector from the centre to the point where the outward normal is the unit vector `n` [m].
Vector reach_point(const Superellipsoid&, const Vector& n);
/// How the surface bends at reach_point(), in the tangents() of `n` [1/m].
PlaneMatrix bending(const Superellipsoid&, const Vector& n);

/// N of the place at `arm` from the centre [m], in space: 1 on the surface, below 1 inside.
double gauge(const Superellipsoid&, const Vector& arm);
/// The outward unit normal where the surface is met along `arm`.
Vector normal_at(const Superellipsoid&, const Vector& arm);
/// How the surface bends there, along two unit vectors across the normal [1/m].
PlaneMatrix bending_at(const Superellipsoid&, const Vector& arm, const std::array<Vector, 2>&);

/// Whether `arm` points to an end of the third axis where the surface has no curvatures: with an
/// exponent n1 of 2 and n2 above 2 it bends there differently along each direction.
bool is_sharp_pole(const Superellipsoid&, const Vector& arm);

/// The largest distance of a point from the centre [m].
double farthest(const Superellipsoid&);

/// A ball of this radius rolls inside everywhere [m]: least^2/((n - 1) farthest), n the larger
/// exponent. It follows from the strong convexity of the square of the dual norm, m - 1 = 1/(n - 1)
/// [K. Ball, E. A. Carlen, E. H. Lieb, Invent. Math. 115 (1994) 463]. For ellipsoids it is the
/// smallest radius of curvature; for others that is up to a few times as large.
double smallest_radius(const Superellipsoid&);

/// Volume [m^3] and principal moments [kg m^2] of a solid one of this mass [kg], in its axes:
/// closed forms with beta functions.
double volume(const Superellipsoid&);
Vector moments(const Superellipsoid&, double mass);

}  // namespace beadwave::shapes

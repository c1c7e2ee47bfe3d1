// Contacts on flat places of superellipsoids, for laws that need a radius.
//
// With an exponent above 2 a superellipsoid is straight across the planes of its axes. Two faces,
// or a face or an edge on a wall, then have no relative curvature, and Hertz's stiffness K ~
// sqrt(R), has no bound. A real face is finite: at an overlap d it is no stiffer than a punch of
// its own size s, dF/dd = 2 E* s. Hertz's is 2 E* sqrt(R d), the contact as large as a circle of
// the radius sqrt(R d). With R up to 10 s both agree at d = s/10, where runs begin to warn of deep
// contacts; below, the contact is smaller than the face. So each relative curvature is at least
// 1/(10 s), with s the largest reach of the smaller body. Contacts with a greater curvature, such
// as a ball on a face, are Hertz's.
#pragma once

#include "beadwave/laws/elliptic_contact.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "shapes/curvatures.hpp"

namespace beadwave::packing {

/// The largest radius of a relative curvature, over the largest reach of the smaller body [-].
inline constexpr double largest_flat_radius = 10.0;

struct FlatEllipse {
    laws::ContactEllipse ellipse;
    bool bounded = false;  ///< a curvature was raised
};

/// `relative`: curvatures of the gap [1/m], not negative; `size`: s [m].
FlatEllipse ellipse_of_gap(const shapes::Curvatures& relative, double size);

/// Whether normal law, friction or rolling resistance of a contact with this radius [m] and mass
/// [kg] depends on the radius.
bool needs_radius(double radius, double mass, const PairSettings& settings,
                  const laws::Elasticity& a, const laws::Elasticity& b);

}  // namespace beadwave::packing

// Where an ellipsoid or superellipsoid touches another one or a plane wall, and the law of their
// contact.
//
// The normal force acts along the common normal (shapes/common_normal.hpp), on both bodies in one
// line. Friction acts at a point of this line: it divides the overlap as the radii of the bounding
// spheres, and lies on the surface of a wall, as between spheres (pair_kinematics.hpp).
//
// The law of a contact is made from the ellipse on which the bodies touch when it closes, and from
// the mass that their impact without friction feels then (shapes/impact.hpp). Both stay while the
// contact lasts: with curvatures that follow the point of contact the force is no derivative of an
// energy. So a body that rolls while it touches keeps the stiffness of the place where it first
// did.
//
// Resistance to rolling and twisting takes for the effective radius that of the sphere on a flat
// that is as stiff as the contact, and for the inertia of its dashpot the harmonic mean of the
// moments of a body: between spheres these are the plain engine's.
//
// Mindlin's stiffness 8 G* a takes for a the geometric mean of the ellipse's semi-axes: the circle
// of the same area. That of an ellipse differs with the direction of the slip; here it does not.
#pragma once

#include "beadwave/laws/elliptic_contact.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/shaped/shaped_particle.hpp"
#include "shapes/turned_shape.hpp"

#include <cmath>
#include <optional>

namespace beadwave::packing {

struct Touch {
    Vec3 normal{};         ///< unit, from the first to the second
    double overlap = 0.0;  ///< [m]; below 0: apart
    Vec3 arm_1{};          ///< from the centre of the first to where the forces act [m]
    Vec3 arm_2{};          ///< from that of the second; zero for a wall [m]
    bool certain = true;   ///< no other direction overlaps less
};

/// The numbers of a contact that its law is made from.
struct Closing {
    double radius = 0.0;       ///< of the sphere on a flat that is as stiff [m]; 0: open
    double axis_ratio = 0.0;   ///< b/a of the ellipse
    double slip_radius = 0.0;  ///< the mean semi-axis is the root of this times the overlap [m]
    double mass = 0.0;         ///< of the impact [kg]
    /// On a flat place of a superellipsoid: the radius is bounded (flat_places.hpp). Not part of
    /// the law.
    bool flat = false;

    static constexpr std::size_t numbers = 4;
    static constexpr double Closing::*all[numbers] = {&Closing::radius, &Closing::axis_ratio,
                                                      &Closing::slip_radius, &Closing::mass};
    bool is_closed() const { return radius > 0.0; }
};

/// Two ellipsoids; `branch`: from the centre of the first to that of the second [m]; `guess`: a
/// normal near the right one, or zero. Throws as common_normal() does.
Touch touch_of(const ShapedParticle& first, const ShapedParticle& second, const Vec3& branch,
               const Vec3& guess);
/// The same from the touch of a moment before; `share`: the part of the overlap that is in the
/// first, with `arm_1` in the middle. None where the full search is needed
/// (shapes/near_normal.hpp).
std::optional<Touch> touch_near(const shapes::TurnedShape& first, const shapes::TurnedShape& second,
                                const Vec3& branch, const Touch& last, double share);
/// The centre is `height` [m] above a plane with this normal.
Touch touch_of(const ShapedParticle& first, const Vec3& wall_normal, double height);

/// Two spheres, and a sphere and a plane, as the plain engine has them; radii [m].
inline Touch touch_of_balls(double radius_1, double radius_2, const Vec3& branch) {
    const double distance = std::sqrt(dot(branch, branch)), radii = radius_1 + radius_2;
    return {.normal = branch * (1.0 / distance),
            .overlap = radii - distance,
            .arm_1 = (radius_1 / radii) * branch,
            .arm_2 = -(radius_2 / radii) * branch,
            .certain = true};
}
Touch touch_of_ball(double radius, const Vec3& wall_normal, double height);

/// By how much they are apart along this direction; below 0: an upper limit of their overlap [m].
double gap_along(const ShapedParticle& first, const ShapedParticle& second, const Vec3& branch,
                 const Vec3& n);

/// The closing on this ellipse; mobility: of both bodies along the normal, see
/// ShapedParticle::mobility() [1/kg].
Closing closing_on(const laws::ContactEllipse& ellipse, double mobility);
/// The closing of bodies that touch; a body that is held counts as infinitely heavy.
Closing closing_of(const ShapedParticle& first, const ShapedParticle& second, const Vec3& branch,
                   const Vec3& guess);
Closing closing_of(const ShapedParticle& first, const Vec3& wall_normal, double height);

/// `turning`: ShapedParticle::mean_turning() of both bodies together [1/(kg m^2)].
PairLaw law_of(const Closing& closing, double turning, const PairSettings& settings,
               const laws::Elasticity& a, const laws::Elasticity& b);

}  // namespace beadwave::packing

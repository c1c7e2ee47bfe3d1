// One place where two bodies of a mechanism can touch. A prismatic contact has four, a pair of
// shapes one or several (shapes/pair.hpp), every other kind has one.
#pragma once

#include "mechanism/mechanism.hpp"
#include "mechanism/shapes/pair.hpp"
#include "mechanism/worn_profile.hpp"

#include <memory>
#include <vector>

namespace beadwave::mechanism {

/// Distance and relative motion of the two bodies at a contact point.
struct ContactKinematics {
    double overlap;         ///< delta [m]; negative: the gap
    double approach_speed;  ///< d(delta)/dt [m/s]
    Vector normal;          ///< direction of the force on the first body
    Vector position;        ///< where the forces act [m]
    double slip_speed;  ///< of the first body relative to the second, along left_of(normal) [m/s]
    Vector journal_displacement;  ///< journal: centre of the pin minus that of the bearing [m];
                                  ///< otherwise zero
    Vector first{};               ///< point of the first body that lies deepest in the second [m]
    /// Radii of curvature of the two outlines at the contact: above 0 convex, 0 a sharp end,
    /// infinite straight, below 0 hollow [m].
    std::array<double, 2> curvature_radii{};
};

/// The geometry of one contact point. Its anchors are relative to the centres of the bodies.
struct ContactPoint {
    enum class Kind { journal, point_line, shapes };

    Kind kind = Kind::journal;
    std::size_t contact = 0;              ///< index in Mechanism::contacts
    std::size_t corner = 0;               ///< among those of the contact, from 0
    std::array<std::size_t, 2> bodies{};  ///< may be `ground`
    std::array<Vector, 2> anchors{};      ///< pin, bearing; point, line; middles of shapes [m]
    Vector normal{};                      ///< of the line, fixed to the second body
    double contact_distance = 0.0;        ///< journal: overlap = distance - contact_distance [m]
    double radius = 0.0;                  ///< of the bearing: where the forces act [m]
    std::shared_ptr<const WornProfile> worn{};     ///< of the bearing; null: it is round
    std::shared_ptr<const shapes::Place> place{};  ///< of shapes
    std::array<double, 2> reaches{};  ///< of shapes: distance from the anchor to the farthest [m]

    /// Overlaps up to this are rounding [m]: bodies that touch without a force are open.
    double tolerance = 0.0;

    ContactKinematics kinematics(const std::vector<BodyState>& bodies_now) const;
    /// Time derivative of the approach speed [m/s^2], from the accelerations of the bodies.
    double approach_acceleration(const std::vector<BodyState>& bodies_now) const;
    /// Time derivative of the slip speed while the bodies touch and neither part nor approach
    /// [m/s^2], likewise: the contact point then moves along both outlines, so that only the
    /// acceleration of the material counts.
    double slip_acceleration(const std::vector<BodyState>& bodies_now) const;
};

/// The contact points of all contacts, in order.
std::vector<ContactPoint> contact_points_of(const Mechanism&);

/// The largest distance between centres, joints and contact points [m].
double size_of(const Mechanism&, const std::vector<ContactPoint>&);

}  // namespace beadwave::mechanism

// One place where two bodies of a mechanism can touch. A prismatic contact has four, every other
// kind has one.
#pragma once

#include "mechanism/mechanism.hpp"

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
};

/// The geometry of one contact point. Its anchors are relative to the centres of the bodies.
struct ContactPoint {
    enum class Kind { journal, point_line, sphere_sphere };

    Kind kind = Kind::journal;
    std::size_t contact = 0;              ///< index in Mechanism::contacts
    std::size_t corner = 0;               ///< prismatic contact only, 0 to 3
    std::array<std::size_t, 2> bodies{};  ///< may be `ground`
    std::array<Vector, 2> anchors{};      ///< pin, bearing; point, line; two centres [m]
    Vector normal{};                      ///< of the line, fixed to the second body
    /// Distance at which the bodies just touch [m]. Journal: overlap = distance - contact_distance;
    /// spheres: overlap = contact_distance - distance.
    double contact_distance = 0.0;
    double radius = 0.0;  ///< of the bearing or of the first sphere: where the forces act [m]

    /// Overlaps up to this are rounding [m]: bodies that touch without a force are open.
    double tolerance = 0.0;

    ContactKinematics kinematics(const std::vector<BodyState>& bodies_now) const;
    /// Time derivative of the approach speed [m/s^2], from the accelerations of the bodies.
    double approach_acceleration(const std::vector<BodyState>& bodies_now) const;
};

/// The contact points of all contacts, in order.
std::vector<ContactPoint> contact_points_of(const Mechanism&);

/// The largest distance between centres, joints and contact points [m].
double size_of(const Mechanism&, const std::vector<ContactPoint>&);

}  // namespace beadwave::mechanism

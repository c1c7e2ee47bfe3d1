// A solid ellipsoid or superellipsoid of a packing, or a clump: its state, and the first half of a
// step.
#pragma once

#include "packing/packing.hpp"
#include "shapes/rigid_motion.hpp"
#include "shapes/superellipsoid.hpp"

namespace beadwave::packing {

struct ShapedParticle {
    Vec3 semi_axes{};
    shapes::Exponents exponents{};  ///< not 2: a superellipsoid
    double radius = 0.0;            ///< of the bounding sphere [m]
    double mass = 0.0;              ///< [kg]
    Vec3 moments{};                 ///< principal, in the axes of the body [kg m^2]
    bool held = false;              ///< it neither moves nor turns
    bool guided = false;            ///< a drive prescribes how it turns
    bool is_clump = false;
    /// Turns vectors in the principal axes, which here are those of the body, into the axes that
    /// the packing's orientation turns; of ellipsoids they are the same.
    shapes::Quaternion axes{};
    /// From the centre of mass to that of semi_axes, in space: not zero in as_member() [m].
    Vec3 place{};

    Vec3 start{};         ///< of the centre [m]
    Vec3 displacement{};  ///< from there [m]
    Vec3 velocity{};      ///< [m/s]
    shapes::Quaternion orientation{};
    Vec3 momentum{};         ///< angular momentum, in the axes of the body [kg m^2/s]
    Vec3 velocity_change{};  ///< in half a step [m/s]
    Vec3 twist{};            ///< likewise of the angular momentum, in space [kg m^2/s]
    Vec3 force{}, torque{};  ///< of the contacts, in space [N, N m]

    // In the middle of the step and at its end, predicted; spins in space.
    Vec3 half{}, predicted{};            ///< [m/s]
    Vec3 half_spin{}, predicted_spin{};  ///< [rad/s]

    bool is_ball() const {
        return !is_clump && !is_superellipsoid() && semi_axes.x == semi_axes.y &&
               semi_axes.y == semi_axes.z;
    }
    bool is_superellipsoid() const { return exponents != shapes::Exponents{}; }
    /// Whether its state is.
    bool is_finite() const;

    /// The angular velocity [rad/s] that belongs to an angular momentum, both in space.
    Vec3 spin_of(const Vec3& in_space) const;
    Vec3 momentum_in_space() const { return to_space(orientation, momentum); }
    Vec3 spin() const;  ///< in space [rad/s]
    /// The orientation of the packing's axes of the body.
    shapes::Quaternion given_orientation() const;
    void set_spin(const Vec3& in_space);
    double rotational_energy() const;  ///< [J]

    /// 1/m + (r x n).I^-1 (r x n): acceleration of the material point at `arm` along the unit
    /// vector `n` per force along it; 0: it is held [1/kg].
    double mobility(const Vec3& arm, const Vec3& n) const;
    /// An upper limit of mobility() over all directions.
    double largest_mobility(const Vec3& arm) const;
    /// Angular acceleration per torque, the mean over its axes, and the largest; 0: it is held
    /// [1/(kg m^2)].
    double mean_turning() const;
    double largest_turning() const;

    /// The ellipsoid or superellipsoid with its centre there.
    shapes::Superellipsoid shape_at(const Vec3& centre) const {
        return {{.semi_axes = semi_axes, .centre = centre, .orientation = orientation}, exponents};
    }

    /// Half a kick by the last forces, the step's free motion, and the prediction of the
    /// velocities at its end.
    void drift(double time_step);
    /// And the twist; by the present forces and gravity [m/s^2].
    void set_velocity_change(const Vec3& gravity, double time_step);
    /// The second half of the kick, by the velocity change and the twist.
    void kick();
    /// Where it was `time` before, in the free motion of this step [s]. The centre is its
    /// displacement's.
    ShapedParticle before(double time) const;
};

/// Particle `i` of the packing as it is at the start.
ShapedParticle particle_at_start(const Packing& packing, std::size_t i);

}  // namespace beadwave::packing

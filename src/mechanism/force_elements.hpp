// What acts on the bodies of a mechanism beside gravity, joints and contacts: forces and torques
// over time, springs and dampers.
#pragma once

#include "mechanism/mechanism.hpp"

#include <vector>

namespace beadwave::mechanism {

/// A spring at one time.
struct SpringSample {
    double extension = 0.0;  ///< [m]; of a torsion spring: the angle beyond the free angle [rad]
    double force = 0.0;      ///< tension is positive [N]; of a torsion spring: on the second body,
                             ///< anticlockwise [N m]
};

class ForceElements {
  public:
    /// Free lengths that are not given are those of the start.
    explicit ForceElements(const Mechanism&);

    /// The power of the elements at one time [W].
    struct Power {
        double external = 0.0;  ///< of forces and torques, on the bodies
        double damping = 0.0;   ///< taken up by dampers
    };
    /// Adds the loads of the elements at the bodies' positions and velocities.
    Power add_loads(double time, const std::vector<BodyState>& bodies,
                    std::vector<Load>& loads) const;
    /// Energy in all springs [J].
    double stored_energy(const std::vector<BodyState>& bodies) const;
    /// Samples of the springs, then of the torsion springs.
    std::vector<SpringSample> samples(const std::vector<BodyState>& bodies) const;
    /// Times at which the slope of a force jumps [s].
    std::vector<double> times() const;
    /// The largest change per time of an acceleration that a force or a torque over time brings; an
    /// angular acceleration counts at `size` [m/s^3].
    double largest_jerk(double time, const std::vector<BodyState>& bodies, double size) const;

  private:
    struct SpringState {
        double extension;      ///< [m]
        double force;          ///< with the damper, tension is positive [N]
        double damping_power;  ///< [W]
        Vector direction;      ///< from the first point to the second
        std::array<Vector, 2> points;
    };
    SpringState state(const Spring&, double free_length,
                      const std::vector<BodyState>& bodies) const;

    std::vector<Force> forces_;
    std::vector<Torque> torques_;
    std::vector<Spring> springs_;
    std::vector<TorsionSpring> torsion_springs_;
    std::vector<Vector> centres_;  ///< of the bodies at the start [m]
    std::vector<double> masses_, inertias_;
    std::vector<double> free_lengths_;
};

}  // namespace beadwave::mechanism

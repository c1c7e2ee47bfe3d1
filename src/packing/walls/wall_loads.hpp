// The motion of all walls of a packing, step by step: prescribed walls are where their time says,
// walls with a load (wall.hpp) follow velocity Verlet like the particles. An engine calls
// begin_step(), computes the forces of the particles on the walls, and calls end_step().
//
// The force of a load that depends on the velocity takes the predicted velocity at the end of the
// step, so all of this is of second order.
#pragma once

#include "packing/packing.hpp"
#include "packing/walls/wall_motion.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace beadwave::packing {

class WallLoads {
  public:
    /// The state of a wall, on which its future depends beside the time.
    struct State {
        double displacement = 0.0;  ///< along the direction of the wall [m]
        double velocity = 0.0;      ///< [m/s]
        double acceleration = 0.0;  ///< [m/s^2]
        double force = 0.0;         ///< of load and gravity at the last step [N]
        double work = 0.0;          ///< of this force, since the start [J]
        double on_particles = 0.0;  ///< work of the wall on the particles, since the start [J]
        double predicted = 0.0;     ///< velocity that the last step's forces took [m/s]
        static constexpr std::size_t numbers = 7;
        static constexpr double State::*all[numbers] = {
            &State::displacement, &State::velocity,     &State::acceleration, &State::force,
            &State::work,         &State::on_particles, &State::predicted};
        double& number(std::size_t k) { return this->*all[k]; }
        const double& number(std::size_t k) const { return this->*all[k]; }
    };

    /// `packing` must outlive it.
    WallLoads(const Packing& packing, double time_step);

    bool any() const { return any_; }

    /// Moves the walls to the step that ends at `time` [s].
    void begin_step(double time);
    /// Takes the forces of the particles on the walls [N]; `before`: at the step before. `step`
    /// [s]: 0 at the start. Adds the work of all walls on the particles in this step [J], except by
    /// rotation.
    void end_step(std::span<const Vec3> before, std::span<const Vec3> force, double step,
                  double& work);
    /// Between two steps: the state after a step that ended at `time` [s].
    void restore(double time);
    /// Restores the state to compute the forces anew: they take the present velocities.
    void renew(double time);

    const Vec3& displacement(std::size_t wall) const { return displacement_[wall]; }  ///< [m]
    const std::vector<Vec3>& displacements() const { return displacement_; }
    /// The displacement in the step since begin_step() [m].
    Vec3 moved(std::size_t wall) const { return displacement_[wall] - before_[wall]; }
    Vec3 velocity(std::size_t wall) const;  ///< [m/s]
    std::vector<WallMotion> motions() const;
    /// list_time [s]: when the neighbour list was built.
    WallStep step(std::size_t wall, const Vec3& at_list, double list_time) const;
    /// The most by which turning since then has moved a point of the wall's mesh [m].
    double turned(std::size_t wall, double list_time) const;
    double time() const { return time_; }  ///< of the end of the step [s]

    double kinetic() const;  ///< of the walls with a load [J]
    /// Work of the loads minus that of their walls on the particles, which is internal [J].
    double external_work() const;

    /// Empty without a load.
    std::vector<State>& states() { return state_; }
    const std::vector<State>& states() const { return state_; }

  private:
    double load_force(const Wall& wall, double velocity) const;
    /// When a wall with a load is released: at the end of a step [s].
    double release_time(const Load& load) const;
    /// Whether the step that ends at time() moves a wall with this load: it is not held.
    bool moves(const Load& load) const;
    /// Whether the step that ends at time() moves a wall with a load across its direction.
    bool slides(const Wall& wall) const { return wall.velocity != Vec3{} && moves(*wall.load); }
    /// The velocity of a wall with a load that has this velocity along its direction [m/s].
    Vec3 load_velocity(const Wall& wall, double along) const;
    Vec3 load_displacement(std::size_t wall) const;

    const Packing& packing_;
    double time_step_, time_ = 0.0;
    bool any_ = false;
    std::vector<State> state_;
    std::vector<double> half_;      // velocities of walls with a load [m/s]
    std::vector<double> mesh_arm_;  // the farthest corner from the axis, of meshes that turn [m]
    std::vector<Vec3> displacement_, before_;
};

}  // namespace beadwave::packing

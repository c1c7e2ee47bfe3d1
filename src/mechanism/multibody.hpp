// The bodies and ideal joints of a mechanism on Simbody: M. A. Sherman, A. Seth, S. L. Delp,
// "Simbody: multibody dynamics for biomedical research", Procedia IUTAM 2 (2011) 241-261.
//
// Joints become the mobilities of a tree that grows from the ground, those with motors first; a
// joint that closes a loop becomes a constraint. The state is the tree's coordinates q and their
// rates u, q' = u: angles [rad] and lengths [m], all zero at the start.
#pragma once

#include "mechanism/joint_tree.hpp"
#include "mechanism/simbody/tree.hpp"

#include <memory>
#include <span>
#include <vector>

namespace beadwave::mechanism {

class Multibody {
  public:
    /// Throws PartError if a motor's joint closes a loop of motors.
    explicit Multibody(const Mechanism&);

    std::size_t coordinates() const;
    /// Whether coordinate k is an angle, else a length.
    bool is_angle(std::size_t k) const;

    /// The rates u at the start: what bodies are given, else what joints and motors make of it,
    /// else rest. Throws PartError if a body's given velocity disagrees with its joints.
    std::vector<double> first_rates();

    /// Until the next call, motors follow the part of their tables that begins at or before `time`:
    /// where the rate jumps, a step sees one side of it.
    void start_step(double time);
    /// Puts the mechanism there; motors have their speeds whatever u says.
    void set(double time, std::span<const double> q, std::span<const double> u);
    /// Moves q and u onto the loops' constraints and u to the motors' speeds.
    void settle(double time, std::span<double> q, std::span<double> u, double tolerance);

    /// Every body where set() put it; accelerations are those of the last accelerate().
    const std::vector<BodyMotion>& bodies() const;
    /// u' under these loads, one a body.
    void accelerate(std::span<const Load> loads, std::span<double> rates);
    /// Power of all motors at the last accelerate() [W].
    double motor_power() const;

    /// What impulses, one a body, do to the rates [N s, N m s]; joints and motors hold.
    std::vector<double> kick(std::span<const Load> impulses);
    /// The speed along unit loads that rates `du` are: the sum of load times velocity.
    double along(std::span<const Load> loads, std::span<const double> du);

  private:
    Mechanism mechanism_;
    JointTree joints_;
    std::shared_ptr<double> step_start_;  ///< shared with the tree's motors [s]
    std::unique_ptr<simbody::Tree> tree_;
};

}  // namespace beadwave::mechanism

// The bodies and ideal joints of a mechanism on Simbody: M. A. Sherman, A. Seth, S. L. Delp,
// "Simbody: multibody dynamics for biomedical research", Procedia IUTAM 2 (2011) 241-261.
//
// Joints become the mobilities of a tree that grows from the ground, joints with motors first. A
// joint that closes a loop becomes two conditions (loops.hpp). The state is the coordinates q of
// the tree, angles [rad] and lengths [m], and their speeds u = q'. All coordinates are zero at the
// start.
#pragma once

#include "mechanism/joint_tree.hpp"
#include "mechanism/loops.hpp"
#include "mechanism/simbody/tree.hpp"

#include <memory>
#include <span>
#include <vector>

namespace beadwave::mechanism {

class Multibody {
  public:
    /// Throws PartError if a joint with a motor closes a loop of joints with motors.
    explicit Multibody(const Mechanism&);

    std::size_t coordinates() const;
    /// Whether coordinate k is an angle; otherwise it is a length.
    bool is_angle(std::size_t k) const;

    /// The speeds u at the start. They follow from the given velocities of the bodies; where none
    /// is given, from joints and motors; otherwise they are zero. Throws PartError if a given
    /// velocity disagrees with the joints of its body, if motors contradict each other, and if a
    /// loop cannot move.
    std::vector<double> initial_speeds();

    /// Until the next call, motors follow the part of their tables that begins at or before `time`:
    /// where the slope of the table jumps, a step sees one side of the jump.
    void start_step(double time) { *step_start_ = time; }
    /// Sets the state of the mechanism. Motors have their own speeds, whatever u is.
    void set(double time, std::span<const double> q, std::span<const double> u);
    /// Projects q and u onto the constraints of the loops, and sets the speeds of the motors in u.
    /// False if the loops do not close there.
    [[nodiscard]] bool project_constraints(double time, std::span<double> q, std::span<double> u,
                                           double tolerance);
    /// The joints that close loops.
    const std::vector<std::size_t>& loop_joints() const { return joints_.loop_joints; }
    /// Number of conditions of the loops that repeat others all along the motion.
    std::size_t repeated_conditions() const { return loops_ ? loops_->repeated_conditions() : 0; }
    /// False: the joints make a rigid structure of the bodies.
    bool moves() const { return !loops_ || loops_->moves(); }
    /// How far apart the joints of such loops were at the last project_constraints() that failed
    /// although the conditions that count hold [m].
    double contradiction() const { return loops_ ? loops_->contradiction() : 0.0; }
    /// The conditions of the loops at the last set(), as rows of numbers, one per coordinate: at
    /// zero, the speeds keep the loops closed. The coordinates of motors are zero. Empty without
    /// loops, and for mechanisms too large for what is done with it.
    std::vector<std::vector<double>> loop_jacobian() {
        constexpr std::size_t most_coordinates = 60;  // the work grows as the cube
        if (!loops_ || coordinates() > most_coordinates) return {};
        return loops_->jacobian();
    }

    /// The bodies at the last set(); their accelerations are those of the last accelerate().
    const std::vector<BodyState>& bodies() const;
    /// u' under these loads, one per body.
    void accelerate(std::span<const Load> loads, std::span<double> accelerations);
    /// The reactions at the last accelerate(), one per joint.
    std::vector<JointReaction> joint_reactions();
    /// Power of all motors at the last accelerate() [W].
    double motor_power() const;

    /// The change of the speeds by impulses, one per body [N s, N m s]. Joints and motors hold.
    std::vector<double> impulse_response(std::span<const Load> impulses);
    /// The speed along unit loads that belongs to the speeds `du`: the sum of load times velocity.
    double projected_speed(std::span<const Load> loads, std::span<const double> du);

  private:
    /// The speeds before the loops are taken into account.
    std::vector<double> speeds_of_tree();
    /// Whether the loops let the bodies move at some speeds at the start.
    bool can_move();
    [[noreturn]] static void fail_to_move(const Mechanism&,
                                          const std::vector<std::size_t>& loop_joints);

    Mechanism mechanism_;
    JointTree joints_;
    std::shared_ptr<double> step_start_;  ///< shared with the motors of the tree [s]
    std::unique_ptr<simbody::Tree> tree_;
    std::unique_ptr<Loops> loops_;  ///< empty: none
};

}  // namespace beadwave::mechanism

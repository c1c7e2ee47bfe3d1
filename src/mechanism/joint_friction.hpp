// Coulomb friction in joints without clearance: its forces, and which joints they hold.
//
// The force of friction acts against the motion that the joint allows: a torque [N m] in a revolute
// joint, a force along the axis [N] in a slider. It is at most the coefficient times the force with
// which the surfaces press on each other, times the radius of the pin. The reactions of the joints,
// and with them these limits, depend on the forces of friction themselves.
#pragma once

#include "mechanism/linear_complementarity.hpp"
#include "mechanism/mechanism.hpp"

#include <optional>
#include <vector>

namespace beadwave::mechanism {

/// A joint with friction during a run.
struct JointFrictionState {
    std::size_t joint = 0;   ///< index in Mechanism::joints
    double direction = 0.0;  ///< the sign of its motion; 0: friction holds it
    double force = 0.0;  ///< of friction on the second body, at the last derivatives() [N m or N]
};

/// The largest force of friction with this coefficient under this reaction [N m or N]. `axis`: of a
/// slider, at present.
/// The sides of a slider press at the ends of its length if a torque turns it, otherwise with the
/// force across the axis.
double friction_limit(const Joint&, double coefficient, const JointReaction&, const Vector& axis);

/// Joints 0 to n - 1 with friction. Accelerations and reactions are linear in the forces.
struct JointFrictionProblem {
    explicit JointFrictionProblem(std::size_t count)
        : joints(count),
          axes(count),
          coefficients(count, 0.0),
          accelerations(count, 0.0),
          response(count),
          reactions(count),
          changes(count * count),
          directions(count, 0.0) {}

    std::vector<const Joint*> joints;
    std::vector<Vector> axes;           ///< of sliders, at present
    std::vector<double> coefficients;   ///< of friction, of held joints that of what they hold
    std::vector<double> accelerations;  ///< without friction, of the second body relative to the
                                        ///< first [rad/s^2 or m/s^2]
    Matrix response;                    ///< of the acceleration of a row to the force of a column
    std::vector<JointReaction> reactions;  ///< without friction
    std::vector<JointReaction> changes;    ///< of the reaction of a row by a unit force of a column
    std::vector<double> directions;        ///< as in JointFrictionState
};

struct JointFrictionForces {
    std::vector<double> forces;         ///< [N m or N]
    std::vector<double> accelerations;  ///< with them [rad/s^2 or m/s^2]
    std::vector<double> negligible;     ///< accelerations up to this are rounding
    std::vector<double> limits;         ///< of the forces [N m or N]
    std::vector<double> own_response;   ///< of an acceleration to the force of the same joint
};

/// Joints of direction 0 are held if a force within the limit can hold them; otherwise they begin
/// to move. If several joints hold what fewer could, the forces are one of the possible sets. Empty
/// if no finite forces exist: friction grows with the force that it causes, and the joints jam.
std::optional<JointFrictionForces> solve(const JointFrictionProblem&);

}  // namespace beadwave::mechanism

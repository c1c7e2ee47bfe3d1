// The coefficients of friction of contacts and joints: while nothing slips, and over the slip
// speed.
#pragma once

#include "mechanism/mechanism.hpp"

#include <string>

namespace beadwave::mechanism {

/// The coefficient of a contact that slides at this speed, 0 or larger [m/s].
double sliding_coefficient(const Friction&, double speed);
/// The force of the laws that follow the slip speed alone, "ambrosio" and "modified-coulomb", under
/// a normal force of 0 or more [N]; at rest it is 0 [N].
double sliding_force(const Friction&, double normal_force, double speed);
/// The coefficient of a joint whose surfaces slip on each other at this speed, 0 or larger [m/s].
double sliding_coefficient(const JointFriction&, double speed);

/// What a contact that sticks holds, over its normal force; `speed`: of the slip that its
/// tangential spring allows, 0 or larger [m/s]. A viscous part may make it larger than the static
/// coefficient.
double holding_coefficient(const Friction&, double speed = 0.0);
double holding_coefficient(const JointFriction&);

/// Whether what sticks and what slides differ.
bool has_two_states(const Friction&);

/// What is wrong with the coefficients of friction, as one sentence; empty: nothing.
std::string fault_of_coefficients(const Friction&);
std::string fault_of_coefficients(const JointFriction&);

}  // namespace beadwave::mechanism

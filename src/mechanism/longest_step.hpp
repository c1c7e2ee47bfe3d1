// How long a step of a mechanism may be, so that no contact is missed.
#pragma once

#include "mechanism/dynamics.hpp"

#include <vector>

namespace beadwave::mechanism {

/// The longest step from this state [s]; infinite if nothing limits it. Without forces no error
/// limits a step, but every contact that closes within it must be found: no body turns by more than
/// one radian, and no pin crosses its bearing more than a few times.
double longest_step(const Dynamics&, const std::vector<ContactKinematics>& kinematics);

}  // namespace beadwave::mechanism

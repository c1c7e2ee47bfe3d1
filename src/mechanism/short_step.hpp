// Why no step is short enough.
#pragma once

#include "mechanism/dynamics.hpp"

#include <vector>

namespace beadwave::mechanism {

/// Throws std::runtime_error, which says what happens at this time [s]: the mechanism, a joint or a
/// contact jams, or the accuracy cannot be reached. At the last contact_kinematics(), which gave
/// `kinematics`. Whether the loops of joints closed in the last trial of a step of this length [s]:
/// `closes`.
[[noreturn]] void fail_short_step(Dynamics&, const std::vector<ContactKinematics>& kinematics,
                                  bool closes, double time, double step);

}  // namespace beadwave::mechanism

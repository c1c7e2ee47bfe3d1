// Why no step is short enough.
#pragma once

#include "mechanism/dynamics.hpp"

#include <vector>

namespace beadwave::mechanism {

/// Throws std::runtime_error, which says what happens at this time [s]: the mechanism, a joint or a
/// contact jams, or the accuracy cannot be reached. At the last contact_kinematics(), which gave
/// `kinematics`. In the last trial of a step of this length [s] the loops of joints closed
/// (`closes`), or their conditions that repeat others were this far apart [m] (`apart`).
[[noreturn]] void fail_short_step(Dynamics&, const std::vector<ContactKinematics>& kinematics,
                                  bool closes, double apart, double time, double step);

}  // namespace beadwave::mechanism

// Runs a mechanism.
//
// Steps are as long as the accuracy allows: the estimated error of one step stays below `accuracy`
// of each coordinate's range (an angle's: one radian), of each rate's largest value so far, and,
// where bodies touch, of the overlap and of the impact speed. A contact's beginning, its turn from
// loading to unloading and its end are found as the ends of steps, to rounding; a law's memory is
// committed there and at the end of every accepted step, nowhere else.
#pragma once

#include "mechanism/mechanism.hpp"
#include "mechanism/result.hpp"

#include <functional>

namespace beadwave::mechanism {

/// Sees the mechanism at time 0, at every multiple of `interval`, and at the end.
using Watch = std::function<void(const Moment&)>;

/// Runs to the mechanism's end. Throws ArgumentError if the mechanism cannot be (check()), and
/// std::runtime_error if the steps become too short to go on, or if a contact under the law
/// "impulse" comes to rest. `stop`, if given, is asked after every step; true ends the run there.
Result simulate(const Mechanism&, const Watch& watch = {},
                const std::function<bool(double time)>& stop = {});

}  // namespace beadwave::mechanism

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

#include <cstdint>
#include <functional>
#include <vector>

namespace beadwave::mechanism {

/// Sees the mechanism at time 0, at every multiple of `interval`, and at the end.
using Watch = std::function<void(const Moment&)>;

/// How many moments the history has beside that of time 0: the last is the end.
std::int64_t samples_of(const Mechanism&);

/// What becomes of a run while it goes on. Each may be empty.
struct Sinks {
    Watch moment{};
    /// Each impact of a spot, once: when it has ended, or, if it lasts, at the end of the run.
    std::function<void(std::size_t spot, const Impact&)> impact{};
    /// Asked after every step; true ends the run there.
    std::function<bool()> stop{};
    /// Asked after every step, with the number of the last moment seen.
    std::function<bool(std::int64_t sample)> checkpoint_due{};
    /// When it is due, and before a stop: all that simulate() needs to go on to the same bits.
    std::function<void(std::int64_t sample, const std::vector<double>& state)> checkpoint{};
};

/// Runs to the mechanism's end, from its start or from a saved state of it. Throws PartError if the
/// mechanism cannot be (check()), std::length_error if the state is none of this mechanism's, and
/// std::runtime_error if the steps become too short to go on.
Result simulate(const Mechanism&, const Sinks&, const std::vector<double>* from = nullptr);
Result simulate(const Mechanism&, const Watch& watch = {});

}  // namespace beadwave::mechanism

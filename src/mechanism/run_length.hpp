// How long a run takes at the least: known before it starts from its samples and loads, and during
// it from the lengths of its steps.
#pragma once

#include "mechanism/mechanism.hpp"

#include <cstdint>

namespace beadwave::mechanism {

/// Lower bound of the wall time of a run [s]: one step for every sample and for every period of a
/// force or torque.
double least_wall_time(const Mechanism&);

/// Ends a run whose steps stay so short that it would take longer than anyone waits: a force that
/// changes 1e20 times faster than the bodies move needs as many steps, each of which succeeds.
class RunLength {
  public:
    /// `end` of the run [s]; `any`: however long it takes.
    RunLength(double end, bool any) : end_(end), any_(any) {}

    /// Called after every step, with its end [s] and the largest speed so far [m/s]. Throws
    /// std::runtime_error if that is beyond the speed of light: a number is far too large. Every
    /// ten thousand steps, it also throws that if the rest of the run, in steps as long as these,
    /// takes longer than longest_unasked_run (base/long_run.hpp).
    void step_ends(double time, double fastest);

  private:
    double end_;
    bool any_;
    double first_ = -1.0;  ///< end of the first of the steps that are looked at [s]
    std::int64_t steps_ = 0;
};

}  // namespace beadwave::mechanism

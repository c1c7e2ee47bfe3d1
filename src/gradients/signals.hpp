// Forces over time and motions as inputs: amplitudes and frequencies of sines, samples of tables.
//
// Between its rows a force is linear and a motion is a cubic spline, so both are linear in their
// samples, and the slope by a sample is a difference of two signals without error but of rounding.
// A spline with rows that rest is another curve as soon as one of these moves: it has no slope.
#pragma once

#include "gradients/motion_numbers.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace beadwave::gradients {

inline constexpr std::array<std::string_view, 6> signal_inputs{"load.amplitude",  "load.frequency",
                                                               "load.samples",    "drive.amplitude",
                                                               "drive.frequency", "drive.samples"};

// As in carried_inputs.hpp.
std::vector<double> signal_values(const MotionNumbers& numbers, std::string_view name);
void set_signals(MotionNumbers& numbers, std::string_view name, const std::vector<double>& values);
std::vector<double> signal_gradient(const MotionNumbers& numbers, std::string_view name,
                                    const MotionNumbers& bars, double time_step);

}  // namespace beadwave::gradients

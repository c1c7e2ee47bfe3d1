// The numbers of what beads carry, of drives and of forces over time as inputs, each with one
// number per spring, mass, bond or pair force of the chain, in their order:
//
//     foundation.stiffness, .cubic, .damping     also of an absorbing end
//     resonator.mass, .stiffness, .cubic, .damping
//     bond.stiffness, .damping, .stretch
//     pair_force.force
//     load.amplitude, load.frequency             of sines
//     load.samples                               of tables, row by row
//     drive.amplitude, drive.frequency           of the left wall, of driven beads, of the right
//     wall drive.samples                              likewise
#pragma once

#include "gradients/motion_numbers.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::gradients {

/// The names of the inputs that these numbers have.
std::vector<std::string> carried_inputs(const MotionNumbers& numbers);
bool is_carried_input(std::string_view name);
std::string_view unit_of_carried(std::string_view name);

/// All numbers of an input.
std::vector<double> carried_values(const MotionNumbers& numbers, std::string_view name);
/// Replaces them, without the weights of masses as loads. Throws InputError for numbers that a
/// signal cannot have.
void set_carried(MotionNumbers& numbers, std::string_view name, const std::vector<double>& values);
/// The derivatives by them, from `bars`. time_step [s]. Throws running::RunError for samples of a
/// motion that rests.
std::vector<double> carried_gradient(const MotionNumbers& numbers, std::string_view name,
                                     const MotionNumbers& bars, double time_step);

}  // namespace beadwave::gradients

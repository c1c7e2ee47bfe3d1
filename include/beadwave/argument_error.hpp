// The error of numbers that physics cannot be done with. Whoever knows where they come from, a file
// or an array, says so beside it.
#pragma once

#include <stdexcept>

namespace beadwave {

/// What a function was given is wrong: "mass[3] = -1: expected a finite number above 0, in kg".
struct ArgumentError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

}  // namespace beadwave

// The error of arguments with wrong values. The caller, which knows the file or the array they come
// from, can add that to the message.
#pragma once

#include <stdexcept>

namespace beadwave {

/// An argument is wrong: "mass[3] = -1: expected a finite number above 0, in kg".
struct ArgumentError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

}  // namespace beadwave

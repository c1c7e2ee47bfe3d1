// A mechanism as it stands at the start: what shows only once its bodies are in place.
#pragma once

#include "mechanism/mechanism.hpp"

#include <string>
#include <vector>

namespace beadwave::mechanism {

/// Throws PartError if the mechanism cannot start: joints or motors that contradict each other, a
/// clearance that rounding hides, bodies that overlap under the law "impulse". Returns warnings:
/// contacts whose impact began before the start, so that the impact speed of their law is a guess.
/// The mechanism has passed check().
std::vector<std::string> check_start(const Mechanism&);

}  // namespace beadwave::mechanism

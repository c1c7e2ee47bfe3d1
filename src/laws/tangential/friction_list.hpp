// What friction offers, for lists and pages: its laws, and the numbers that act beside them.
#pragma once

#include <span>

namespace beadwave::laws {

struct FrictionEntry {
    const char* name;      ///< of the law, or of the key
    const char* systems;   ///< where it is offered
    const char* equation;  ///< with what its symbols mean
    const char* source;
};

/// The values of `friction.law`.
std::span<const FrictionEntry> friction_laws();

/// Keys of the tables of friction: coefficients over the slip speed, and tangential dashpots.
std::span<const FrictionEntry> friction_numbers();

}  // namespace beadwave::laws

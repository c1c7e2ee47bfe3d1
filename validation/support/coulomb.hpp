// Coulomb friction of contacts under the law "impulse", for tests of mechanisms.
#pragma once

#include "mechanism/mechanism.hpp"

namespace beadwave::validation {

inline constexpr double g = 9.81;  ///< [m/s^2]

inline mechanism::Friction coulomb(double coefficient) {
    return {.law = mechanism::Friction::Law::coulomb, .coefficient = coefficient};
}

}  // namespace beadwave::validation

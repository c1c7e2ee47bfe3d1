// The impact of a mechanism in which its bodies overlap most.
#pragma once

#include "mechanism/mechanism.hpp"
#include "mechanism/result.hpp"

#include <optional>
#include <string>

namespace beadwave::mechanism {

/// Beyond this overlap over the radius a run warns, as one of a packing does: Hertz replaces a
/// circle by a parabola, which at the rim of the contact is then wrong by some per cent.
inline constexpr double large_depth = 0.1;

/// The warning about the impact whose overlap is the largest part of the smaller radius of its two
/// outlines: of a journal that of its pin. None where it is smaller than large_depth, and for
/// contacts without a radius, such as those of lines, and the law "impulse".
std::optional<std::string> deep_impact(const Mechanism&, const Result&);

}  // namespace beadwave::mechanism

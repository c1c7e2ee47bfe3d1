// Forces that a law skips: where its first loading jumps, no static overlap carries them.
#pragma once

#include "beadwave/laws/any_law.hpp"

#include <optional>

namespace beadwave::laws {

struct ForceJump {
    double overlap;       ///< where the force jumps [m]
    double below, above;  ///< the force on either side [N]
};

/// The jump of first loading over `force` [N] > 0; none if some overlap carries that force, or if
/// it is never reached below 1 m.
std::optional<ForceJump> jump_over(const AnyLaw& law, double force);

}  // namespace beadwave::laws

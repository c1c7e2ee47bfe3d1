// The choice of the time step of a chain.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/stepping/time_step.hpp"

namespace beadwave::dynamics {

/// Steps of an automatic time step in the shortest contact.
inline constexpr double steps_per_contact = 1250.0;

/// Chooses the step from the shortest contact: the shortest of all kinds of contact when they
/// collide at the largest speed that the initial motion, driven ends, gaps under gravity and stored
/// energy can produce, or, for contacts that start compressed, half a period of their small
/// vibration. Throws stepping::StepError for a step that cannot be stable or does not resolve a
/// driven end, or that cannot be chosen because nothing moves.
stepping::TimeStep choose_time_step(const chain::Chain& chain,
                                    const stepping::StepRequest& request);

}  // namespace beadwave::dynamics

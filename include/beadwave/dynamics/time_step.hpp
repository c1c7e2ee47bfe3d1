// The time step: chosen from the shortest contact the scenario can produce, or checked against it.
#pragma once

#include "beadwave/chain/chain.hpp"

#include <cstdint>
#include <optional>

namespace beadwave::dynamics {

/// Steps that an automatic time step gives the shortest contact.
inline constexpr double steps_per_contact = 1250.0;

/// Steps that an automatic time step gives the shortest time m/c in which damping stops a bead.
inline constexpr double steps_per_damping_time = 20.0;

/// Steps that an automatic time step gives a period of a driven end, and the fewest that a given
/// one may.
inline constexpr double steps_per_period = 200.0;
inline constexpr double fewest_steps_per_period = 20.0;

/// Fewer steps than this in a contact are reported: the results are rough.
inline constexpr double few_steps_per_contact = 50.0;

struct TimeStep {
    double step;              ///< [s]
    std::int64_t count;       ///< steps to the end of the run
    double shortest_contact;  ///< [s]; 0 if nothing ever touches
    double largest_speed;     ///< upper estimate of an approach speed [m/s]
};

/// The shortest contact: the stiffest pair of bodies colliding at the largest speed that the
/// initial motion, driven ends, gaps under gravity and stored energy can produce, or, for contacts
/// that start compressed, half a period of their small vibration. Throws InputError for a step that
/// cannot be stable or does not resolve a driven end, or that cannot be chosen because nothing
/// moves.
TimeStep choose_time_step(const chain::Scenario& scenario, const chain::Chain& chain);

}  // namespace beadwave::dynamics

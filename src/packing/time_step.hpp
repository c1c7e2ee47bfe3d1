// The time step of a packing: chosen from its stiffest contact, or checked against it. What a run
// then meets is watched (PackingEngine::rates).
#pragma once

#include "beadwave/dynamics/time_step.hpp"
#include "packing/packing.hpp"

#include <cstdint>
#include <vector>

namespace beadwave::packing {

/// Steps that an automatic time step gives the shortest contact, or half a period of the fastest
/// sliding or rolling vibration: a fifth of what chains get, for errors near 1e-5 at a fifth of the
/// cost.
inline constexpr double steps_per_contact = 250.0;

/// The shortest of: a collision at the largest speed that the motion at the start, moving walls,
/// falling under gravity and what compressed contacts store can give, of the smallest and the
/// largest particle of each species with each other and with the walls; for each the vibration of
/// its tangential and rolling springs, whose inertia is 2/7 of the mass for a solid sphere; and
/// half a period of the small vibration of each particle among the contacts that are compressed at
/// the start. Damping and driven walls as for chains. TimeStep::count and ::given as there.
///
/// Throws dynamics::StepError for a step that cannot be stable or does not resolve a driven wall,
/// or that cannot be chosen because nothing moves.
dynamics::TimeStep choose_time_step(const Packing& packing, const dynamics::StepRequest& request);

struct PossibleContact {
    std::uint32_t first, second;  ///< two particles, or one and Packing::particles() + a wall
    double mass;                  ///< effective [kg]
};

/// Of the smallest and the largest particle of each species, with each other and with the walls.
std::vector<PossibleContact> possible_contacts(const Packing& packing);

}  // namespace beadwave::packing

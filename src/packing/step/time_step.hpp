// The time step of a packing: chosen from its stiffest contact, or checked against it. The run then
// watches PackingEngine::stability_limits.
#pragma once

#include "beadwave/stepping/time_step.hpp"
#include "packing/packing.hpp"
#include "packing/step/step_accuracy.hpp"

#include <cstdint>
#include <vector>

namespace beadwave::ranks {
class Communicator;
}

namespace beadwave::packing {

/// The angle by which an ellipsoid turns in an automatic time step [rad]. Free rotation is then
/// wrong by about 1e-5 of the angle turned (shapes/rigid_motion.hpp). A given step may turn it by
/// the second one: 2e-2.
inline constexpr double radians_per_step = 0.01, most_radians_per_step = 0.5;

/// The shortest of:
/// - a collision at the largest possible speed, of the smallest and the largest particle of each
///   species with each other and with the walls. The speed comes from the motion at the start,
///   moving walls, falling under gravity, and the energy in compressed contacts;
/// - for each of these the vibration of its tangential and rolling springs, whose inertia is 2/7 of
///   the mass for a solid sphere;
/// - half a period of the small vibration of each particle among its contacts that are compressed
/// at
///   the start.
/// The collisions of ellipsoids are those of the places of their surfaces where impacts are
/// shortest (shaped_step.hpp), and their free rotation is resolved.
///
/// How many steps each of these takes depends on StepRequest::resolution: step_accuracy.hpp.
/// Damping and driven walls count as for chains, and so do TimeStep::count and ::given.
///
/// Throws stepping::StepError if the step cannot be stable, does not resolve a driven wall, or
/// cannot be chosen because nothing moves. Throws ArgumentError, which names both, if two particles
/// overlap at the start by the radius of the smaller one.
///
/// `ranks` share the search for compressed contacts of spheres, and all get the step, or the error,
/// of one process; null: one process.
stepping::TimeStep choose_time_step(const Packing& packing, const stepping::StepRequest& request,
                                    ranks::Communicator* ranks = nullptr);

struct PossibleContact {
    std::uint32_t first, second;  ///< two particles, or a particle and Packing::particles() + wall
    double mass;                  ///< effective [kg]
};

/// Contacts of the smallest and the largest particle of each species, with each other and with the
/// walls.
std::vector<PossibleContact> possible_contacts(const Packing& packing);

}  // namespace beadwave::packing

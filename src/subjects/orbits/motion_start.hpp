// Where and how motions start that are followed for a long time: exponents, sections, basins.
#pragma once

#include "subjects/orbits/prepared.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace beadwave::tasks {

/// Steps of one period: those of `time.step`, if it is given; otherwise 120 in the shortest
/// contact, a tenth of those of a run, whose error is 1e-3.
std::int64_t motion_steps(const jobs::ChainJob& job, double period);

/// The scenario's own start, or that of a guess.
orbits::State motion_start(const OrbitRequest& request, const Prepared& prepared,
                           std::int64_t steps);

/// Throws InputError if an option is given that says where the search of an orbit begins, and what
/// it is. `option`: "--lyapunov".
void refuse_orbit_options(const OrbitRequest& request, const std::string& option);

/// Throws InputError if an option of --basins or --poincare is given.
void refuse_motion_options(const OrbitRequest& request);

/// The freedom of a bead. Throws InputError "<name>: <option> <bead>: ..." if there is no such
/// bead, or if it is held.
std::size_t freedom_of(const Prepared& prepared, const std::string& name, const char* option,
                       std::uint64_t bead);

/// A bead that can move, in the middle of the chain.
std::uint64_t middle_bead(const Prepared& prepared);

}  // namespace beadwave::tasks

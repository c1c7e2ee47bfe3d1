// The scenario of a run that starts at an orbit, beside the orbit's file.
#pragma once

#include "io/files/output_path.hpp"
#include "subjects/chain/chain_job.hpp"
#include "subjects/orbits/orbits.hpp"

namespace beadwave::tasks {

/// Throws InputError unless it can be written: -o, its path in UTF-8, a scenario that is a file.
void check_orbit_scenario(const OrbitRequest& request);

/// Throws InputError if the scenario names files that one in another folder would not find.
void check_orbit_scenario(const OrbitRequest& request, const jobs::ChainJob& job);

/// Writes the scenario `request.run_scenario`: that of the orbit with the drives' frequencies of
/// the orbit, the impact speed of its law, its file as initial state, and its steps. Throws
/// InputError, std::runtime_error.
void write_orbit_scenario(const OrbitResult& result, const OrbitRequest& request);

}  // namespace beadwave::tasks

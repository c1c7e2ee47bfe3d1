// --switch N: the branch that leaves another one at its bifurcation number N.
#pragma once

#include "orbits/branch.hpp"
#include "subjects/orbits/orbits.hpp"

namespace beadwave::tasks {

/// Replaces the branch of the result by that which leaves it at `request.switch_at`. `before`: the
/// problem of the branch; `along`: how it was followed. Throws InputError.
void switch_branch(BranchResult& result, const orbits::Problem& before, double least,
                   const orbits::BranchRequest& along, const OrbitRequest& request);

}  // namespace beadwave::tasks

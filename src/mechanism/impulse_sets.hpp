// One set of impulses of contacts that strike together, with or without friction.
#pragma once

#include "mechanism/coulomb_forces.hpp"

#include <optional>
#include <vector>

namespace beadwave::mechanism {

/// Impulses after which no contact separates slower than zero, from the speeds of the problem;
/// `given_normal` is part of the normal ones. Throws std::runtime_error if there are none.
CoulombForces impulses_of(const CoulombProblem&);

/// As impulses_of(), but where a work is above zero the normal impulse gives it back [J]: half the
/// impulse times the sum of the separation speeds before and after it. Without friction they are
/// unique, the minimum of a convex function. Empty if none are found: friction can wedge bodies so
/// that no impulses part them.
std::optional<CoulombForces> impulses_of_work(const CoulombProblem&,
                                              const std::vector<double>& work);

}  // namespace beadwave::mechanism

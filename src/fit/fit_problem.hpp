// The free parameters of a fit and the scenario that they belong to, under one law.
#pragma once

#include "fit/fit.hpp"
#include "fit/forward_model.hpp"

#include <string>

namespace beadwave::fit {

/// The time step is one that is small enough at the start and at the corners of the bounds. Throws
/// InputError for bounds that the scenario does not allow, running::RunError.
FitProblem make_fit_problem(const FitInput& input, const std::string& law);

/// The scenario with the best values, as TOML text.
std::string scenario_with(const FitInput& input, const std::string& law,
                          const std::vector<Estimate>& estimates);

}  // namespace beadwave::fit

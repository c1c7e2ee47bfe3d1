// What a fit lets move, under one law.
#pragma once

#include "fit/fit.hpp"
#include "fit/motion.hpp"

#include <string>

namespace beadwave::fit {

/// With a time step that start and corners of the bounds agree to. Throws InputError for bounds
/// that the scenario does not take, running::RunError.
Subject subject_of(const Task& task, const std::string& law);

/// The scenario with the best values, as TOML.
std::string scenario_with(const Task& task, const std::string& law,
                          const std::vector<Estimate>& estimates);

}  // namespace beadwave::fit

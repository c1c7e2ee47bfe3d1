// The gradient of a sum of objectives of one run of a packing with respect to any number of inputs,
// by one run and one reverse sweep, and its comparison with differences of runs.
#pragma once

#include "beadwave/stepping/time_step.hpp"
#include "gradients/gradient.hpp"
#include "gradients/measure.hpp"
#include "packing/packing.hpp"
#include "packing_gradients/inputs.hpp"

#include <string>
#include <vector>

namespace beadwave::packing_gradients {

/// Throws InputError, one sentence that starts with `name`, for what has no gradient: other
/// shapes, bonds, masses inside particles, adhesion and what else docs/GRADIENTS.md lists.
void check_packing(const packing::Packing& packing, const std::string& name);

/// `check`: also compares with central differences of runs. Throws InputError for what has no
/// gradient; running::RunError where a run fails or a law has no derivative by an input.
gradients::Gradient gradient_of(const packing::Packing& packing, const stepping::TimeStep& step,
                                const gradients::Measure& measure, const std::vector<Input>& inputs,
                                const std::string& name, bool check,
                                const gradients::Stop& stop = {},
                                const gradients::SweepCost& cost = {});

}  // namespace beadwave::packing_gradients

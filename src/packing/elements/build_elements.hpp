// What the particles of a packing carry, from a scenario.
#pragma once

#include "packing/build/scenario.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::packing {

/// Adds the elements of the scenario to a packing whose particles are complete; `group_begin`: the
/// first particle of each group, and the number of all. Throws InputError for a particle that the
/// packing does not have, and for what elements do not go with.
void add_elements(const Scenario& scenario, const std::vector<std::size_t>& group_begin,
                  Packing& packing);

/// Adds the bonds of the scenario, as add_elements() adds its elements.
void add_bonds(const Scenario& scenario, const std::vector<std::size_t>& group_begin,
               Packing& packing);

}  // namespace beadwave::packing

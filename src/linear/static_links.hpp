// The closed contacts of a packing where its particles are.
#pragma once

#include "linear/packing_operator.hpp"

namespace beadwave::linear {

/// Links between all particles, numbered as in the packing; fixed ones too. Throws InputError that
/// starts with `name` if a law jumps at its load.
std::vector<Link> static_links(const packing::Packing& packing, const std::string& name,
                               std::vector<std::string>& warnings);

/// The net forces of contacts and gravity on all particles [N]; of fixed ones 0.
std::vector<Vec3> net_forces(const packing::Packing& packing, const std::vector<Link>& links);

/// The largest force of a link [N].
double largest_force(const std::vector<Link>& links);

/// Moves the particles into their static equilibrium, without friction. Returns the largest
/// displacement [m]. Throws InputError that starts with `name`.
double relax(packing::Packing& packing, const std::string& name);

}  // namespace beadwave::linear

// Python functions as external forces.
#pragma once

#include "beadwave/stepping/external_force.hpp"
#include "packing/packing.hpp"

#include <pybind11/pybind11.h>

#include <cstddef>
#include <vector>

namespace beadwave::python {

/// `function` is weakly referenced, so that a chain and a function that uses it can be collected
/// together; its owner must live as long as the force acts. It is called as function(time,
/// displacement, velocity) with the interpreter lock held, and returns an array with one force per
/// body.
stepping::ExternalForce<double> chain_force(const std::vector<std::size_t>& beads,
                                            const pybind11::object& function);
stepping::ExternalForce<packing::Vec3> packing_force(const std::vector<std::size_t>& particles,
                                                     const pybind11::object& function);

}  // namespace beadwave::python

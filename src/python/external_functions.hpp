// Python functions as external forces.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <span>

namespace beadwave::python {

/// A weak reference that any thread may release, so that a system and a function that uses it can
/// be collected together; the function's owner must live as long as the force acts.
using ExternalFunction = std::shared_ptr<const pybind11::weakref>;
ExternalFunction weakly(const pybind11::object& function);

/// Calls function(time, displacement, velocity) with the interpreter lock held, which returns an
/// array with `width` numbers per body; 1: an array with one axis.
void call(const ExternalFunction& function, double time, std::span<const double> displacement,
          std::span<const double> velocity, std::span<double> force, pybind11::ssize_t width);

}  // namespace beadwave::python

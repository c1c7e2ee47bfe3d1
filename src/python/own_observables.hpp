// Python functions as observables of a run.
#pragma once

#include "jobs/own_observables.hpp"

#include <pybind11/pybind11.h>

#include <string>
#include <tuple>
#include <vector>

namespace beadwave::python {

/// name, unit, meaning, "energy" or "snapshots", shape, function(moment) that returns an array of
/// this shape. The functions must live as long as the run.
using Observed = std::tuple<std::string, std::string, std::string, std::string,
                            std::vector<std::size_t>, pybind11::object>;

std::vector<jobs::OwnObservable> own_observables(const std::vector<Observed>& observed);

void bind_own_observables(pybind11::module_& module);

}  // namespace beadwave::python

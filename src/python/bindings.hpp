// The parts of the Python module; each adds functions and classes.
#pragma once

#include <pybind11/pybind11.h>

namespace beadwave::python {

void bind_runs(pybind11::module_& module);      ///< scenarios, runs, resume
void bind_tasks(pybind11::module_& module);     ///< sweep, compare, fit, collide, laws, watch
void bind_modes(pybind11::module_& module);     ///< modes, bands, transfer functions
void bind_exports(pybind11::module_& module);   ///< files of other programs, cite
void bind_chains(pybind11::module_& module);    ///< chains from arrays, laws from functions
void bind_steppers(pybind11::module_& module);  ///< chains and packings that run a number of steps

}  // namespace beadwave::python

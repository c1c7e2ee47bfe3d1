// The parts of the Python module; each adds functions and classes.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

namespace beadwave::python {

void bind_runs(pybind11::module_& module);         ///< scenarios, runs, resume
void bind_tasks(pybind11::module_& module);        ///< sweep, compare, collide, laws, watch
void bind_exports(pybind11::module_& module);      ///< files of other programs, cite
void bind_shared_jobs(pybind11::module_& module);  ///< runs on several processes
void bind_steppers(pybind11::module_& module);     ///< systems that run a number of steps

/// The part of a subject, which registers it before the module is made.
using Bind = void(pybind11::module_& module);
struct RegisterBinding {
    explicit RegisterBinding(Bind* bind) { all().push_back(bind); }
    static std::vector<Bind*>& all() {
        static std::vector<Bind*> bindings;
        return bindings;
    }
};

}  // namespace beadwave::python

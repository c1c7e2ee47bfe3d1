// The Python module beadwave._beadwave. Users import the package beadwave, which wraps it.
#include "python/bindings.hpp"
#include "python/progress_callback.hpp"

namespace py = pybind11;

PYBIND11_MODULE(_beadwave, module) {
    module.doc() = "The library for the package beadwave; use the package.";
    module.attr("version") = BEADWAVE_VERSION;
    // The folders that may hold the package of figures, relative to this module or in the sources.
    module.attr("report_folders") =
        py::make_tuple("report", BEADWAVE_REPORT_FROM_MODULE, BEADWAVE_SOURCES "/report");
    py::register_exception<beadwave::InputError>(module, "InputError", PyExc_ValueError)
        .attr("__doc__") =
        "Wrong input: the message says in one sentence where, what was found, what is allowed.";
    py::register_exception<beadwave::running::RunError>(module, "RunError", PyExc_RuntimeError)
        .attr("__doc__") =
        "A run, or the writing of a file, has failed: the message says why in one sentence.";
    beadwave::python::bind_runs(module);
    beadwave::python::bind_tasks(module);
    beadwave::python::bind_exports(module);
    beadwave::python::bind_shared_jobs(module);
    beadwave::python::bind_steppers(module);
    for (beadwave::python::Bind* const bind : beadwave::python::RegisterBinding::all())
        bind(module);
}

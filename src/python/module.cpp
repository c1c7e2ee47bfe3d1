// The Python module beadwave._beadwave; the package beside it is what people see.
#include "python/bindings.hpp"
#include "python/watcher.hpp"

namespace py = pybind11;

PYBIND11_MODULE(_beadwave, module) {
    module.doc() = "The library as the package beadwave sees it; use the package.";
    module.attr("version") = BEADWAVE_VERSION;
    // Where the package of figures is, from this module's folder, or in the sources.
    module.attr("report_folders") =
        py::make_tuple("report", BEADWAVE_REPORT_FROM_MODULE, BEADWAVE_SOURCES "/report");
    py::register_exception<beadwave::InputError>(module, "InputError", PyExc_ValueError);
    py::register_exception<beadwave::running::RunError>(module, "RunError", PyExc_RuntimeError);
    beadwave::python::bind_runs(module);
    beadwave::python::bind_tasks(module);
    beadwave::python::bind_chains(module);
    beadwave::python::bind_steppers(module);
}

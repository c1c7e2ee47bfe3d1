// The members that the steppers of all kinds of systems have in Python.
#pragma once

#include "io/checkpoint/state_file.hpp"
#include "jobs/job.hpp"
#include "python/arrays.hpp"
#include "python/progress_callback.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <memory>

namespace beadwave::python {

[[noreturn]] inline void refuse_to_step() {
    throw InputError("run: only chains and packings run a number of steps");
}

template <class Kind>
std::shared_ptr<Kind> job_of(const std::shared_ptr<jobs::Job>& job) {
    auto kind = std::dynamic_pointer_cast<Kind>(job);
    if (!kind) refuse_to_step();
    return kind;
}

/// A stepper of the job in the saved state; none if the job is of another kind.
template <class Stepper, class Kind>
py::object restored_stepper(const std::shared_ptr<jobs::Job>& job, const io::SystemState& state) {
    const auto kind = std::dynamic_pointer_cast<Kind>(job);
    if (!kind) return py::none();
    auto stepper = std::make_shared<Stepper>(kind, 0);
    unlocked([&] { stepper->restore(state); });
    return py::cast(stepper);
}

/// An array and its unit.
template <class Stepper>
py::tuple recorded_by(Stepper& stepper, const std::string& name) {
    const auto found = stepper.recorded(name);
    const std::vector<py::ssize_t> shape(found.shape.begin(), found.shape.end());
    py::array array = found.whole
                          ? py::array(py::array_t<std::int64_t>(shape, found.integers.data()))
                          : py::array(py::array_t<double>(shape, found.numbers.data()));
    return py::make_tuple(array, found.unit);
}

template <class Stepper>
py::class_<Stepper, std::shared_ptr<Stepper>> bind_stepper(py::module_& module, const char* name) {
    py::class_<Stepper, std::shared_ptr<Stepper>> type(module, name);
    type.def("run", &Stepper::run)
        .def_property_readonly("timestep", &Stepper::timestep)
        .def_property_readonly("time", &Stepper::time)
        .def("energy", &Stepper::energy)
        .def_property_readonly("recorded_names", &Stepper::recorded_names)
        .def_property_readonly("recorded_warnings", &Stepper::recorded_warnings)
        .def("recorded", recorded_by<Stepper>)
        .def("save_recorded", &Stepper::save_recorded)
        .def("add_force", &Stepper::add_force)
        .def("remove_force", &Stepper::remove_force)
        .def("copy", &Stepper::copy)
        .def("save", [](Stepper& stepper, const std::filesystem::path& file, bool overwrite) {
            const io::SystemState state = stepper.saved();
            unlocked([&] { io::write_state({file, overwrite}, state); });
        });
    return type;
}

}  // namespace beadwave::python

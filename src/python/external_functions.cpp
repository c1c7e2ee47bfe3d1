#include "python/external_functions.hpp"

#include <pybind11/numpy.h>

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>

namespace beadwave::python {

namespace py = pybind11;

ExternalFunction weakly(const py::object& function) {
    return {new py::weakref(function), [](const py::weakref* reference) {
                const py::gil_scoped_acquire lock;
                delete reference;
            }};
}

void call(const ExternalFunction& reference, double time, std::span<const double> displacement,
          std::span<const double> velocity, std::span<double> force, py::ssize_t width) {
    const py::gil_scoped_acquire lock;
    const py::object function = (*reference)();
    if (function.is_none()) throw std::logic_error("an external force has lost its function");
    std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(force.size()) / width};
    if (width > 1) shape.push_back(width);
    const auto array = [&](std::span<const double> numbers) {
        return py::array_t<double>(shape, numbers.data());
    };
    const auto returned = py::array_t<double, py::array::c_style | py::array::forcecast>(
        function(time, array(displacement), array(velocity)));
    if (returned.size() != static_cast<py::ssize_t>(force.size()))
        throw std::logic_error("an external force has another size");
    std::copy_n(returned.data(), force.size(), force.begin());
}

}  // namespace beadwave::python

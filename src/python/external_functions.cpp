#include "python/external_functions.hpp"

#include <pybind11/numpy.h>

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>

namespace beadwave::python {
namespace {

namespace py = pybind11;

/// A weak reference that any thread may release.
using Function = std::shared_ptr<const py::weakref>;

Function weakly(const py::object& function) {
    return {new py::weakref(function), [](const py::weakref* reference) {
                const py::gil_scoped_acquire lock;
                delete reference;
            }};
}

/// `width` numbers per body; 1: an array with one axis.
void call(const Function& reference, double time, std::span<const double> displacement,
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

static_assert(sizeof(packing::Vec3) == 3 * sizeof(double));

std::span<const double> numbers_of(std::span<const packing::Vec3> vectors) {
    return {reinterpret_cast<const double*>(vectors.data()), 3 * vectors.size()};
}

}  // namespace

stepping::ExternalForce<double> chain_force(const std::vector<std::size_t>& beads,
                                            const py::object& function) {
    return {beads, [reference = weakly(function)](double time, auto displacement, auto velocity,
                                                  std::span<double> force) {
                call(reference, time, displacement, velocity, force, 1);
            }};
}

stepping::ExternalForce<packing::Vec3> packing_force(const std::vector<std::size_t>& particles,
                                                     const py::object& function) {
    return {particles, [reference = weakly(function)](double time, auto displacement, auto velocity,
                                                      std::span<packing::Vec3> force) {
                call(reference, time, numbers_of(displacement), numbers_of(velocity),
                     {reinterpret_cast<double*>(force.data()), 3 * force.size()}, 3);
            }};
}

}  // namespace beadwave::python

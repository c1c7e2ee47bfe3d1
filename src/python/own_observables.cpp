#include "python/own_observables.hpp"

#include "beadwave/input_error.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>

namespace beadwave::python {

namespace py = pybind11;

namespace {

/// The present numbers of a channel, as a copy.
py::array_t<double> channel_of(const jobs::Moment& moment, const std::string& name) {
    if (!moment.live)
        throw InputError("a sample can be read only in the call of the function that gets it");
    const recording::Channel* const channel = moment.find(name);
    if (channel == nullptr) throw py::key_error(name);
    py::array_t<double> numbers(
        std::vector<py::ssize_t>(channel->shape.begin(), channel->shape.end()));
    channel->fill(0, {numbers.mutable_data(), static_cast<std::size_t>(numbers.size())});
    return numbers;
}

/// Calls a function of a moment with the interpreter lock held.
void call_observable(PyObject* function, const std::shared_ptr<jobs::Moment>& moment,
                     std::span<double> out) {
    const py::gil_scoped_acquire lock;
    const auto numbers = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(
        py::reinterpret_borrow<py::object>(function)(moment));
    if (!numbers || static_cast<std::size_t>(numbers.size()) != out.size())
        throw InputError("observe: the function returned another number of values than `shape`");
    std::copy_n(numbers.data(), out.size(), out.begin());
}

}  // namespace

std::vector<jobs::OwnObservable> own_observables(const std::vector<Observed>& observed) {
    std::vector<jobs::OwnObservable> all;
    for (const auto& [name, unit, meaning, pace, shape, function] : observed) {
        jobs::OwnObservable own{
            .name = name,
            .unit = unit,
            .meaning = meaning,
            .pace = pace == "snapshots" ? recording::Pace::snapshots : recording::Pace::energy,
            .shape = shape};
        // Borrowed: the caller keeps the function, and copies need no interpreter lock.
        own.value = [f = function.ptr()](const std::shared_ptr<jobs::Moment>& moment,
                                         std::span<double> out) {
            call_observable(f, moment, out);
        };
        all.push_back(std::move(own));
    }
    return all;
}

void bind_own_observables(py::module_& module) {
    py::class_<jobs::Moment, std::shared_ptr<jobs::Moment>>(module, "Moment")
        .def_readonly("step", &jobs::Moment::step)
        .def_readonly("time", &jobs::Moment::time)
        .def_property_readonly("names", &jobs::Moment::names)
        .def("array", channel_of);
}

}  // namespace beadwave::python

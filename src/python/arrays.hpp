// Numbers of the library as NumPy arrays, without copying.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::python {

namespace py = pybind11;

/// The data belongs to `owner`, which lives as long as the array.
template <class Number>
py::array view(const Number* data, const std::vector<py::ssize_t>& shape,
               const std::vector<py::ssize_t>& strides, const py::object& owner,
               bool writable = false) {
    if (data == nullptr) return py::array_t<Number>(shape);  // an empty array
    py::array array(py::dtype::of<Number>(), shape, strides, data, owner);
    if (!writable) array.attr("setflags")(py::arg("write") = false);
    return array;
}

template <class Number>
py::array view(std::span<Number> numbers, const py::object& owner, bool writable = false) {
    return view<std::remove_const_t<Number>>(numbers.data(),
                                             {static_cast<py::ssize_t>(numbers.size())},
                                             {sizeof(Number)}, owner, writable);
}

}  // namespace beadwave::python

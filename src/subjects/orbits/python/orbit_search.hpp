// What the bindings of orbits, branches and long motions share.
#pragma once

#include "python/arrays.hpp"
#include "python/progress_callback.hpp"
#include "subjects/orbits/orbits.hpp"

#include <nlohmann/json.hpp>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::python {

/// Where an orbit is searched for; `near`: displacements and velocities, both empty: none.
struct Where {
    std::string name;
    std::optional<double> frequency;
    std::string guess;
    std::vector<double> displacement, velocity;
    std::uint64_t which;
    std::int64_t steps;
    std::uint64_t periods;  ///< of the drive, after which an orbit repeats

    tasks::OrbitRequest request(ProgressCallback& callback) const {
        tasks::OrbitRequest all{.scenario = name,
                                .frequency = frequency,
                                .guess = guess,
                                .which = which,
                                .steps = steps,
                                .periods = periods,
                                .stop = [&callback] { return callback.stop(); }};
        if (!displacement.empty() || !velocity.empty())
            all.near = orbits::State{displacement, velocity};
        return all;
    }
};

/// A property with an array that belongs to the result.
template <class Result, class Of>
auto orbit_array(const Of& of) {
    return [of](const py::object& self) -> py::object {
        return view(std::span(of(self.cast<const Result&>())), self);
    };
}

template <class Result>
auto orbit_class(py::module_& module, const char* name) {
    return py::class_<Result, std::shared_ptr<Result>>(module, name)
        .def_property_readonly("json", [](const Result& r) { return r.json().dump(); })
        .def_property_readonly("text", &Result::text)
        .def_property_readonly("warnings", [](const Result& r) { return r.warnings; });
}

}  // namespace beadwave::python

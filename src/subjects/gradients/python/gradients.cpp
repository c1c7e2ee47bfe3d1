// Gradients for Python: of objectives, or of a function of the sensors' traces.
#include "subjects/gradients/gradients.hpp"

#include "beadwave/input_error.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/progress_callback.hpp"
#include "subjects/gradients/objective_file.hpp"
#include "subjects/gradients/trace_run.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cmath>
#include <memory>

namespace beadwave::python {
namespace {

using gradients::Channel;
using gradients::Readings;
using tasks::GradientResult;
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// Some of the readings' columns, steps x sensors.
Numbers columns_of(const Readings& readings, std::size_t first, std::size_t count) {
    Numbers array({readings.front().size(), count});
    auto write = array.mutable_unchecked<2>();
    for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t s = 0; s < readings[first + k].size(); ++s)
            write(static_cast<py::ssize_t>(s), static_cast<py::ssize_t>(k)) =
                readings[first + k][s];
    }
    return array;
}

/// A function of Python: (time, force, velocity) to (value, derivatives by force, by velocity),
/// where the derivatives are arrays, or None where there is none. The function outlives the result,
/// which is copied without the interpreter's lock.
gradients::TraceFunction function_of(const py::function& function, std::size_t sensors,
                                     double time_step) {
    return [&function, sensors, time_step](const Readings& readings, Readings* seeds) {
        const py::gil_scoped_acquire lock;
        const std::size_t steps = readings.front().size();
        Numbers time(static_cast<py::ssize_t>(steps));
        for (std::size_t s = 0; s < steps; ++s)
            time.mutable_at(static_cast<py::ssize_t>(s)) = static_cast<double>(s) * time_step;
        const auto result =
            function(time, columns_of(readings, 0, sensors), columns_of(readings, sensors, sensors))
                .cast<py::tuple>();
        const auto value = result[0].cast<double>();
        for (std::size_t part = 0; seeds != nullptr && part < 2; ++part) {
            if (result[part + 1].is_none()) continue;
            const auto by = result[part + 1].cast<Numbers>().unchecked<2>();
            for (std::size_t k = 0; k < sensors; ++k) {
                for (std::size_t s = 0; s < steps; ++s)
                    (*seeds)[part * sensors + k][s] =
                        by(static_cast<py::ssize_t>(s), static_cast<py::ssize_t>(k));
            }
        }
        return value;
    };
}

std::shared_ptr<GradientResult> gradient_of(const jobs::Job& job, const std::string& name,
                                            const tasks::MakeMeasure& measure,
                                            const std::string& inputs, bool check,
                                            std::size_t states) {
    ProgressCallback callback{py::none()};
    const tasks::GradientRequest request{

        .inputs = inputs, .check = check, .states = states, .stop = [&] {
            return callback.stop();
        }};
    auto result = unlocked(callback, [&] {
        return std::make_shared<GradientResult>(tasks::gradient_of(job, name, measure, request));
    });
    callback.rethrow();
    return result;
}

/// Derivatives by force and velocity, steps x sensors, as those by the channels.
Readings seeds_of(const Numbers& force, const Numbers& velocity, const Readings& readings) {
    Readings seeds;
    const std::size_t sensors = readings.size() / 2, steps = readings.front().size();
    for (const Numbers* part : {&force, &velocity}) {
        const auto by = part->unchecked<2>();
        if (static_cast<std::size_t>(by.shape(0)) != steps ||
            static_cast<std::size_t>(by.shape(1)) != sensors)
            throw InputError("derivatives by traces of another shape");
        for (std::size_t k = 0; k < sensors; ++k) {
            std::vector<double>& column = seeds.emplace_back();
            for (std::size_t s = 0; s < steps; ++s)
                column.push_back(by(static_cast<py::ssize_t>(s), static_cast<py::ssize_t>(k)));
        }
    }
    return seeds;
}

py::list arrays_of(const std::vector<std::vector<double>>& all) {
    py::list arrays;
    for (const std::vector<double>& each : all)
        arrays.append(Numbers(static_cast<py::ssize_t>(each.size()), each.data()));
    return arrays;
}

void bind_trace_runs(py::module_& module) {
    using tasks::TraceRun;
    py::class_<TraceRun>(module, "TraceRun")
        .def(py::init([](const jobs::Job& job, const std::string& name,
                         const std::vector<std::size_t>& sensors, const std::string& inputs,
                         const std::vector<std::vector<double>>& values) {
                 ProgressCallback callback{py::none()};
                 auto run = unlocked(callback, [&] {
                     return std::make_unique<TraceRun>(job, name, sensors, inputs, values);
                 });
                 return run;
             }),
             py::keep_alive<1, 2>())
        .def_property_readonly("traces",
                               [](const TraceRun& run) {
                                   const std::size_t sensors = run.readings().size() / 2;
                                   return py::make_tuple(
                                       columns_of(run.readings(), 0, sensors),
                                       columns_of(run.readings(), sensors, sensors));
                               })
        .def("reverse", [](TraceRun& run, const Numbers& force, const Numbers& velocity) {
            const Readings seeds = seeds_of(force, velocity, run.readings());
            return arrays_of(unlocked([&] { return run.reverse(seeds); }));
        });
    module.def("numbers_of_inputs",
               [](const jobs::Job& job, const std::string& name, const std::string& inputs) {
                   return py::make_tuple(job.chosen_step()->count,
                                         arrays_of(tasks::numbers_of(job, name, inputs)));
               });
}

void bind_gradients(py::module_& module) {
    py::class_<GradientResult, std::shared_ptr<GradientResult>>(module, "GradientResult")
        .def_property_readonly("json", [](const GradientResult& r) { return r.json().dump(); })
        .def_property_readonly("text", &GradientResult::text)
        .def_property_readonly("warnings", [](const GradientResult& r) { return r.warnings; })
        .def_property_readonly("value", [](const GradientResult& r) { return r.gradient.value; })
        .def_property_readonly("objectives",
                               [](const GradientResult& r) { return r.gradient.objectives; })
        .def_property_readonly("gradient", [](const py::object& self) {
            const auto& result = self.cast<const GradientResult&>();
            py::dict all;
            for (std::size_t k = 0; k < result.gradient.inputs.size(); ++k) {
                const gradients::DifferentiatedBy& input = result.gradient.inputs[k];
                py::array array = view(std::span(result.gradient.by_input[k]), self);
                if (input.columns > 1)
                    array =
                        array.reshape({py::ssize_t(-1), static_cast<py::ssize_t>(input.columns)});
                all[py::str(input.name)] = array;
            }
            return all;
        });
    bind_trace_runs(module);
    module.def("gradient", [](const jobs::Job& job, const std::string& name,
                              const std::string& objectives, const std::filesystem::path& folder,
                              const std::string& inputs, bool check, std::size_t states) {
        return gradient_of(
            job, name,
            [&](const tasks::Measured& measured) {
                return gradients::Measure(
                    io::read_objectives(io::parse_toml(objectives, "objective"), folder,
                                        measured.of),
                    measured.time_step);
            },
            inputs, check, states);
    });
    module.def("gradient_of_function", [](const jobs::Job& job, const std::string& name,
                                          const std::vector<std::size_t>& sensors,
                                          const py::function& function, const std::string& inputs,
                                          bool check, std::size_t states) {
        return gradient_of(
            job, name,
            [&](const tasks::Measured& measured) {
                if (measured.of.walls) {
                    throw InputError(
                        fmt::format("{}: a function of traces is of a chain's sensors; expected a "
                                    "list of objectives of a packing",
                                    measured.name));
                }
                std::vector<Channel> channels;
                for (const auto kind : {Channel::Kind::sensor_force, Channel::Kind::velocity}) {
                    for (const std::size_t bead : sensors)
                        channels.push_back({kind, bead});
                }
                return gradients::Measure(
                    std::move(channels),
                    function_of(function, sensors.size(), measured.time_step.step),
                    measured.time_step);
            },
            inputs, check, states);
    });
}

const RegisterBinding gradients_for_python(bind_gradients);

}  // namespace
}  // namespace beadwave::python

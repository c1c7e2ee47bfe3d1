// Designs for Python.
#include "subjects/design/designs.hpp"

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/progress_callback.hpp"

#include <nlohmann/json.hpp>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::python {
namespace {

using tasks::DesignResult;
using tasks::Evaluation;
using Table = py::array_t<double>;

/// Reports evaluations; all of them are not steps of a run but the limit of the search.
class DesignProgress : public ProgressCallback {
  public:
    using ProgressCallback::ProgressCallback;
    void begin(std::int64_t, double, std::size_t) override {}
    void of(std::size_t limit) {
        ProgressCallback::begin(static_cast<std::int64_t>(limit), 0.0, 0);
    }
};

std::shared_ptr<DesignResult> design_of(tasks::DesignRequest request, const py::object& progress) {
    DesignProgress callback(progress);
    request.evaluated = [&](const tasks::DesignProgress& now) { callback.of(now.limit); };
    auto result = unlocked(
        callback, [&] { return std::make_shared<DesignResult>(tasks::design(request, callback)); });
    callback.rethrow(result->hdf5.empty() ? ""
                                          : "the same call continues the design from its files");
    return result;
}

/// One row per evaluation; they have numbers each.
template <class Row>
Table rows_of(const DesignResult& result, std::size_t width, const Row& row) {
    Table all({result.evaluations.size(), width});
    double* to = all.mutable_data();
    for (const Evaluation& each : result.evaluations)
        to = std::ranges::copy(row(each), to).out;
    return all;
}

Table evaluation_rows(const DesignResult& result, std::vector<double> Evaluation::*part) {
    return rows_of(
        result, (result.evaluations.front().*part).size(),
        [part](const Evaluation& each) -> const std::vector<double>& { return each.*part; });
}

std::span<const double> numbers_of_variable(const design::Numbers& numbers,
                                            const design::Variable& variable) {
    return std::span(numbers.of(variable.kind)).subspan(variable.first, variable.count());
}

/// A copy, which the result does not share.
Table list_of(std::span<const double> numbers) {
    return Table(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

py::list variables_of(const DesignResult& result) {
    py::list all;
    for (const design::Variable& each : result.tables.variables) {
        py::dict one;
        one["input"] = each.input;
        one["beads"] = py::make_tuple(each.first, each.last);
        one["range"] = py::make_tuple(each.low, each.high);
        one["values"] = list_of(numbers_of_variable(result.best.numbers, each));
        one["start"] = list_of(numbers_of_variable(result.start_numbers, each));
        all.append(one);
    }
    return all;
}

py::dict history_of(const DesignResult& result) {
    py::dict history;
    Table value(static_cast<py::ssize_t>(result.evaluations.size()));
    std::ranges::transform(result.evaluations, value.mutable_data(), &Evaluation::value);
    history["value"] = value;
    const design::Space space(result.tables.variables, result.start_numbers);
    py::list variables;
    for (const design::Variable& variable : result.tables.variables) {
        variables.append(rows_of(result, variable.count(), [&](const Evaluation& each) {
            const design::Numbers numbers = space.at(each.x);
            const std::span<const double> own = numbers_of_variable(numbers, variable);
            return std::vector<double>(own.begin(), own.end());
        }));
    }
    history["variables"] = variables;
    history["unknowns"] = evaluation_rows(result, &Evaluation::x);
    history["gradient"] = evaluation_rows(result, &Evaluation::gradient);
    history["runs"] = evaluation_rows(result, &Evaluation::runs);
    return history;
}

void bind_design(py::module_& module) {
    py::class_<DesignResult, std::shared_ptr<DesignResult>>(module, "DesignResult")
        .def_property_readonly("json", [](const DesignResult& r) { return r.json().dump(); })
        .def_property_readonly("text", &DesignResult::text)
        .def_property_readonly("warnings", [](const DesignResult& r) { return r.warnings; })
        .def_property_readonly("value", [](const DesignResult& r) { return r.best.value; })
        .def_property_readonly("start", [](const DesignResult& r) { return r.start.value; })
        .def_property_readonly("stopped", [](const DesignResult& r) { return r.stopped; })
        .def_property_readonly("scenario", [](const DesignResult& r) { return r.scenario_text; })
        .def_property_readonly("folder", [](const DesignResult& r) { return r.folder; })
        .def_property_readonly("runs", [](const DesignResult& r) { return list_of(r.best.runs); })
        .def_property_readonly("variables", variables_of)
        .def_property_readonly("history", history_of);
    module.def("design",
               [](const std::filesystem::path& name, std::optional<std::string> text,
                  std::optional<std::string> scenario, std::vector<std::string> overrides,
                  const std::filesystem::path& output, bool overwrite, const py::object& progress) {
                   return design_of({.design = name.string(),
                                     .text = std::move(text),
                                     .scenario = std::move(scenario),
                                     .overrides = std::move(overrides),
                                     .output = output.string(),
                                     .overwrite = overwrite},
                                    progress);
               });
}

const RegisterBinding designs_for_python(bind_design);

}  // namespace
}  // namespace beadwave::python

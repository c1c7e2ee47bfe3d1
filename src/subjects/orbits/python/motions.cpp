// Basins of attraction and Poincare sections.
#include "python/bindings.hpp"
#include "subjects/orbits/basins.hpp"
#include "subjects/orbits/python/orbit_search.hpp"
#include "subjects/orbits/sections.hpp"

#include <pybind11/complex.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

namespace beadwave::python {
namespace {

using tasks::BasinsResult;
using tasks::OrbitRequest;
using tasks::SectionsResult;

struct FileOutput {
    std::filesystem::path file;
    bool overwrite;
};

/// Numbers of all starts, one row per value of the second axis.
template <class Number>
auto grid_of(std::vector<Number> BasinsResult::*numbers) {
    return [numbers](const BasinsResult& result) {
        py::array_t<Number> all({result.rows(), result.columns()});
        std::ranges::copy(result.*numbers, all.mutable_data());
        return all;
    };
}

py::list axes_of(const BasinsResult& result) {
    py::list all;
    for (const tasks::BasinAxis& axis : result.axes) {
        py::array_t<double> values(static_cast<py::ssize_t>(axis.count));
        for (std::size_t k = 0; k < axis.count; ++k)
            values.mutable_data()[k] = axis.at(k);
        all.append(py::make_tuple(axis.name, values));
    }
    return all;
}

py::list attractors_of(const BasinsResult& result) {
    py::list all;
    for (const orbits::Attractor& each : result.attractors) {
        py::dict one;
        one["kind"] = each.kind;
        one["period"] = each.cycle;
        one["starts"] = each.count;
        one["amplitude"] = each.amplitude;
        py::list u, v;
        for (const orbits::State& state : each.states) {
            u.append(py::array(py::cast(state.displacement)));
            v.append(py::array(py::cast(state.velocity)));
        }
        one["displacement"] = u;
        one["velocity"] = v;
        one["multipliers"] = each.stability ? py::array(py::cast(each.stability->multipliers))
                                            : py::object(py::none());
        all.append(one);
    }
    return all;
}

std::shared_ptr<BasinsResult> basins(const jobs::Job& job, const Where& where,
                                     const tasks::BasinOptions& options, std::uint64_t periods,
                                     std::optional<std::int64_t> transient,
                                     const FileOutput& output, const py::object& progress) {
    ProgressCallback callback{progress};
    OrbitRequest request = where.request(callback);
    request.basins = options;
    request.periods = periods;
    request.lyapunov.transient = transient;
    request.output = output.file.string();
    request.overwrite = output.overwrite;
    const auto begin = std::chrono::steady_clock::now();
    request.running = [&](std::size_t done) {
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        callback.progress(static_cast<std::int64_t>(done), seconds.count());
    };
    return unlocked(callback,
                    [&] { return std::make_shared<BasinsResult>(tasks::basins_of(job, request)); });
}

std::shared_ptr<SectionsResult> poincare(const jobs::Job& job, const Where& where,
                                         std::optional<std::uint64_t> bead,
                                         std::optional<std::uint64_t> crossing,
                                         const tasks::LyapunovOptions& counts, std::uint64_t points,
                                         const FileOutput& output) {
    ProgressCallback callback{py::none()};
    OrbitRequest request = where.request(callback);
    request.section = {.wanted = true, .bead = bead, .crossing = crossing};
    request.lyapunov = counts;
    request.periods = points;
    request.output = output.file.string();
    request.overwrite = output.overwrite;
    return unlocked(callback, [&] {
        return std::make_shared<SectionsResult>(tasks::sections_of(job, request));
    });
}

auto section_rows(std::vector<double> orbits::Section::*row) {
    return [row](const SectionsResult& result) {
        py::array_t<double> all({result.sections.size(), result.sections.front().time.size()});
        double* to = all.mutable_data();
        for (const orbits::Section& each : result.sections)
            to = std::ranges::copy(each.*row, to).out;
        return all;
    };
}

void bind_motions(py::module_& module) {
    orbit_class<BasinsResult>(module, "BasinsResult")
        .def_property_readonly("axes", axes_of)
        .def_property_readonly("along", [](const BasinsResult& r) { return r.along; })
        .def_property_readonly("frequency", [](const BasinsResult& r) { return r.frequency; })
        .def_property_readonly("attractors", attractors_of)
        .def_property_readonly("attractor", grid_of(&BasinsResult::attractor))
        .def_property_readonly("amplitude", grid_of(&BasinsResult::amplitude))
        .def_property_readonly("periods", grid_of(&BasinsResult::periods));
    orbit_class<SectionsResult>(module, "SectionsResult")
        .def_property_readonly("displacement", section_rows(&orbits::Section::displacement))
        .def_property_readonly("velocity", section_rows(&orbits::Section::velocity))
        .def_property_readonly("time", section_rows(&orbits::Section::time))
        .def_property_readonly("bead", [](const SectionsResult& r) { return r.bead; })
        .def_property_readonly("section", [](const SectionsResult& r) { return r.crossing; })
        .def_property_readonly("frequency", [](const SectionsResult& r) { return r.frequency; });
    py::class_<FileOutput>(module, "FileOutput")
        .def(py::init([](std::filesystem::path file, bool overwrite) {
            return FileOutput{std::move(file), overwrite};
        }));
    module.def("basins", [](const jobs::Job& job, const Where& where, std::vector<std::string> axes,
                            std::string grid, std::optional<std::uint64_t> bead,
                            std::optional<std::uint64_t> mode, int threads, std::uint64_t periods,
                            std::optional<std::int64_t> transient, const FileOutput& output,
                            const py::object& progress) {
        return basins(job, where, {std::move(axes), std::move(grid), bead, mode, threads}, periods,
                      transient, output, progress);
    });
    module.def("poincare", [](const jobs::Job& job, const Where& where,
                              std::optional<std::uint64_t> bead,
                              std::optional<std::uint64_t> crossing, std::uint64_t starts,
                              std::uint64_t points, std::optional<std::int64_t> transient,
                              std::uint64_t seed, const FileOutput& output) {
        return poincare(job, where, bead, crossing,
                        {.starts = starts, .transient = transient, .seed = seed}, points, output);
    });
}

const RegisterBinding motion_binding(bind_motions);

}  // namespace
}  // namespace beadwave::python

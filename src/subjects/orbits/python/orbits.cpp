// Periodic orbits, their branches, and Lyapunov exponents.
#include "subjects/orbits/orbits.hpp"

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "subjects/orbits/branch_file.hpp"
#include "subjects/orbits/python/orbit_search.hpp"

#include <nlohmann/json.hpp>
#include <pybind11/complex.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

namespace beadwave::python {
namespace {

using tasks::BranchResult;
using tasks::LyapunovResult;
using tasks::OrbitRequest;
using tasks::OrbitResult;

/// A table with a row of each point of a branch, or its copy.
py::array_t<double> branch_rows(const BranchResult& result,
                                std::vector<double> orbits::State::*row) {
    const auto points = static_cast<py::ssize_t>(result.branch.points.size());
    const auto width =
        points == 0 ? 0
                    : static_cast<py::ssize_t>((result.branch.points.front().state.*row).size());
    py::array_t<double> all({points, width});
    double* to = all.mutable_data();
    for (const orbits::BranchPoint& point : result.branch.points)
        to = std::ranges::copy(point.state.*row, to).out;
    return all;
}

/// Orbits x samples of the period x beads.
py::array_t<double> branch_motion(const BranchResult& result) {
    py::array_t<double> all({result.samples > 0 ? result.branch.points.size() : 0, result.samples,
                             result.radius.size()});
    std::ranges::copy(result.motion, all.mutable_data());
    return all;
}

/// A list with a number of each point of a branch.
template <class Number, class Of>
auto along_branch(const Of& of) {
    return [of](const BranchResult& result) {
        py::array_t<Number> all(static_cast<py::ssize_t>(result.branch.points.size()));
        Number* to = all.mutable_data();
        for (const orbits::BranchPoint& point : result.branch.points)
            *to++ = of(point);
        return all;
    };
}

py::list instabilities(const OrbitResult& result) {
    py::list all;
    for (const orbits::Instability& each : result.orbit.stability.instabilities)
        all.append(py::make_tuple(each.kind, each.multiplier));
    return all;
}

py::list bifurcations(const BranchResult& result) {
    py::list all;
    for (const orbits::Bifurcation& each : result.branch.bifurcations) {
        py::dict one;
        one["kind"] = each.kind;
        one["value"] = each.value;
        one["frequency"] = each.frequency;
        one["multiplier"] = each.multiplier;
        one["amplitude"] = each.amplitude;
        one["energy"] = each.energy;
        one["after"] = each.after;
        one["displacement"] = py::array(py::cast(each.state.displacement));
        one["velocity"] = py::array(py::cast(each.state.velocity));
        all.append(one);
    }
    return all;
}

/// Not-a-number where an orbit has fewer multipliers than others.
py::array_t<orbits::Complex> branch_multipliers(const BranchResult& result) {
    const std::size_t width = result.most_multipliers();
    py::array_t<orbits::Complex> all({result.branch.points.size(), width});
    orbits::Complex* to = all.mutable_data();
    for (const orbits::BranchPoint& point : result.branch.points) {
        std::fill_n(to, width, orbits::Complex(NAN, NAN));
        std::ranges::copy(point.stability.multipliers, to);
        to += width;
    }
    return all;
}

std::shared_ptr<OrbitResult> orbit(const jobs::Job& job, const Where& where,
                                   std::uint64_t travelling, double accuracy,
                                   const std::filesystem::path& output, bool overwrite) {
    ProgressCallback callback{py::none()};
    OrbitRequest request = where.request(callback);
    request.travelling = travelling;
    request.accuracy = accuracy;
    request.output = output.string();
    request.overwrite = overwrite;
    return unlocked(callback, [&] {
        auto result = std::make_shared<OrbitResult>(tasks::orbit_of(job, request));
        tasks::write_orbit(*result, request);
        result->prepared.reset();  // the result outlives the job
        return result;
    });
}

std::shared_ptr<LyapunovResult> lyapunov(const jobs::Job& job, const Where& where,
                                         std::uint64_t exponents, std::uint64_t starts,
                                         std::uint64_t periods,
                                         std::optional<std::int64_t> transient,
                                         std::uint64_t seed) {
    ProgressCallback callback{py::none()};
    OrbitRequest request = where.request(callback);
    request.lyapunov = {.wanted = true,
                        .exponents = exponents,
                        .starts = starts,
                        .transient = transient,
                        .seed = seed};
    request.periods = periods;
    return unlocked(callback, [&] {
        auto result = std::make_shared<LyapunovResult>(tasks::lyapunov_of(job, request));
        result->request.stop = {};
        return result;
    });
}

/// Where a branch is written, and who hears of its points.
struct BranchOutput {
    std::filesystem::path file;
    bool overwrite;
    py::object progress;
};

/// `scenario`: a job, the name of a file, or the text of a scenario in TOML.
std::shared_ptr<BranchResult> continuation(const py::object& scenario, bool is_text,
                                           const std::vector<std::string>& overrides,
                                           const Where& where, const std::string& range,
                                           std::uint64_t points, std::int64_t switch_at,
                                           const BranchOutput& output) {
    ProgressCallback callback{output.progress};
    OrbitRequest request = where.request(callback);
    request.continuation = range;
    request.most_points = points;
    request.switch_at = switch_at;
    request.output = output.file.string();
    request.overwrite = output.overwrite;
    callback.begin(points > 0 ? static_cast<std::int64_t>(points) : 1000, 0.0, 0);
    const auto begin = std::chrono::steady_clock::now();
    request.reached = [&](const orbits::BranchPoint&, std::size_t count) {
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        callback.show_next();
        callback.progress(static_cast<std::int64_t>(count), seconds.count());
    };
    const auto follow = [&](const auto& of) {
        return unlocked(callback, [&] { return std::make_shared<BranchResult>(of()); });
    };
    if (py::isinstance<jobs::Job>(scenario)) {
        const auto& job = scenario.cast<const jobs::Job&>();
        return follow([&] { return tasks::branch_of(job, request); });
    }
    if (is_text) {
        const auto text = scenario.cast<std::string>();
        return follow([&] {
            return tasks::branch_of(
                jobs::JobFile(text, "scenario", std::filesystem::current_path(), overrides),
                request);
        });
    }
    const auto file = scenario.cast<std::filesystem::path>();
    return follow([&] { return tasks::branch_of(jobs::JobFile(file, overrides), request); });
}

void bind_orbits(py::module_& module) {
    using orbits::BranchPoint;
    using orbits::Orbit;
    const auto number = [](double Orbit::*of) {
        return [of](const OrbitResult& r) { return r.orbit.*of; };
    };
    orbit_class<OrbitResult>(module, "OrbitResult")
        .def_property_readonly(
            "speed",
            [](const OrbitResult& r) { return r.cell > 0 ? std::optional(r.speed) : std::nullopt; })
        .def_property_readonly("periods", [](const OrbitResult& r) { return r.periods; })
        .def_property_readonly("frequency", number(&Orbit::frequency))
        .def_property_readonly("energy", number(&Orbit::energy))
        .def_property_readonly("amplitude", number(&Orbit::amplitude))
        .def_property_readonly("least_overlap", number(&Orbit::least_overlap))
        .def_property_readonly("periodicity_error", number(&Orbit::periodicity_error))
        .def_property_readonly("stable",
                               [](const OrbitResult& r) { return r.orbit.stability.stable(); })
        .def_property_readonly("displacement", orbit_array<OrbitResult>([](const OrbitResult& r) {
                                   return std::span(r.orbit.state.displacement);
                               }))
        .def_property_readonly("velocity", orbit_array<OrbitResult>([](const OrbitResult& r) {
                                   return std::span(r.orbit.state.velocity);
                               }))
        .def_property_readonly("multipliers", orbit_array<OrbitResult>([](const OrbitResult& r) {
                                   return std::span(r.orbit.stability.multipliers);
                               }))
        .def_property_readonly("newton", orbit_array<OrbitResult>([](const OrbitResult& r) {
                                   return std::span(r.orbit.newton);
                               }))
        .def_property_readonly("bead", [](const OrbitResult& r) { return r.bead; })
        .def_property_readonly("instabilities", instabilities);
    orbit_class<LyapunovResult>(module, "LyapunovResult")
        .def_property_readonly("frequency", [](const LyapunovResult& r) { return r.frequency; })
        .def_property_readonly("least_overlap",
                               [](const LyapunovResult& r) { return r.found.least_overlap; })
        .def_property_readonly(
            "exponents", orbit_array<LyapunovResult>(
                             [](const LyapunovResult& r) { return std::span(r.found.exponents); }))
        .def_property_readonly("standard_errors",
                               orbit_array<LyapunovResult>([](const LyapunovResult& r) {
                                   return std::span(r.found.standard_errors);
                               }))
        .def_property_readonly("largest_of_starts",
                               orbit_array<LyapunovResult>([](const LyapunovResult& r) {
                                   return std::span(r.found.largest_of_starts);
                               }));
    orbit_class<BranchResult>(module, "BranchResult")
        .def_property_readonly("value",
                               along_branch<double>([](const BranchPoint& p) { return p.value; }))
        .def_property_readonly(
            "frequency", along_branch<double>([](const BranchPoint& p) { return p.frequency; }))
        .def_property_readonly("energy",
                               along_branch<double>([](const BranchPoint& p) { return p.energy; }))
        .def_property_readonly(
            "amplitude", along_branch<double>([](const BranchPoint& p) { return p.amplitude; }))
        .def_property_readonly(
            "stable", along_branch<bool>([](const BranchPoint& p) { return p.stability.stable(); }))
        .def_property_readonly("least_overlap", along_branch<double>([](const BranchPoint& p) {
                                   return p.least_overlap;
                               }))
        .def_property_readonly(
            "displacement",
            [](const BranchResult& r) { return branch_rows(r, &orbits::State::displacement); })
        .def_property_readonly(
            "velocity",
            [](const BranchResult& r) { return branch_rows(r, &orbits::State::velocity); })
        .def_property_readonly("motion", branch_motion)
        .def_property_readonly("bead", [](const BranchResult& r) { return r.bead; })
        .def_property_readonly("key", [](const BranchResult& r) { return r.key; })
        .def_property_readonly("resumed", [](const BranchResult& r) { return r.resumed; })
        .def_property_readonly("multipliers", branch_multipliers)
        .def_property_readonly("periods", [](const BranchResult& r) { return r.periods; })
        .def_property_readonly("bifurcations", bifurcations)
        .def_property_readonly("ended", [](const BranchResult& r) { return r.branch.ended; });
    py::class_<Where>(module, "OrbitSearch")
        .def(py::init([](std::string name, std::optional<double> frequency, std::string guess,
                         std::vector<double> displacement, std::vector<double> velocity,
                         std::uint64_t which, std::int64_t steps, std::uint64_t periods) {
            return Where{std::move(name),
                         frequency,
                         std::move(guess),
                         std::move(displacement),
                         std::move(velocity),
                         which,
                         steps,
                         periods};
        }));
    module.def("orbit", &orbit);
    module.def("lyapunov", &lyapunov);
    py::class_<BranchOutput>(module, "BranchOutput")
        .def(py::init([](std::filesystem::path file, bool overwrite, py::object progress) {
            return BranchOutput{std::move(file), overwrite, std::move(progress)};
        }));
    module.def("continuation", &continuation);
    module.def("read_branch", [](const std::filesystem::path& file) {
        return std::make_shared<BranchResult>(tasks::read_branch(file));
    });
}

const RegisterBinding orbit_binding(bind_orbits);

}  // namespace
}  // namespace beadwave::python

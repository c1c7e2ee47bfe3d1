// Periodic orbits, their branches, and Lyapunov exponents.
#include "subjects/orbits/orbits.hpp"

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/progress_callback.hpp"

#include <nlohmann/json.hpp>
#include <pybind11/complex.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace beadwave::python {
namespace {

using tasks::BranchResult;
using tasks::LyapunovResult;
using tasks::OrbitRequest;
using tasks::OrbitResult;

/// A property with an array that belongs to the result.
template <class Result, class Of>
auto orbit_array(const Of& of) {
    return [of](const py::object& self) -> py::object {
        return view(std::span(of(self.cast<const Result&>())), self);
    };
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
        all.append(one);
    }
    return all;
}

py::array_t<orbits::Complex> branch_multipliers(const BranchResult& result) {
    const auto points = static_cast<py::ssize_t>(result.branch.points.size());
    std::size_t width = 0;
    for (const orbits::BranchPoint& point : result.branch.points)
        width = std::max(width, point.stability.multipliers.size());
    py::array_t<orbits::Complex> all({points, static_cast<py::ssize_t>(width)});
    orbits::Complex* to = all.mutable_data();
    // Of very long chains not all are known.
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    std::fill_n(to, all.size(), orbits::Complex(unknown, unknown));
    for (const orbits::BranchPoint& point : result.branch.points) {
        std::copy(point.stability.multipliers.begin(), point.stability.multipliers.end(), to);
        to += width;
    }
    return all;
}

/// Where an orbit is searched for; `near`: displacements and velocities, both empty: none.
struct Where {
    std::string name;
    std::optional<double> frequency;
    std::string guess;
    std::vector<double> displacement, velocity;
    std::uint64_t which;
    std::int64_t steps;
    std::uint64_t periods;  ///< of the drive, after which an orbit repeats

    OrbitRequest request(ProgressCallback& callback) const {
        OrbitRequest all{.scenario = name,
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

/// `scenario`: a job, the name of a file, or the text of a scenario in TOML.
std::shared_ptr<BranchResult> continuation(const py::object& scenario, bool is_text,
                                           const std::vector<std::string>& overrides,
                                           const Where& where, const std::string& range,
                                           std::uint64_t points, std::int64_t switch_at) {
    ProgressCallback callback{py::none()};
    OrbitRequest request = where.request(callback);
    request.continuation = range;
    request.most_points = points;
    request.switch_at = switch_at;
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

template <class Result>
auto orbit_class(py::module_& module, const char* name) {
    return py::class_<Result, std::shared_ptr<Result>>(module, name)
        .def_property_readonly("json", [](const Result& r) { return r.json().dump(); })
        .def_property_readonly("text", &Result::text)
        .def_property_readonly("warnings", [](const Result& r) { return r.warnings; });
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
    module.def("continuation", &continuation);
}

const RegisterBinding orbit_binding(bind_orbits);

}  // namespace
}  // namespace beadwave::python

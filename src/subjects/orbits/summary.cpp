#include "subjects/orbits/orbits.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace beadwave::tasks {
namespace {

nlohmann::ordered_json complex_json(orbits::Complex z) {
    return nlohmann::ordered_json::array({z.real(), z.imag()});
}

nlohmann::ordered_json bifurcation_json(const orbits::Bifurcation& each) {
    return {{"kind", each.kind},
            {"value", each.value},
            {"frequency", each.frequency},
            {"multiplier", complex_json(each.multiplier)}};
}

}  // namespace

std::string OrbitResult::text() const {
    std::string out;
    const auto row = [&](std::string_view what, const std::string& value) {
        out += fmt::format("  {:<20}{}\n", what, value);
    };
    row("frequency", fmt::format("{:.10g} Hz", orbit.frequency));
    if (periods > 1) row("drive", fmt::format("{} periods", periods));
    if (cell > 0) row("speed", fmt::format("{:.10g} m/s", speed));
    row("energy", fmt::format("{:.10g} J", orbit.energy));
    row("amplitude", fmt::format("{:.6g} m", orbit.amplitude));
    row("least overlap", fmt::format("{:.4g} m{}", orbit.least_overlap,
                                     orbit.least_overlap < 0.0 ? ", contacts open" : ""));
    if (!orbit.stability.multipliers.empty())
        row("largest multiplier", fmt::format("{:.9g}", std::abs(orbit.stability.multipliers[0])));
    if (!orbit.stability.complete()) {
        row("known multipliers",
            fmt::format("the {} largest of {}; the next is about {:.4g} by Arnoldi's method",
                        orbit.stability.multipliers.size(), orbit.stability.total,
                        orbit.stability.others));
    }
    row("stable", !orbit.stability.stable()    ? "no"
                  : orbit.stability.complete() ? "yes"
                                               : "yes, as far as these tell");
    for (const orbits::Instability& each : orbit.stability.instabilities) {
        row(each.kind, each.multiplier.imag() == 0.0
                           ? fmt::format("{:.9g}", each.multiplier.real())
                           : fmt::format("{:.9g} +- {:.9g} i", each.multiplier.real(),
                                         each.multiplier.imag()));
    }
    row("steps per period",
        fmt::format("{}{}", orbit.steps,
                    orbit.extrapolated ? fmt::format(", extrapolated; the last doubling "
                                                     "changed the state by {:.1g}",
                                                     orbit.change)
                                       : ""));
    row("Newton's errors", fmt::format("{:.2g}", fmt::join(orbit.newton, ", ")));
    if (!file.empty()) row("file", file);
    return out;
}

nlohmann::ordered_json OrbitResult::json() const {
    auto multipliers = nlohmann::ordered_json::array();
    for (const orbits::Complex z : orbit.stability.multipliers)
        multipliers.push_back(complex_json(z));
    auto instabilities = nlohmann::ordered_json::array();
    for (const orbits::Instability& each : orbit.stability.instabilities)
        instabilities.push_back(
            {{"kind", each.kind}, {"multiplier", complex_json(each.multiplier)}});
    nlohmann::ordered_json object{
        {"frequency", orbit.frequency},
        {"energy", orbit.energy},
        {"amplitude", orbit.amplitude},
        {"periodicity_error", orbit.periodicity_error},
        {"state", {{"displacement", orbit.state.displacement}, {"velocity", orbit.state.velocity}}},
        {"multipliers", multipliers},
        {"stable", orbit.stability.stable()},
        {"instabilities", instabilities},
        {"newton", orbit.newton},
        {"steps", orbit.steps},
        {"extrapolated", orbit.extrapolated},
        {"least_overlap", orbit.least_overlap},
        {"warnings", warnings}};
    if (!orbit.stability.complete()) {
        object["multipliers_total"] = orbit.stability.total;
        object["next_multiplier_about"] = orbit.stability.others;
    }
    if (periods > 1) object["periods"] = periods;
    if (cell > 0) object["cell"] = cell, object["speed"] = speed;
    if (!file.empty()) object["file"] = file;
    return object;
}

std::string BranchResult::text() const {
    std::string out = fmt::format("  {:>14} {:>14} {:>14} {:>12}  stable\n", key, "frequency_Hz",
                                  "energy_J", "amplitude_m");
    for (const orbits::BranchPoint& each : branch.points) {
        out += fmt::format("  {:>14.8g} {:>14.8g} {:>14.8g} {:>12.6g}  {}\n", each.value,
                           each.frequency, each.energy, each.amplitude,
                           each.stability.stable() ? "yes" : "no");
    }
    const auto place = [&](const std::string& what, const orbits::Bifurcation& each) {
        out +=
            fmt::format("  {} at {} = {:.9g}, {:.9g} Hz, multiplier {:.6g} {:+.6g} i\n", what, key,
                        each.value, each.frequency, each.multiplier.real(), each.multiplier.imag());
    };
    if (left) place("begins at the " + left->kind, *left);
    for (const orbits::Bifurcation& each : branch.bifurcations)
        place(each.kind, each);
    if (!file.empty()) out += fmt::format("  file {}\n", file);
    return out;
}

nlohmann::ordered_json BranchResult::json() const {
    auto points = nlohmann::ordered_json::array(), places = points;
    for (const orbits::BranchPoint& each : branch.points) {
        auto multipliers = nlohmann::ordered_json::array();
        for (const orbits::Complex z : each.stability.multipliers)
            multipliers.push_back(complex_json(z));
        points.push_back({{"value", each.value},
                          {"frequency", each.frequency},
                          {"energy", each.energy},
                          {"amplitude", each.amplitude},
                          {"stable", each.stability.stable()},
                          {"multipliers", multipliers}});
    }
    for (const orbits::Bifurcation& each : branch.bifurcations)
        places.push_back(bifurcation_json(each));
    nlohmann::ordered_json object{{"key", key},
                                  {"branch", points},
                                  {"bifurcations", places},
                                  {"steps", steps},
                                  {"warnings", warnings}};
    if (!file.empty()) {
        object["file"] = file;
        object["resumed"] = resumed;
    }
    if (periods > 1) object["periods"] = periods;
    if (left) object["left"] = bifurcation_json(*left);
    return object;
}

}  // namespace beadwave::tasks

#include "scenario/usual_ranges.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace beadwave::scenario {
namespace {

/// From here on a modulus means a rigid body.
constexpr double rigid = 1e18;

}  // namespace

bool uses_modulus(const laws::Settings& law) {
    const auto stiffness = law.values.find("stiffness");
    if (stiffness != law.values.end() && std::holds_alternative<double>(stiffness->second))
        return false;
    return !law.values.contains("file");
}

MaterialNumbers add_material(Plausibility& plausible, const std::string& key,
                             const laws::Elasticity& elasticity, std::optional<double> density,
                             double softest) {
    MaterialNumbers numbers{.modulus =
                                plausible.number(key + ".youngs_modulus", elasticity.youngs_modulus,
                                                 Dimension::stress)};
    if (elasticity.youngs_modulus < rigid) {
        plausible.range(numbers.modulus, "Young's modulus", " Pa", softest, hardest_solid);
        if (elasticity.yield_stress > 0.0) {
            const std::size_t yield =
                plausible.number(key + ".yield_stress", elasticity.yield_stress, Dimension::stress);
            plausible.measure("the yield stress over Young's modulus", "", 1e-5, 0.5,
                              [yield, modulus = numbers.modulus](Plausibility::Values v) {
                                  return v[yield] / v[modulus];
                              });
        }
    }
    if (density) {
        numbers.density = plausible.number(key + ".density", *density, Dimension::density);
        plausible.range(*numbers.density, "the density", " kg/m^3", lightest_solid, heaviest_solid);
    }
    return numbers;
}

const MaterialNumbers& Materials::add(Plausibility& plausible, const std::string& name) {
    const auto found = added_.find(name);
    if (found != added_.end()) return found->second;
    const Material& own = scenario_.materials.at(name);
    return added_
        .emplace(name, add_material(plausible, "material." + name, own.elasticity, own.density))
        .first->second;
}

void add_body_ranges(Plausibility& plausible, const std::string& body, std::size_t radius,
                     std::size_t first_radius, bool has_mass, Plausibility::Measure density) {
    plausible.range(radius, "the radius", " m", smallest_radius, largest_radius);
    if (radius != first_radius) {
        plausible.measure(
            "the radius over that of other " + body + "s", "", 1.0 / 300.0, 300.0,
            [first_radius, radius](Plausibility::Values v) { return v[radius] / v[first_radius]; });
    }
    if (has_mass) {
        plausible.measure("the density of a " + body, " kg/m^3", lightest_solid, heaviest_solid,
                          std::move(density));
    }
}

std::size_t add_end(Plausibility& plausible, double end) {
    return plausible.number("time.end", end, Dimension::time);
}

void add_interval(Plausibility& plausible, const std::string& key, std::optional<double> interval,
                  std::size_t end) {
    if (!interval) return;
    const std::size_t own = plausible.number(key, *interval, Dimension::time);
    // Few snapshots are usual, few samples of a sensor are not.
    const double fewest = key.starts_with("snapshots") ? 1.0 : 3.0;
    // One sample at the end is what a person wants who gives the end.
    constexpr double rounding = 1e-9;
    const bool is_end =
        std::abs(plausible.value(own) - plausible.value(end)) <= rounding * plausible.value(end);
    plausible.measure("the number of samples", "", is_end ? 0.0 : fewest, 1e6,
                      [own, end](Plausibility::Values v) { return v[end] / v[own]; });
}

void add_times(Plausibility& plausible, const Common& scenario, std::size_t end) {
    if (scenario.time.step) {
        const std::size_t step =
            plausible.number("time.step", *scenario.time.step, Dimension::time);
        plausible.measure("the number of steps", "", 1.0, 1e9,
                          [step, end](Plausibility::Values v) { return v[end] / v[step]; });
    }
    if (scenario.sensors)
        add_interval(plausible, "sensors.interval", scenario.sensors->interval, end);
    add_interval(plausible, "snapshots.interval", scenario.snapshot_interval, end);
    add_interval(plausible, "energy.interval", scenario.energy_interval, end);
}

std::optional<std::size_t> add_gravity(Plausibility& plausible, double acceleration) {
    if (acceleration == 0.0) return std::nullopt;
    const std::size_t gravity =
        plausible.number("gravity.acceleration", acceleration, Dimension::acceleration);
    plausible.measure("gravity over that of the earth", "", 1e-6, 600.0,
                      [gravity](Plausibility::Values v) { return std::abs(v[gravity]) / 9.81; });
    return gravity;
}

std::optional<std::string> high_friction(const std::string& key, double coefficient) {
    constexpr double rubber =
        2.0;  // of tyres on dry roads, the highest of solids, and a little more
    constexpr double rough = 100.0;  // a limit, as which bodies that never slide are meant
    if (!(coefficient > rubber && coefficient < rough)) return std::nullopt;
    return fmt::format(
        "{}: a friction of {:g} is above that of all dry solids, and more than {:g} is not "
        "expected; was it written in per cent? expected a ratio of forces, such as {:g}; bodies "
        "that never slide are written as {:g} or more",
        key, coefficient, rubber, 0.01 * coefficient, rough);
}

// Two equal spheres: m = density (4/3) pi R^3 / 2, K = (4/3) E* sqrt(R/2), E* = E / 2 / 0.91.

double collision_overlap(double density, double modulus, double speed) {
    const double mass = density * (2.0 / 3.0) * std::numbers::pi;
    const double stiffness = (4.0 / 3.0) * std::sqrt(0.5) * modulus / 1.82;
    return std::pow(1.25 * mass * speed * speed / stiffness, 0.4);
}

double collision_time(double density, double modulus, double speed) {
    constexpr double hertz = 2.943;  // duration times speed over the largest overlap
    return hertz * collision_overlap(density, modulus, speed) / speed;
}

bool may_be_slow(double radius, double modulus) {
    constexpr double large = 0.1, soft = 1e7;
    return radius >= large || modulus < soft;
}

double sphere_density(double mass, double radius) {
    return mass / (4.0 / 3.0 * std::numbers::pi * radius * radius * radius);
}

}  // namespace beadwave::scenario

#include "subjects/packing/packing_units.hpp"

#include "subjects/packing/packing_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::io {
namespace {

/// The most groups and walls that are looked at.
constexpr std::size_t most_parts = 64;

double largest(const Vec3& v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

}  // namespace

PackingUnits::PackingUnits(const packing::Scenario& scenario)
    : scenario_(scenario),
      materials_(scenario),
      stiff_(scenario::uses_modulus(scenario.law)),
      end_(scenario::add_end(plausible_, scenario.time.end)) {
    scenario::add_times(plausible_, scenario, end_);
    if (scenario.measures)
        scenario::add_interval(plausible_, "measure.interval", scenario.measures->interval, end_);
    gravity_ =
        scenario::add_gravity(plausible_, std::sqrt(dot(scenario.gravity, scenario.gravity)));
    for (std::size_t g = 0; g < std::min(most_parts, scenario.groups.size()); ++g)
        add_group(g);
    for (std::size_t w = 0; w < std::min(most_parts, scenario.walls.size()); ++w)
        add_wall(w);
    add_box();
    if (scenario.press && scenario.press->pressure) add_pressure(*scenario.press->pressure);
    for (const GroupNumbers& group : groups_)
        add_ranges(group);
    add_loads();
    add_places();
    add_duration();
}

void PackingUnits::add_place(const std::string& key, const Vec3& place) {
    if (largest(place) > 0.0)
        places_.push_back(plausible_.number(key, largest(place), Dimension::length));
}

void PackingUnits::add_speed(const std::string& key, const Vec3& velocity) {
    if (largest(velocity) > 0.0)
        speeds_.push_back(plausible_.number(key, largest(velocity), Dimension::speed));
}

void PackingUnits::add_group(std::size_t g) {
    const packing::Group& group = scenario_.groups[g];
    const std::string key = fmt::format("particles.{}", g);
    if (group.radius > 0.0) {
        GroupNumbers numbers{
            .radius = plausible_.number(size_key(g), group.radius, Dimension::length),
            .material = materials_.add(plausible_, group.material),
            .filled = group.filled_part()};
        if (group.mass && !group.length)
            numbers.mass = plausible_.number(key + ".mass", *group.mass, Dimension::mass);
        groups_.push_back(numbers);
    }
    add_speed(key + ".velocity", group.velocity);
    // No unit makes a radius 1e10 times a distance: such a place is the origin but for
    // rounding.
    if (const auto* one = std::get_if<packing::OnePlace>(&group.places);
        one && largest(one->position) > 1e-10 * group.radius)
        add_place(key + ".position", one->position);
    if (const auto* crystal = std::get_if<packing::CrystalPlaces>(&group.places))
        add_crystal(key, *crystal);
    if (const auto* random = std::get_if<packing::RandomPlaces>(&group.places)) {
        add_place(key + ".lower", random->lower);
        add_place(key + ".upper", random->upper);
        if (group.radius > 0.0 && !random->pour) add_filling(g, *random);
    }
}

std::string PackingUnits::size_key(std::size_t g) const {
    const bool sphere = scenario_.groups[g].shape == packing::GroupShape::sphere;
    const bool clump = scenario_.groups[g].shape == packing::GroupShape::clump;
    return fmt::format("particles.{}.{}", g, sphere ? "radius" : clump ? "spheres" : "semi_axes");
}

void PackingUnits::add_crystal(const std::string& key, const packing::CrystalPlaces& crystal) {
    add_place(key + ".origin", crystal.origin);
    if (!(crystal.overlap > 0.0) || groups_.empty()) return;
    const std::size_t overlap =
        plausible_.number(key + ".overlap", crystal.overlap, Dimension::length);
    plausible_.measure(
        "the overlap at the start over the radius", "", 0.0, 0.3,
        [overlap, radius = groups_.back().radius](Values v) { return v[overlap] / v[radius]; });
}

void PackingUnits::add_filling(std::size_t g, const packing::RandomPlaces& random) {
    const packing::Group& group = scenario_.groups[g];
    const std::string key = fmt::format("particles.{}", g);
    const double lower_size = largest(random.lower), upper_size = largest(random.upper);
    if (!(upper_size > 0.0)) return;
    const std::size_t upper = plausible_.number(key + ".upper", upper_size, Dimension::length);
    std::optional<std::size_t> lower;
    if (lower_size > 0.0) lower = plausible_.number(key + ".lower", lower_size, Dimension::length);
    const bool space = scenario_.dimension == 3;
    const auto count = static_cast<double>(random.particles);
    const std::size_t radius = plausible_.number(size_key(g), group.radius, Dimension::length);
    const double filled = group.filled_part();
    const Vec3 from = random.lower, to = random.upper;
    plausible_.measure(
        "the part of the region that the particles fill", "", 1e-6, 1.0, [=](Values v) {
            const double low = lower ? v[*lower] / lower_size : 1.0;
            const double high = v[upper] / upper_size;
            const double x = high * to.x - low * from.x, y = high * to.y - low * from.y;
            const double z = space ? high * to.z - low * from.z : 1.0;
            const double r = v[radius];
            if (!(x > 0.0 && y > 0.0 && z > 0.0)) return 1e3;  // no region
            const double solid = filled * std::numbers::pi * r * r * (space ? 4.0 / 3.0 * r : 1.0);
            return count * solid / (x * y * z);
        });
}

void PackingUnits::add_wall(std::size_t w) {
    const packing::WallPlan& wall = scenario_.walls[w];
    const std::string key = fmt::format("wall.{}", w);
    materials_.add(plausible_, wall.material);
    add_place(key + ".point", wall.point);
    add_speed(key + ".velocity", wall.velocity);
    if (wall.kind != packing::WallKind::plane && wall.radius > 0.0) {
        places_.push_back(plausible_.number(key + ".radius", wall.radius, Dimension::length));
    }
    if (wall.length)
        places_.push_back(plausible_.number(key + ".length", *wall.length, Dimension::length));
    if (wall.angular_velocity != 0.0)
        add_period(2.0 * std::numbers::pi / std::abs(wall.angular_velocity));
    if (wall.drive) add_period(wall.drive->period());
    if (!wall.load) return;
    slow_ = true;
    add_pressure(wall.load->pressure);
    loads_.push_back(plausible_.number(key + ".mass", wall.load->mass, Dimension::mass));
}

void PackingUnits::add_box() {
    const packing::Box& box = scenario_.box;
    if (!box.repeats()) return;
    // Along the other axes it has no bounds, whatever is written.
    const auto repeating = [&](const Vec3& corner) {
        return Vec3{box.periodic[0] ? corner.x : 0.0, box.periodic[1] ? corner.y : 0.0,
                    box.periodic[2] ? corner.z : 0.0};
    };
    add_place("box.upper", repeating(box.upper));
    add_place("box.lower", repeating(box.lower));
    if (!box.strain) return;
    const double rate = std::max(largest(box.strain->rate), largest(box.strain->shear_rate));
    if (rate > 0.0) add_period(1.0 / rate);
    if (box.strain->has_pistons()) slow_ = true;
    add_pressure(largest(box.strain->stress));
}

void PackingUnits::add_pressure(double pressure) {
    if (scenario_.dimension == 3) pressure_ = std::max(pressure_, std::abs(pressure));
}

void PackingUnits::add_period(double period) {
    if (std::isfinite(period)) slowest_ = std::max(slowest_, period);
}

std::optional<std::string> packing_units(const packing::Scenario& scenario) {
    const PackingUnits units(scenario);
    return units.doubt();
}

}  // namespace beadwave::io

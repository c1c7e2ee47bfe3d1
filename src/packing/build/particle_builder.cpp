#include "packing/build/particle_builder.hpp"

#include "packing/build/build_laws.hpp"
#include "packing/build/particle_shapes.hpp"
#include "packing/walls/mesh_images.hpp"
#include "scenario/disorder.hpp"
#include "scenario/hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace beadwave::packing {
namespace {

bool has_shape(const Group& group) {
    return group.shape != GroupShape::sphere;
}

/// Superellipsoids with exponents of 2 are ellipsoids.
bool has_exponents(const Group& group) {
    const auto* const listed = std::get_if<ListedPlaces>(&group.places);
    return group.exponents != shapes::Exponents{} ||
           (listed != nullptr &&
            std::ranges::any_of(listed->particles, [](const ListedParticle& p) {
                return p.exponents && *p.exponents != shapes::Exponents{};
            }));
}

bool has_clump(const Group& group) {
    return group.shape == GroupShape::clump;
}

}  // namespace

ParticleBuilder::ParticleBuilder(const Scenario& scenario)
    : scenario_(scenario),
      has_shapes_(std::ranges::any_of(scenario.groups, has_shape)),
      has_exponents_(std::ranges::any_of(scenario.groups, has_exponents)),
      has_clumps_(std::ranges::any_of(scenario.groups, has_clump)) {}

void ParticleBuilder::fail(std::size_t group, std::string_view key, std::string_view what) const {
    scenario_.origin.fail(fmt::format("particles.{}.{}", group, key), what);
}

std::size_t ParticleBuilder::species(const std::string& material) {
    auto& list = packing.species_list;
    const auto found = std::ranges::find(list, material, &Species::name);
    const auto index = static_cast<std::size_t>(found - list.begin());
    if (found == list.end())
        list.push_back({material, scenario_.materials.at(material).elasticity});
    return index;
}

double ParticleBuilder::mass_per_power(std::size_t g) const {
    const Group& group = scenario_.groups[g];
    const double square = group.radius * group.radius;
    if (group.mass) return *group.mass / (group.length ? square : square * group.radius);
    const auto density = scenario_.materials.at(group.material).density;
    if (!density) {
        fail(g, "mass",
             fmt::format("missing mass: give mass (kg) here or density (kg/m^3) on material "
                         "\"{}\"",
                         group.material));
    }
    if (group.length) return std::numbers::pi * *group.length * *density;
    return 4.0 / 3.0 * std::numbers::pi * *density * group.filled_part();
}

void ParticleBuilder::add(std::size_t g, std::size_t count, std::size_t kind, double mass,
                          double radius, Vec3 velocity, Vec3 angular_velocity) {
    const Group& group = scenario_.groups[g];
    const bool sphere = group.shape == GroupShape::sphere;
    if (!(radius > 0.0 && std::isnormal(mass))) {
        const char* const of_size = sphere ? "radius" : group.clump ? "spheres" : "semi_axes";
        fail(g, group.disorder > 0.0 ? "disorder" : of_size,
             fmt::format("makes a particle of radius {:g} m and mass {:g} kg; expected both "
                         "above 0 and finite",
                         radius, std::abs(mass)));  // not -nan
    }
    packing.add_without_positions(count, radius, mass, kind, velocity, angular_velocity);
    if (scenario_.heat) add_heat(group, count);
    const std::size_t all = packing.particles();
    if (has_shapes_) {
        packing.semi_axes.resize(all, {radius, radius, radius});
        packing.orientation.resize(all);
    }
    if (has_clumps_) packing.clumps.resize(all);
    if (has_exponents_) packing.exponents.resize(all);
    if (!group.fixed) return;
    packing.fixed.resize(all - count, false);
    packing.fixed.resize(all, true);
}

void ParticleBuilder::add_heat(const Group& group, std::size_t count) {
    const scenario::Material& material = scenario_.materials.at(group.material);
    HeatBodies& heat = packing.heat ? *packing.heat : packing.heat.emplace();
    const std::size_t all = heat.start.size() + count;
    heat.start.resize(all, group.temperature.value_or(*scenario_.heat));
    heat.specific_heat.resize(all, material.specific_heat.value_or(0.0));
    heat.conductivity.resize(all, material.conductivity.value_or(0.0));
}

std::uint64_t ParticleBuilder::stream(std::size_t g) const {
    const auto is_random = [](const Group& group) {
        return group.disorder > 0.0 || group.random_orientation ||
               std::holds_alternative<RandomPlaces>(group.places);
    };
    const std::uint64_t seed = scenario_.groups[g].seed;
    bool is_first = true;
    for (std::size_t before = 0; before < g; ++before) {
        const Group& other = scenario_.groups[before];
        is_first = is_first && !(is_random(other) && other.seed == seed);
    }
    if (is_first) return seed;
    scenario::Hash hash;
    hash.add(seed);
    hash.add(std::uint64_t{g});
    return hash.sum();
}

void ParticleBuilder::shape(std::size_t g, std::size_t i, const Vec3& semi_axes,
                            const std::optional<shapes::Quaternion>& orientation,
                            const std::optional<shapes::Exponents>& exponents) {
    const Group& group = scenario_.groups[g];
    packing.semi_axes.back() = semi_axes;
    if (has_exponents_) {
        packing.exponents.back() = exponents.value_or(group.exponents);
        if (packing.is_superellipsoid(packing.particles() - 1)) {
            // Disorder scales the axes and this with them, but for rounding.
            packing.radius.back() = farthest(
                shapes::Superellipsoid{{.semi_axes = semi_axes}, packing.exponents.back()});
        }
    }
    packing.orientation.back() = orientation                ? *orientation
                                 : group.random_orientation ? random_orientation(stream(g), i)
                                                            : group.orientation;
    if (!group.clump) return;
    const double factor = packing.radius.back() / group.radius;
    std::shared_ptr<const shapes::Clump>& clump = packing.clumps.back();
    clump = factor == 1.0 ? group.clump : scaled(*group.clump, factor);
    const double radius = packing.radius.back() = clump->radius;
    packing.semi_axes.back() = {radius, radius, radius};
}

std::function<double(std::size_t)> ParticleBuilder::radii(std::size_t g) const {
    const Group& group = scenario_.groups[g];
    const std::uint64_t seed = stream(g);
    if (group.radii) {
        return at_key(scenario_, fmt::format("particles.{}.radii", g), [&] {
            return [all = draw_radii(*group.radii, group.radius, seed,
                                     static_cast<std::size_t>(group.particles()))](std::size_t i) {
                return all[i];
            };
        });
    }
    return [&group, seed](std::size_t i) {
        return group.disorder > 0.0
                   ? group.radius * scenario::disordered_radius(group.disorder, seed, i)
                   : group.radius;
    };
}

void ParticleBuilder::place(std::size_t g, const std::function<double(std::size_t)>& radius_of) {
    const Group& group = scenario_.groups[g];
    const std::size_t count = packing.particles() - packing.position.size();
    if (const auto* one = std::get_if<OnePlace>(&group.places))
        return packing.position.push_back(one->position);
    if (const auto* crystal = std::get_if<CrystalPlaces>(&group.places)) {
        return packing.position.append(count, centre_of({.lattice = crystal->lattice,
                                                         .cells = crystal->cells,
                                                         .origin = crystal->origin,
                                                         .radius = group.radius,
                                                         .overlap = crystal->overlap}));
    }
    const auto& random = std::get<RandomPlaces>(group.places);
    if (random.pour) {  // they wait here
        return packing.position.append_alike(count, 0.5 * (random.lower + random.upper));
    }
    try {
        // A different random stream from that of the radii.
        std::vector<double> radii(count);
        for (std::size_t i = 0; i < count; ++i)
            radii[i] = radius_of(i);
        for (const Vec3& centre :
             random_loose(radii, random.lower, random.upper, scenario_.dimension, ~stream(g)))
            packing.position.push_back(centre);
    } catch (const std::invalid_argument& error) {
        fail(g, "random", error.what());
    }
}

void ParticleBuilder::add_pour(const Group& group) {
    const auto* const random = std::get_if<RandomPlaces>(&group.places);
    if (random == nullptr || !random->pour) return;
    packing.pours.push_back({.first = packing.particles(),
                             .count = static_cast<std::size_t>(random->particles),
                             .region = {.lower = random->lower, .upper = random->upper},
                             .rate = random->pour->rate,
                             .start = random->pour->start,
                             .end = random->pour->end,
                             .seed = group.seed});
}

void ParticleBuilder::add_group(std::size_t g) {
    const Group& group = scenario_.groups[g];
    const std::size_t kind = species(group.material);
    const bool sphere = group.shape == GroupShape::sphere;
    const auto mass_of = [&](double per_power, double r) {
        return group.length ? per_power * r * r : per_power * r * r * r;
    };
    if (const auto* listed = std::get_if<ListedPlaces>(&group.places)) {
        const bool have_masses = std::ranges::all_of(
            listed->particles, [](const ListedParticle& p) { return p.mass > 0.0; });
        const double per_power = have_masses ? 0.0 : mass_per_power(g);
        for (std::size_t i = 0; i < listed->particles.size(); ++i) {
            const ListedParticle& p = listed->particles[i];
            const Vec3& axes = p.semi_axes;
            const shapes::Superellipsoid solid{{.semi_axes = axes},
                                               p.exponents.value_or(group.exponents)};
            const double mass = sphere ? mass_of(per_power, p.radius)
                                : is_ellipsoid(solid)
                                    ? per_power * axes.x * axes.y * axes.z
                                    : per_power * volume(solid) / (4.0 / 3.0 * std::numbers::pi);
            add(g, 1, kind, p.mass > 0.0 ? p.mass : mass, p.radius, p.velocity + group.velocity,
                p.angular_velocity + group.angular_velocity);
            packing.position.push_back(p.position);
            if (!sphere) shape(g, i, axes, p.orientation, p.exponents);
        }
        return;
    }
    const double per_power = mass_per_power(g);
    const std::function<double(std::size_t)> radius_of = radii(g);
    add_pour(group);
    const auto count = static_cast<std::size_t>(group.particles());
    const auto add_some = [&](std::size_t some, double radius) {
        add(g, some, kind, mass_of(per_power, radius), radius, group.velocity,
            group.angular_velocity);
    };
    if (sphere && group.disorder == 0.0 && !group.radii) {
        add_some(count, group.radius);
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            const double radius = radius_of(i);
            add_some(1, radius);
            // Disorder of the largest semi-axis scales all three.
            if (!sphere) shape(g, i, (radius / group.radius) * group.semi_axes);
        }
    }
    place(g, radius_of);
}

void ParticleBuilder::add_wall(const WallPlan& plan) {
    const std::string key = fmt::format("wall.{}", packing.walls.size());
    Wall& wall = packing.walls.emplace_back(Wall{.shape = shape_of(plan),
                                                 .species = species(plan.material),
                                                 .velocity = plan.velocity,
                                                 .drive = plan.drive});
    wall.angular_velocity = plan.angular_velocity;
    if (packing.heat) {
        packing.heat->walls.push_back(
            {plan.temperature, scenario_.materials.at(plan.material).conductivity.value_or(0.0)});
    }
    if (plan.kind == WallKind::mesh && packing.box.repeats() && !packing.box.strain) {
        const double angle = plan.mesh.feature_angle;
        at_key(scenario_, key, [&] {
            std::get<Mesh>(wall.shape).surface = std::make_shared<const TriangleSurface>(
                with_images(plan.mesh.placed(), packing.box, angle), angle);
        });
    }
    if (!plan.load) return;
    wall.load = {.mass = plan.load->mass,
                 .force = plan.load->force + plan.load->pressure * plan.load->area,
                 .target_velocity = plan.load->target_velocity,
                 .gain = plan.load->gain,
                 .start = plan.load->start};
}

}  // namespace beadwave::packing

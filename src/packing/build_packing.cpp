#include "base/machine_memory.hpp"
#include "laws/tangential/any_slider.hpp"
#include "packing/build_laws.hpp"
#include "packing/device/missing_on_devices.hpp"
#include "packing/elements/build_elements.hpp"
#include "packing/mesh_images.hpp"
#include "packing/pair_laws.hpp"
#include "packing/particle_shapes.hpp"
#include "packing/region.hpp"
#include "packing/scenario.hpp"
#include "scenario/disorder.hpp"
#include "scenario/hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <stdexcept>

namespace beadwave::packing {
namespace {

double per_cell(Lattice lattice) {
    switch (lattice) {
        case Lattice::bcc:
            return 2.0;
        case Lattice::fcc:
        case Lattice::hcp:
            return 4.0;
        default:
            return 1.0;
    }
}

struct Builder {
    const Scenario& scenario;
    Packing packing{};
    /// If one group has a shape, all particles have semi-axes and an orientation.
    bool has_shapes = std::ranges::any_of(
        scenario.groups, [](const Group& group) { return group.shape != GroupShape::sphere; });
    /// Superellipsoids with exponents of 2 are ellipsoids.
    bool has_exponents = std::ranges::any_of(scenario.groups, [](const Group& group) {
        const auto* const listed = std::get_if<ListedPlaces>(&group.places);
        return group.exponents != shapes::Exponents{} ||
               (listed != nullptr &&
                std::ranges::any_of(listed->particles, [](const ListedParticle& p) {
                    return p.exponents && *p.exponents != shapes::Exponents{};
                }));
    });
    bool has_clumps = std::ranges::any_of(
        scenario.groups, [](const Group& group) { return group.shape == GroupShape::clump; });

    [[noreturn]] void fail(std::size_t group, std::string_view key, std::string_view what) const {
        scenario.origin.fail(fmt::format("particles.{}.{}", group, key), what);
    }

    std::size_t species(const std::string& material) {
        auto& list = packing.species_list;
        const auto found = std::ranges::find(list, material, &Species::name);
        const auto index = static_cast<std::size_t>(found - list.begin());
        if (found == list.end())
            list.push_back({material, scenario.materials.at(material).elasticity});
        return index;
    }

    /// Mass over the cube of the radius [kg/m^3], of cylinders over its square [kg/m^2]: within a
    /// group masses go with this power.
    double mass_per_power(std::size_t g) const {
        const Group& group = scenario.groups[g];
        const double square = group.radius * group.radius;
        if (group.mass) return *group.mass / (group.length ? square : square * group.radius);
        const auto density = scenario.materials.at(group.material).density;
        if (!density) {
            fail(g, "mass",
                 fmt::format("missing mass: give mass (kg) here or density (kg/m^3) on material "
                             "\"{}\"",
                             group.material));
        }
        if (group.length) return std::numbers::pi * *group.length * *density;
        return 4.0 / 3.0 * std::numbers::pi * *density * group.filled_part();
    }

    void add(std::size_t g, std::size_t kind, double mass, double radius, Vec3 position,
             Vec3 velocity, Vec3 angular_velocity) {
        const Group& group = scenario.groups[g];
        const bool sphere = group.shape == GroupShape::sphere;
        if (!(radius > 0.0 && std::isnormal(mass))) {
            const char* const of_size = sphere ? "radius" : group.clump ? "spheres" : "semi_axes";
            fail(g, group.disorder > 0.0 ? "disorder" : of_size,
                 fmt::format("makes a particle of radius {:g} m and mass {:g} kg; expected both "
                             "above 0 and finite",
                             radius, mass));
        }
        packing.add(radius, mass, position, kind);
        packing.velocity.back() = velocity;
        packing.angular_velocity.back() = angular_velocity;
        if (scenario.heat) add_heat(group);
        if (has_shapes) {
            packing.semi_axes.push_back({radius, radius, radius});
            packing.orientation.emplace_back();
        }
        if (has_clumps) packing.clumps.emplace_back();
        if (has_exponents) packing.exponents.emplace_back();
        if (!group.fixed) return;
        packing.fixed.resize(packing.particles(), false);
        packing.fixed.back() = true;
    }

    /// Of the last particle. What is needed has been checked by the reader.
    void add_heat(const Group& group) {
        const scenario::Material& material = scenario.materials.at(group.material);
        HeatBodies& heat = packing.heat ? *packing.heat : packing.heat.emplace();
        heat.start.push_back(group.temperature.value_or(*scenario.heat));
        heat.specific_heat.push_back(material.specific_heat.value_or(0.0));
        heat.conductivity.push_back(material.conductivity.value_or(0.0));
    }

    /// Of the random numbers of a group. The first group with a seed has the stream of this seed,
    /// each other one with the same seed a stream of its own.
    std::uint64_t stream(std::size_t g) const {
        const auto is_random = [](const Group& group) {
            return group.disorder > 0.0 || group.random_orientation ||
                   std::holds_alternative<RandomPlaces>(group.places);
        };
        const std::uint64_t seed = scenario.groups[g].seed;
        bool is_first = true;
        for (std::size_t before = 0; before < g; ++before) {
            const Group& other = scenario.groups[before];
            is_first = is_first && !(is_random(other) && other.seed == seed);
        }
        if (is_first) return seed;
        scenario::Hash hash;
        hash.add(seed);
        hash.add(std::uint64_t{g});
        return hash.sum();
    }

    /// Makes an ellipsoid, superellipsoid or clump of the last particle, number `i` of its group.
    void shape(std::size_t g, std::size_t i, const Vec3& semi_axes,
               const std::optional<shapes::Quaternion>& orientation = {},
               const std::optional<shapes::Exponents>& exponents = {}) {
        const Group& group = scenario.groups[g];
        packing.semi_axes.back() = semi_axes;
        if (has_exponents) {
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

    std::vector<double> radii(std::size_t g) const {
        const Group& group = scenario.groups[g];
        const std::uint64_t seed = stream(g);
        if (group.radii) {
            return at_key(scenario, fmt::format("particles.{}.radii", g), [&] {
                return draw_radii(*group.radii, group.radius, seed,
                                  static_cast<std::size_t>(group.particles()));
            });
        }
        std::vector<double> radii(static_cast<std::size_t>(group.particles()), group.radius);
        for (std::size_t i = 0; group.disorder > 0.0 && i < radii.size(); ++i)
            radii[i] *= scenario::disordered_radius(group.disorder, seed, i);
        return radii;
    }

    std::vector<Vec3> places(std::size_t g, const std::vector<double>& radii) const {
        const Group& group = scenario.groups[g];
        if (const auto* one = std::get_if<OnePlace>(&group.places)) return {one->position};
        if (const auto* crystal = std::get_if<CrystalPlaces>(&group.places)) {
            return centres({.lattice = crystal->lattice,
                            .cells = crystal->cells,
                            .origin = crystal->origin,
                            .radius = group.radius,
                            .overlap = crystal->overlap});
        }
        const auto& random = std::get<RandomPlaces>(group.places);
        if (random.pour)  // they wait here
            return std::vector<Vec3>(radii.size(), 0.5 * (random.lower + random.upper));
        try {
            // A different random stream from that of the radii.
            return random_loose(radii, random.lower, random.upper, scenario.dimension, ~stream(g));
        } catch (const std::invalid_argument& error) {
            fail(g, "random", error.what());
        }
    }

    void add_pour(const Group& group) {
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

    void add_group(std::size_t g) {
        const Group& group = scenario.groups[g];
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
                const double mass = sphere                ? mass_of(per_power, p.radius)
                                    : is_ellipsoid(solid) ? per_power * axes.x * axes.y * axes.z
                                                          : per_power * volume(solid) /
                                                                (4.0 / 3.0 * std::numbers::pi);
                add(g, kind, p.mass > 0.0 ? p.mass : mass, p.radius, p.position,
                    p.velocity + group.velocity, p.angular_velocity + group.angular_velocity);
                if (!sphere) shape(g, i, axes, p.orientation, p.exponents);
            }
            return;
        }
        const double per_power = mass_per_power(g);
        const std::vector<double> radius = radii(g);
        const std::vector<Vec3> place = places(g, radius);
        add_pour(group);
        for (std::size_t i = 0; i < place.size(); ++i) {
            add(g, kind, mass_of(per_power, radius[i]), radius[i], place[i], group.velocity,
                group.angular_velocity);
            // Disorder of the largest semi-axis scales all three.
            if (!sphere) shape(g, i, (radius[i] / group.radius) * group.semi_axes);
        }
    }

    void add_wall(const WallPlan& plan) {
        const std::string key = fmt::format("wall.{}", packing.walls.size());
        Wall& wall = packing.walls.emplace_back(Wall{.shape = shape_of(plan),
                                                     .species = species(plan.material),
                                                     .velocity = plan.velocity,
                                                     .drive = plan.drive});
        wall.angular_velocity = plan.angular_velocity;
        if (packing.heat) {
            packing.heat->walls.push_back(
                {plan.temperature,
                 scenario.materials.at(plan.material).conductivity.value_or(0.0)});
        }
        if (plan.kind == WallKind::mesh && packing.box.repeats() && !packing.box.strain) {
            const double angle = plan.mesh.feature_angle;
            at_key(scenario, key, [&] {
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
};

/// [press]
void press_into_shape(const Scenario& scenario, Packing& packing) {
    // Driven particles are free while the packing is pressed.
    std::vector<char> prescribed = std::exchange(packing.prescribed, {});
    at_key(scenario, "press", [&] { return press(packing, *scenario.press); });
    packing.prescribed = std::move(prescribed);
    if (const std::string wrong = validate(packing); !wrong.empty())
        scenario.origin.fail("press", fmt::format("makes a packing that cannot run: {}", wrong));
}

/// Radius of the smallest particle that is free to move, of clumps of the smallest sphere [m]; of
/// all particles if all are fixed.
double smallest_free_radius(const Packing& packing) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < packing.particles(); ++i) {
        const double radius = packing.is_clump(i) ? smallest_size(packing, i) : packing.radius[i];
        if (!packing.is_fixed(i)) least = std::min(least, radius);
    }
    return std::isfinite(least) ? least : *std::ranges::min_element(packing.radius);
}

/// A message of validate(), with the part of the file that it refers to in place of the body's
/// name.
[[noreturn]] void refuse(const Scenario& scenario, const std::string& wrong) {
    const std::size_t colon = wrong.find(": ");
    const auto after_colon = [&] { return std::string_view(wrong).substr(colon + 2); };
    if (wrong.starts_with("wall "))
        scenario.origin.fail("wall." + wrong.substr(5, colon - 5), after_colon());
    for (const char* element : {"foundation", "resonator", "load", "drive", "bond"}) {
        if (wrong.starts_with(fmt::format("{} ", element))) scenario.origin.fail(element, wrong);
    }
    for (const char* key : {"precision", "device"}) {
        if (wrong.starts_with(fmt::format("{}: ", key))) scenario.origin.fail(key, after_colon());
    }
    if (wrong.starts_with("friction: ")) scenario.origin.fail("friction", after_colon());
    if (wrong.starts_with("pair "))
        scenario.origin.fail("pair." + wrong.substr(5, colon - 5), after_colon());
    if (wrong.starts_with("law ")) scenario.origin.fail("law.name", wrong);
    if (wrong.starts_with("foundation, ")) {  // what ellipsoids do not carry
        const ElementPlans& plans = scenario.elements;
        const char* const given = !plans.foundations.empty()  ? "foundation"
                                  : !plans.resonators.empty() ? "resonator"
                                  : !plans.loads.empty()      ? "load"
                                  : !plans.drives.empty()     ? "drive"
                                                              : "bond";
        scenario.origin.fail(given, after_colon());
    }
    if (wrong.starts_with("exit: ")) scenario.origin.fail("exit", after_colon());
    if (wrong.starts_with("pour: ")) {
        for (std::size_t g = 0; g < scenario.groups.size(); ++g) {
            const auto* const random = std::get_if<RandomPlaces>(&scenario.groups[g].places);
            if (random != nullptr && random->pour)
                scenario.origin.fail(fmt::format("particles.{}.pour", g), after_colon());
        }
    }
    if (wrong.starts_with("exit "))
        scenario.origin.fail("exit." + wrong.substr(5, colon - 5), after_colon());
    if (wrong.starts_with("pour ")) {
        auto pour = std::stoul(wrong.substr(5, colon - 5));
        for (std::size_t g = 0; g < scenario.groups.size(); ++g) {
            const auto* const random = std::get_if<RandomPlaces>(&scenario.groups[g].places);
            if (random != nullptr && random->pour && pour-- == 0)
                scenario.origin.fail(fmt::format("particles.{}.pour", g), after_colon());
        }
    }
    if (wrong.starts_with("box: ")) scenario.origin.fail("box", after_colon());
    for (const char* part : {"friction", "rolling"}) {
        if (wrong.starts_with(fmt::format("{}: ", part))) scenario.origin.fail(part, after_colon());
    }
    if (wrong.starts_with("measure: ")) scenario.origin.fail("measure.upper", after_colon());
    scenario.origin.fail(wrong.starts_with("gravity") ? "gravity.acceleration" : "particles",
                         wrong);
}

}  // namespace

double Group::particles() const {
    if (const auto* crystal = std::get_if<CrystalPlaces>(&places)) {
        double count = per_cell(crystal->lattice);
        for (const std::int64_t cells : crystal->cells)
            count *= static_cast<double>(cells);
        return count;
    }
    if (const auto* random = std::get_if<RandomPlaces>(&places))
        return static_cast<double>(random->particles);
    if (const auto* listed = std::get_if<ListedPlaces>(&places))
        return static_cast<double>(listed->particles.size());
    return 1.0;
}

double Scenario::particle_count() const {
    double count = 0.0;
    for (const Group& group : groups)
        count += group.particles();
    return count;
}

namespace {

/// The same groups, walls and laws with only a few particles.
Scenario short_scenario(const Scenario& scenario) {
    Scenario few = scenario;
    for (Group& group : few.groups) {
        if (auto* const crystal = std::get_if<CrystalPlaces>(&group.places))
            crystal->cells = {1, 1, 1};
        if (auto* const random = std::get_if<RandomPlaces>(&group.places))
            random->particles = std::min<std::int64_t>(random->particles, 1);
    }
    few.press.reset();
    few.elements = {};
    return few;
}

Packing built(const Scenario& scenario);

}  // namespace

Packing build_packing(const Scenario& scenario) {
    constexpr double max_per_particle = 4000.0;  // smaller packings are not checked
    const double memory = machine_memory();
    if (max_per_particle * scenario.particle_count() > memory) {
        const double needed = memory_needed(scenario, built(short_scenario(scenario)));
        if (needed > memory) {
            scenario.origin.fail(
                "particles",
                fmt::format(
                    "{:g} particles need {:.3g} GB of memory or more; this machine has {:.3g}",
                    scenario.particle_count(), needed / 1e9, memory / 1e9));
        }
    }
    return built(scenario);
}

namespace {

Packing built(const Scenario& scenario) {
    Builder builder{.scenario = scenario};
    Packing& packing = builder.packing;
    packing.dimension = scenario.dimension;
    if (scenario.has_line_contacts()) packing.length = *scenario.groups.front().length;
    packing.box = scenario.box;
    packing.gravity = scenario.gravity;
    packing.law = scenario.law;
    packing.friction = scenario.friction;
    packing.rolling = scenario.rolling;
    packing.precision = scenario.precision;
    packing.place = scenario.place;
    std::vector<std::size_t> group_begin{0};
    for (std::size_t g = 0; g < scenario.groups.size(); ++g) {
        builder.add_group(g);
        group_begin.push_back(packing.particles());
    }
    for (const WallPlan& wall : scenario.walls)
        builder.add_wall(wall);
    packing.exits = scenario.exits;
    add_pairs(scenario, packing);
    add_elements(scenario, group_begin, packing);
    if (auto& strain = packing.box.strain; strain && strain->mass == 0.0)
        strain->mass = std::accumulate(packing.mass.begin(), packing.mass.end(), 0.0);
    // Loose particles would leave a thin skin within a few steps.
    const bool loose = std::ranges::any_of(scenario.groups, [](const Group& group) {
        return !std::holds_alternative<CrystalPlaces>(group.places);
    });
    if (loose && packing.particles() > 1) packing.skin = 0.3 * smallest_free_radius(packing);
    if (const auto& measures = scenario.measures; measures && measures->lower)
        packing.region = {.lower = *measures->lower, .upper = *measures->upper};
    const std::string wrong = validate(packing);
    if (!wrong.empty()) refuse(scenario, wrong);
    if (const char axis = scenario.measures ? unbounded_axis(packing) : char{0}; axis != 0) {
        scenario.origin.fail(
            "measure.lower",
            fmt::format("missing: along {} the packing is neither periodic nor between two plane "
                        "walls that face each other; give lower and upper, the corners of the "
                        "region",
                        axis));
    }
    if (scenario.measures && scenario.measures->grid) {
        if (const std::string fault = fault_of(*scenario.measures->grid, packing); !fault.empty())
            scenario.origin.fail("measure.grid", fault);
    }
    resolve_impact_speed(scenario, packing);
    check_laws(scenario, packing);
    if (packing.place != Place::host) {
        const std::string lacks = law_missing_on_devices(PairLaws(packing).normal(), packing.law);
        if (!lacks.empty()) scenario.origin.fail("device", lacks);
    }
    if (scenario.press) press_into_shape(scenario, packing);
    return std::move(packing);
}

}  // namespace

}  // namespace beadwave::packing

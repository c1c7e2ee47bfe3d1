// Chains from arrays.
#include "beadwave/chain/chain_arrays.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "chain/bead_shape.hpp"
#include "chain/build_chain.hpp"
#include "chain/build_elements.hpp"
#include "chain/impact_speed.hpp"
#include "chain/initial_state.hpp"
#include "chain/numbering.hpp"
#include "chain/pair_equilibrium.hpp"
#include "python/bindings.hpp"
#include "python/progress_callback.hpp"
#include "subjects/chain/chain_reader.hpp"
#include "subjects/chain/python/array_chain.hpp"
#include "subjects/chain/python/array_shapes.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace beadwave::python {
namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

std::vector<double> copied(const Numbers& numbers) {
    return {numbers.data(), numbers.data() + numbers.size()};
}

/// What the law of a contact is made of: the bodies, and its own values of parameters.
struct LawInput {
    laws::Contact contact;
    std::vector<double> own;
    bool operator==(const LawInput&) const = default;
};

struct LawInputHash {
    std::size_t operator()(const LawInput& input) const {
        const laws::Contact& c = input.contact;
        std::size_t hash = chain::BitHash::of(c.radius, c.modulus, c.mass, c.yield_stress);
        for (const double value : input.own)
            hash = chain::BitHash::of(hash, value);
        return hash;
    }
};

/// Parameters of the law that have one number per contact.
using LawColumns = std::map<std::string, std::vector<double>>;

constexpr std::string_view law_prefix = "law.";

/// The arrays named law.PARAMETER. Throws ArgumentError if the law has no such parameter, or one
/// does not accept a number.
LawColumns law_columns(const io::NamedNumbers& given, const laws::Settings& settings,
                       std::size_t contacts) {
    LawColumns columns;
    const laws::Entry& law = *laws::find(settings.name);
    for (const auto& [name, values] : given) {
        if (!name.starts_with(law_prefix)) continue;
        const std::string parameter = name.substr(law_prefix.size());
        const auto found = std::ranges::find(law.parameters, parameter, &laws::Parameter::name);
        if (found == law.parameters.end())
            throw ArgumentError(name + ": the law " + law.name + " has no such parameter");
        if (values.size() != contacts) {
            throw ArgumentError(fmt::format("{}: has {} numbers; expected one per contact, {}",
                                            name, values.size(), contacts));
        }
        for (std::size_t c = 0; c < contacts; ++c) {
            if (found->number_allowed && found->accepts(values[c])) continue;
            throw ArgumentError(fmt::format("{}: of contact {} is {}; expected {}", name, c,
                                            values[c], found->allowed()));
        }
        columns.emplace(parameter, values);
    }
    return columns;
}

/// Each with one number per bead.
struct Materials {
    std::vector<double> modulus, poisson_ratio, yield_stress, bulk_viscosity, shear_viscosity;

    laws::Elasticity of(std::size_t bead) const {
        return {.youngs_modulus = modulus[bead],
                .poisson_ratio = poisson_ratio[bead],
                .yield_stress = yield_stress[bead],
                .bulk_viscosity = bulk_viscosity[bead],
                .shear_viscosity = shear_viscosity[bead]};
    }
};

Materials materials_of(const io::NamedNumbers& given) {
    // A checkpoint of an earlier version has no viscosities.
    const auto viscosity = [&](const char* name) {
        const auto found = given.find(name);
        return found != given.end() ? found->second
                                    : std::vector<double>(given.at("radius").size(), 0.0);
    };
    return {.modulus = given.at("youngs_modulus"),
            .poisson_ratio = given.at("poisson_ratio"),
            .yield_stress = given.at("yield_stress"),
            .bulk_viscosity = viscosity("bulk_viscosity"),
            .shear_viscosity = viscosity("shear_viscosity")};
}

/// The contact whose beads approach fastest at the start; walls are not looked at.
chain::Approach fastest_beads(const std::vector<double>& velocity) {
    chain::Approach fastest;
    for (std::size_t c = 1; c < velocity.size(); ++c) {
        const double speed = velocity[c - 1] - velocity[c];
        if (speed > fastest.speed) fastest = {.speed = speed, .contact = c};
    }
    return fastest;
}

/// The laws of all contacts; contacts with equal laws share one.
void add_laws(chain::ChainArrays& arrays, const Materials& materials,
              const std::optional<ArrayShapes>& shapes, laws::Settings settings,
              const LawColumns& columns) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const std::size_t n = arrays.radius.size();
    if (!chain::resolve_impact_speed(settings, fastest_beads(arrays.velocity).speed))
        throw InputError(std::string("law.impact_speed: ") + chain::no_impact_speed);
    const auto contact_mass = [&](std::size_t bead) {
        const bool fixed = (arrays.left_fixed && bead == 0) ||
                           (arrays.right_fixed && bead + 1 == n) || arrays.elements.drives(bead);
        return fixed ? infinite : arrays.mass[bead];
    };
    const auto surface = [&](std::size_t bead) {
        return chain::BeadSurface{.radius = arrays.radius[bead],
                                  .shape = shapes ? shapes->shape[bead] : chain::BeadShape{},
                                  .mass = contact_mass(bead),
                                  .material = materials.of(bead)};
    };
    const auto wall = [&](std::size_t bead) {
        return chain::wall_contact(surface(bead), materials.of(bead));
    };
    chain::Numbering<LawInput, LawInputHash> kinds;
    for (std::size_t c = 0; c <= n; ++c) {
        // An end without a wall gets the law of the next contact, so that a uniform chain stays
        // uniform.
        const bool open = (c == 0 || c == n) && (arrays.gap.empty() || arrays.gap[c] == infinite);
        const std::size_t right = open && n > 1 ? std::clamp<std::size_t>(c, 1, n - 1) : c;
        const laws::Contact contact =
            right == 0   ? wall(0)
            : right == n ? wall(n - 1)
                         : chain::bead_contact(surface(right - 1), surface(right),
                                               shapes ? shapes->angle[right] : 0.0);
        std::vector<double> own;
        for (const auto& [parameter, values] : columns) {
            own.push_back(values[right]);
            settings.values.insert_or_assign(parameter, own.back());
        }
        const auto [kind, is_new] = kinds({contact, std::move(own)});
        if (is_new) arrays.laws.push_back(laws::make(contact, settings));
        arrays.law.push_back(kind);
    }
}

void check_sizes(const chain::ChainArrays& arrays, const Materials& materials) {
    const std::size_t n = arrays.radius.size();
    if (n == 0) throw ArgumentError("no beads; expected at least one radius");
    for (const std::vector<double>* column :
         {&arrays.mass, &arrays.velocity, &materials.modulus, &materials.poisson_ratio,
          &materials.yield_stress, &materials.bulk_viscosity, &materials.shear_viscosity}) {
        if (column->size() != n) throw ArgumentError("an array has another length than `radius`");
    }
    for (std::size_t i = 0; i < n; ++i) {
        const laws::Elasticity e = materials.of(i);
        if (!(e.youngs_modulus > 0.0 && e.poisson_ratio > -1.0 && e.poisson_ratio <= 0.5 &&
              e.yield_stress >= 0.0 && e.bulk_viscosity >= 0.0 && e.shear_viscosity >= 0.0)) {
            throw ArgumentError(
                "material of bead " + std::to_string(i) +
                ": expected a Young's modulus above 0 Pa, a Poisson ratio in (-1, 0.5], a yield "
                "stress from 0 Pa and viscosities from 0 Pa s");
        }
        if (!(arrays.radius[i] > 0.0 && arrays.mass[i] > 0.0)) {
            throw ArgumentError("bead " + std::to_string(i) +
                                ": expected a radius above 0 m and a mass above 0 kg");
        }
    }
}

/// Throws ArgumentError where beads that are no spheres overlap by more than they are bent.
void check_overlaps(const chain::Chain& chain, const ArrayShapes& shapes) {
    const std::size_t n = chain.beads();
    const auto most = [&](std::size_t bead) {
        return chain.radius[bead] * shapes.shape[bead].sharpest();
    };
    for (std::size_t c = 0; c <= n; ++c) {
        const double limit = std::min(most(c > 0 ? c - 1 : 0), most(c < n ? c : n - 1));
        if (!(-chain.start_gap(c) > limit)) continue;
        throw ArgumentError(fmt::format(
            "gap: contact {} is compressed by {:.3g} m at the start; expected at most {:.3g} m, "
            "the smaller radius of curvature there",
            c, -chain.start_gap(c), limit));
    }
}

}  // namespace

std::shared_ptr<ArrayChainJob> make_array_chain(const io::NamedNumbers& given,
                                                const std::string& toml,
                                                std::optional<io::NamedFiles> files) {
    const std::vector<double>& ends = given.at("ends");
    chain::ChainArrays arrays{.radius = given.at("radius"),
                              .mass = given.at("mass"),
                              .velocity = given.at("velocity"),
                              .gap = given.at("gap"),
                              .law = {},
                              .laws = {},
                              .left_fixed = ends.at(0) != 0.0,
                              .right_fixed = ends.at(1) != 0.0,
                              .gravity = given.at("gravity").at(0)};
    const Materials materials = materials_of(given);
    check_sizes(arrays, materials);
    io::ReadScenario read =
        io::read_run_of_chain(io::parse_toml(toml, "Chain"),
                              static_cast<std::int64_t>(arrays.radius.size()), std::move(files));
    chain::check_sleep(read.scenario);
    chain::Chain beads;
    beads.mass = arrays.mass;
    beads.velocity = arrays.velocity;
    beads.gap = arrays.gap;
    chain::add_elements(read.scenario, beads);
    chain::add_bonds(read.scenario, beads);
    beads.left_fixed = arrays.left_fixed;
    beads.right_fixed = arrays.right_fixed;
    chain::give_velocities(read.scenario, beads);
    for (std::size_t i = 0; i < arrays.velocity.size(); ++i)
        if (!beads.is_held(i)) arrays.velocity[i] = beads.velocity[i];
    arrays.elements = beads.elements;
    arrays.loads = beads.loads;
    const std::optional<ArrayShapes> shapes = shapes_of(given);
    add_laws(arrays, materials, shapes, read.scenario.law,
             law_columns(given, read.scenario.law, arrays.radius.size() + 1));
    chain::Chain chain = chain::make_chain(arrays);
    if (!chain.elements.pair_forces.empty()) chain::solve_pair_equilibrium(read.scenario, chain);
    chain::place_beads(read.scenario, chain);
    if (shapes) check_overlaps(chain, *shapes);
    return std::make_shared<ArrayChainJob>(std::move(read), std::move(chain), toml, given);
}

chain::ContactBodies ArrayChainJob::contact_bodies() const {
    const chain::Chain& beads = system();
    const Materials materials = materials_of(arrays_);
    chain::ContactBodies bodies{.radius = beads.radius,
                                .mass = beads.mass,
                                .material = {},
                                .left_wall = materials.of(0),
                                .right_wall = materials.of(beads.beads() - 1),
                                .law = scenario().law,
                                .own_parameters = {}};
    for (std::size_t i = 0; i < beads.beads(); ++i) {
        if (beads.is_held(i)) bodies.mass[i] = std::numeric_limits<double>::infinity();
        bodies.material.push_back(materials.of(i));
    }
    if (auto shapes = shapes_of(arrays_)) {
        bodies.shape = std::move(shapes->shape);
        bodies.angle = std::move(shapes->angle);
    }
    for (auto& [name, values] : law_columns(arrays_, bodies.law, beads.gap.size()))
        bodies.own_parameters.emplace(name, values);
    const auto [speed, contact] = fastest_beads(beads.velocity);
    const bool own_speed = bodies.own_parameters.contains("impact_speed");
    if (bodies.law.is("impact_speed", "initial") && speed > 0.0 && !own_speed)
        bodies.fastest = contact;
    chain::resolve_impact_speed(bodies.law, speed);
    return bodies;
}

namespace {

std::shared_ptr<jobs::Job> chain_of(const Numbers& radius, const Numbers& mass,
                                    const Numbers& velocity, const Numbers& gap,
                                    const Numbers& modulus, const Numbers& poisson_ratio,
                                    const Numbers& yield_stress, const Numbers& bulk_viscosity,
                                    const Numbers& shear_viscosity, bool left_fixed,
                                    bool right_fixed, double gravity, const std::string& toml,
                                    const std::map<std::string, Numbers>& law,
                                    const std::map<std::string, Numbers>& shape) {
    io::NamedNumbers arrays{
        {"radius", copied(radius)},
        {"mass", copied(mass)},
        {"velocity", copied(velocity)},
        {"gap", copied(gap)},
        {"youngs_modulus", copied(modulus)},
        {"poisson_ratio", copied(poisson_ratio)},
        {"yield_stress", copied(yield_stress)},
        {"bulk_viscosity", copied(bulk_viscosity)},
        {"shear_viscosity", copied(shear_viscosity)},
        {"ends", {left_fixed ? 1.0 : 0.0, right_fixed ? 1.0 : 0.0}},
        {"gravity", {gravity}},
    };
    for (const auto& [parameter, values] : law)
        arrays.emplace(std::string(law_prefix) + parameter, copied(values));
    for (const auto& [name, values] : shape)
        arrays.emplace(name, copied(values));
    if (auto shapes = shapes_of(arrays)) arrays.at("radius") = std::move(shapes->radius);
    return unlocked([&]() -> std::shared_ptr<jobs::Job> { return make_array_chain(arrays, toml); });
}

const RegisterBinding chains([](py::module_& module) { module.def("chain_of", chain_of); });

}  // namespace
}  // namespace beadwave::python

// Packings whose contacts dissipate, the engines that know how much, and their ledgers.
#pragma once

#include "meshes.hpp"
#include "packing/contacts/contact_dissipation.hpp"
#include "packing/packing_engine.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "splitmix.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace beadwave::validation {

// The engines that know what each contact dissipates, for TEST_CASE_TEMPLATE.
struct PlainEngine {
    static std::unique_ptr<packing::PackingEngine> known(const packing::Packing& p, double dt) {
        return packing::make_plain_packing_engine(p, dt, packing::ContactRecords::dissipation);
    }
    static std::unique_ptr<packing::PackingEngine> silent(const packing::Packing& p, double dt) {
        return packing::make_plain_packing_engine(p, dt);
    }
};
struct FastEngine {
    static std::unique_ptr<packing::PackingEngine> known(const packing::Packing& p, double dt,
                                                         int threads = 1) {
        return packing::make_packing_engine(p, dt, threads, nullptr,
                                            packing::ContactRecords::dissipation);
    }
    static std::unique_ptr<packing::PackingEngine> silent(const packing::Packing& p, double dt) {
        return packing::make_packing_engine(p, dt, 1);
    }
};

inline packing::DissipationParts sum_of(const packing::PackingEngine& engine) {
    packing::DissipationParts sum;
    for (const packing::ContactDissipation& each : engine.dissipation())
        sum.add(each.parts);
    return sum;
}

/// The larger of what is there and what came in [J].
inline double scale_of(const packing::PackingTotals& t) {
    return std::max({t.translational + t.rotational + t.stored_normal + t.stored_tangential,
                     std::abs(t.external_work), std::abs(t.inflow_energy)});
}

/// The parts of all contacts are the entries of the totals: both are sums over thousands of steps,
/// in another order.
inline void check_sum(const packing::PackingEngine& engine, double scale) {
    const packing::PackingTotals t = engine.totals();
    const packing::DissipationParts sum = sum_of(engine);
    CHECK_ABSOLUTE(sum.normal, t.dissipated_normal, 1e-13 * scale);
    CHECK_ABSOLUTE(sum.sliding + sum.rolling + sum.twisting, t.dissipated_tangential,
                   1e-13 * scale);
    CHECK_ABSOLUTE(sum.rolling + sum.twisting, t.dissipated_rolling, 1e-13 * scale);
}

/// Of a generator of its own.
struct Draw {
    std::uint64_t drawn = 0;
    double operator()(double from, double to) {
        return from + (to - from) * std::ldexp(static_cast<double>(mixed(++drawn) >> 11), -53);
    }
};

/// Loose soft spheres that fly about and hit each other, with friction, rolling and twisting
/// resistance.
inline packing::Packing loose_packing(const std::string& law, std::size_t count = 30) {
    packing::Packing p = steel_packing(law);
    p.species_list[0].elasticity.youngs_modulus = 1e8;
    p.species_list[0].elasticity.yield_stress = 1e6;
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    p.rolling.coefficient = 0.1;
    p.rolling.twisting_coefficient = 0.2;
    p.rolling.damping_ratio = 0.1;
    Draw draw;
    const double side = 9.0 * steel_radius * std::cbrt(static_cast<double>(count) / 30.0);
    std::vector<double> radii;
    for (std::size_t i = 0; i < count; ++i)
        radii.push_back(steel_radius * draw(0.8, 1.2));
    const auto centres = packing::random_loose(radii, {}, {side, side, side}, 3, 5);
    for (std::size_t i = 0; i < count; ++i) {
        p.add(radii[i], steel_mass(radii[i]), centres[i]);
        p.velocity.back() = {draw(-2, 2), draw(-2, 2), draw(-2, 2)};
        p.angular_velocity.back() = {draw(-300, 300), draw(-300, 300), draw(-300, 300)};
    }
    p.skin = 0.2 * steel_radius;
    p.box.upper = {side, side, side};
    p.box.periodic = {true, true, true};
    return p;
}

/// The same in a box that strains; with `pistons` two of its sides are pressed.
inline packing::Packing straining_packing(const std::string& law, bool pistons) {
    packing::Packing p = loose_packing(law);
    p.box.strain =
        packing::Straining{.rate = {-60.0, 25.0, -40.0}, .shear_rate = {90.0, -30.0, 50.0}};
    if (pistons) {
        p.box.strain = packing::Straining{.rate = {0, 0, -40.0},
                                          .shear_rate = {60.0, 0, 0},
                                          .has_piston = {true, true, false},
                                          .stress = {4e3, 2e3, 0},
                                          .mass = 2e-3,
                                          .damping = 0.05};
    }
    return p;
}

/// That of loose_packing() between a floor that slides, a lid with a mass, and a mesh that turns.
inline packing::Packing packing_between_walls(const std::string& law, std::size_t count = 30) {
    packing::Packing p = loose_packing(law, count);
    p.box.periodic = {};
    p.gravity = {0, 0, -9.81};
    const double side = p.box.upper.z;
    p.walls.push_back({.velocity = {0.3, 0.1, 0.0}});
    p.walls.push_back({.shape = packing::Plane{.point = {0, 0, 1.05 * side}, .normal = {0, 0, -1}},
                       .load = packing::Load{.mass = 3e-3, .force = 0.5}});
    for (const Vec3& normal : {Vec3{1, 0, 0}, Vec3{0, 1, 0}})
        p.walls.push_back(
            {.shape = packing::Plane{.point = -0.05 * side * normal, .normal = normal}});
    p.walls.push_back({.shape = packing::Plane{.point = {1.05 * side, 0, 0}, .normal = {-1, 0, 0}},
                       .drive = stepping::Drive::sine(100.0, 1e-4)});
    // A plate, about a line in which it turns.
    const packing::Mesh plough = mesh_of(plate({-0.1, 0, -0.1}, {0.2, 0, 0}, {0, 0, 0.2}, 4),
                                         {0.5 * side, 1.05 * side, 0.5 * side});
    p.walls.push_back({.shape = plough, .velocity = {0.0, -0.05, 0.02}});
    return p;
}

}  // namespace beadwave::validation

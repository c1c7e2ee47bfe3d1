// Packings with rigid contacts, for several tests.
#pragma once

#include "packing/rigid/rigid_backend.hpp"
#include "packings.hpp"

#include <string>

namespace beadwave::validation {

inline constexpr double standard_gravity = 9.81;

/// No particles yet. e: restitution; mu: coefficient of friction.
inline packing::Packing rigid_packing(double e, double mu, double tolerance = 1e-12) {
    packing::Packing p = steel_packing();
    p.law = laws::rigid_settings(e);
    p.law.values.insert_or_assign("solver_tolerance", tolerance);
    if (mu > 0.0) p.friction = {.law = laws::FrictionLaw::coulomb, .coefficient = mu};
    return p;
}

inline void add_plane(packing::Packing& p, packing::Vec3 point, packing::Vec3 normal,
                      packing::Vec3 velocity = {}) {
    packing::Wall wall;
    wall.shape = packing::Plane{point, normal};
    wall.velocity = velocity;
    p.walls.push_back(wall);
}

/// Force of all particles on a wall [N].
inline packing::Vec3 force_on_wall(const packing::PackingEngine& engine, std::size_t wall) {
    packing::Vec3 sum{};
    for (const packing::ContactState& c : engine.contacts())
        if (c.second == engine.particles() + wall) sum -= c.normal_force + c.tangential_force;
    return sum;
}

}  // namespace beadwave::validation

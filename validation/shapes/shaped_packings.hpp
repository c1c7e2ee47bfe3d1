// Packings of ellipsoids, built in code.
#pragma once

#include "packing/packing_engine.hpp"
#include "scenarios.hpp"
#include "shapes/body.hpp"

#include <algorithm>
#include <string>

namespace beadwave::validation {

/// Of one material, without particles.
inline packing::Packing shaped_packing(double youngs_modulus, const std::string& law = "hertz") {
    packing::Packing p;
    p.species_list = {
        {.name = "glass", .elasticity = {.youngs_modulus = youngs_modulus, .poisson_ratio = 0.25}}};
    p.law = law_settings(law);
    return p;
}

inline void add_body(packing::Packing& p, const shapes::Body& body) {
    const shapes::Vector& a = body.shape.semi_axes;
    p.add(
        shapes::is_ellipsoid(body.shape) ? std::max({a.x, a.y, a.z}) : shapes::farthest(body.shape),
        body.mass, body.shape.centre);
    if (!p.exponents.empty() || !shapes::is_ellipsoid(body.shape)) {
        p.exponents.resize(p.semi_axes.size());
        p.exponents.push_back(body.shape.exponents);
    }
    p.semi_axes.push_back(a);
    p.orientation.push_back(body.shape.orientation);
    p.velocity.back() = body.velocity;
    p.angular_velocity.back() = spin(body);
}

/// The spin of a particle in the axes of its body [rad/s].
inline shapes::Vector body_spin_of(const packing::PackingEngine& engine, std::size_t particle) {
    return to_body(engine.orientation()[particle], engine.angular_velocity()[particle]);
}

/// A body of the packing as it moves now.
inline shapes::Body body_now(const shapes::Body& start, const packing::PackingEngine& engine,
                             std::size_t particle) {
    shapes::Body now = start;
    now.shape.centre += engine.displacement()[particle];
    now.shape.orientation = engine.orientation()[particle];
    now.velocity = engine.velocity()[particle];
    set_spin(now, engine.angular_velocity()[particle]);
    return now;
}

/// Until nothing touches any more; fails the test if that lasts.
inline void advance_until_apart(packing::PackingEngine& engine, int most_steps) {
    bool touched = false;
    for (int s = 0; s < most_steps; ++s) {
        engine.advance(1);
        const bool touches = engine.closed_contacts() > 0;
        if (touched && !touches) return;
        touched = touched || touches;
    }
    FAIL("the bodies do not part");
}

}  // namespace beadwave::validation

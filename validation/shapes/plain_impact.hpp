// An impact on a wall with friction, integrated plainly.
#pragma once

#include "shapes/body.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace beadwave::validation {

/// On the wall z = 0: Hertz's force at the deepest point, and a spring in the wall's plane that
/// follows the material there and is cut where Coulomb's limit is. Heun's method; the state is in
/// space, with the rotation as a matrix of columns.
struct PlainWallImpact {
    using Vector = shapes::Vector;
    shapes::Body body;
    double stiffness, spring_stiffness, mu;

    struct State {
        Vector place, velocity, momentum;
        std::array<Vector, 3> axes;  ///< of the body, in space
        Vector spring;
    };
    struct Force {
        Vector force, arm;
        double overlap, limit;
        Vector slip;  ///< of the material at the point of contact [m/s]
    };

    State start() const {
        const shapes::Quaternion& q = body.shape.orientation;
        return {body.shape.centre,
                body.velocity,
                to_space(q, body.momentum),
                {to_space(q, {1.0, 0.0, 0.0}), to_space(q, {0.0, 1.0, 0.0}),
                 to_space(q, {0.0, 0.0, 1.0})},
                {}};
    }
    Vector spin_of(const State& s) const {
        const double I[] = {body.moments.x, body.moments.y, body.moments.z};
        Vector w{};
        for (std::size_t k = 0; k < 3; ++k)
            w += (dot(s.axes[k], s.momentum) / I[k]) * s.axes[k];
        return w;
    }
    Force force_of(const State& s) const {
        const double a[] = {body.shape.semi_axes.x, body.shape.semi_axes.y, body.shape.semi_axes.z};
        // Downwards: h = |A R^T n|, s(n) = R A^2 R^T n / h.
        double h2 = 0.0;
        Vector deepest{};
        for (std::size_t k = 0; k < 3; ++k) {
            const double along = -s.axes[k].z;
            h2 += a[k] * a[k] * along * along;
            deepest += (a[k] * a[k] * along) * s.axes[k];
        }
        const double h = std::sqrt(h2), overlap = std::max(0.0, h - s.place.z);
        const Vector arm = deepest * (1.0 / h) + Vector{0.0, 0.0, overlap};
        const double normal = stiffness * std::pow(overlap, 1.5);
        Vector slip = s.velocity + cross(spin_of(s), arm);
        slip.z = 0.0;
        const Vector pull = (overlap > 0.0 ? -spring_stiffness : 0.0) * s.spring;
        return {Vector{pull.x, pull.y, normal}, arm, h - s.place.z, mu * normal, slip};
    }
    State rate_of(const State& s) const {
        const Force f = force_of(s);
        const Vector w = spin_of(s);
        State rate{s.velocity, f.force * (1.0 / body.mass), cross(f.arm, f.force), {}, f.slip};
        for (std::size_t k = 0; k < 3; ++k)
            rate.axes[k] = cross(w, s.axes[k]);
        return rate;
    }
    static State moved(const State& s, double time, const State& rate) {
        State next{s.place + time * rate.place,
                   s.velocity + time * rate.velocity,
                   s.momentum + time * rate.momentum,
                   {},
                   s.spring + time * rate.spring};
        for (std::size_t k = 0; k < 3; ++k)
            next.axes[k] = s.axes[k] + time * rate.axes[k];
        return next;
    }
    /// The force of the spring is within the limit.
    void cut(State& s) const {
        const Force f = force_of(s);
        const double pull = spring_stiffness * shapes::length(s.spring);
        if (pull > f.limit) s.spring = s.spring * (f.limit / pull);
    }
    /// Until they part; returns the number of steps that slid.
    int run(State& s, double dt) const {
        int slid = 0;
        for (int step = 0; step < 10'000'000; ++step) {
            const State first = rate_of(s);
            State guess = moved(s, dt, first);
            cut(guess);
            State next = moved(moved(s, 0.5 * dt, first), 0.5 * dt, rate_of(guess));
            const Vector before = next.spring;
            cut(next);
            slid += shapes::length(before - next.spring) > 0.0 ? 1 : 0;
            s = next;
            if (step > 10 && force_of(s).overlap <= 0.0) return slid;
        }
        FAIL("it does not part");
        return 0;
    }
};

}  // namespace beadwave::validation

// An oblique impact of an ellipsoid on a plane wall, with friction, against a plain integration.
#include "relative.hpp"
#include "sanitised.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"
#include "shapes/elliptic_stiffness.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace beadwave::validation::shaped_friction_test {
namespace {

using namespace shapes;

/// On the wall z = 0: Hertz's force at the deepest point, and a spring in the wall's plane that
/// follows the material there and is cut where Coulomb's limit is. Heun's method; the state is in
/// space, with the rotation as a matrix of columns.
struct PlainImpact {
    Body body;
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
        const double pull = spring_stiffness * length(s.spring);
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
            slid += length(before - next.spring) > 0.0 ? 1 : 0;
            s = next;
            if (step > 10 && force_of(s).overlap <= 0.0) return slid;
        }
        FAIL("it does not part");
        return 0;
    }
};

TEST_CASE("an oblique impact with friction is that of a plain integration" *
          doctest::skip(sanitised)) {
    const Ellipsoid shape{.semi_axes = {4e-3, 2.5e-3, 2e-3},
                          .centre = {},
                          .orientation = normalised({0.3, -0.5, 0.7, 0.1})};
    for (const double mu : {0.1, 0.5, 1e3}) {
        Body body = solid(shape, 2500.0);
        body.shape.centre.z = reach(shape, {0.0, 0.0, -1.0});
        body.velocity = {0.8, -0.3, -1.2};
        set_spin(body, {150.0, -80.0, 200.0});
        const double modulus = 1e9;
        packing::Packing p = shaped_packing(modulus);
        p.walls.push_back({});
        p.friction = {.law = laws::FrictionLaw::linear, .coefficient = mu, .stiffness = 3e5};
        add_body(p, body);

        const laws::Elasticity& glass = p.species_list[0].elasticity;
        const PlainImpact plain{
            .body = body,
            .stiffness = laws::hertz_stiffness(
                laws::effective_modulus(glass, glass),
                ellipse(contact(body.shape, HalfSpace{{0.0, 0.0, 1.0}, 0.0})).equivalent_radius),
            .spring_stiffness = 3e5,
            .mu = mu};
        const Quaternion& q = shape.orientation;
        PlainImpact::State state{body.shape.centre,
                                 body.velocity,
                                 to_space(q, body.momentum),
                                 {to_space(q, {1.0, 0.0, 0.0}), to_space(q, {0.0, 1.0, 0.0}),
                                  to_space(q, {0.0, 0.0, 1.0})},
                                 {}};
        const int slid = plain.run(state, 2e-10);

        struct Rebound {
            Vector velocity, momentum;
        };
        const auto rebound_at = [&](double dt) {
            const auto engine = packing::make_packing_engine(p, dt, 1);
            advance_until_apart(*engine, 100'000);
            const Body now = body_now(body, *engine, 0);
            return Rebound{now.velocity, to_space(now.shape.orientation, now.momentum)};
        };
        const auto error_of = [&](const Rebound& r) {
            return std::max(length(r.velocity - state.velocity) / length(body.velocity),
                            length(r.momentum - state.momentum) / length(state.momentum));
        };
        const Rebound coarse = rebound_at(8e-8), fine = rebound_at(2e-8);
        const double coarse_error = error_of(coarse), fine_error = error_of(fine);
        MESSAGE("mu ", mu, ": slid ", slid, " steps, errors ", coarse_error, ", ", fine_error);
        if (mu > 1.0) {  // it sticks: of second order
            CHECK(fine_error < 2e-5);
            CHECK(fine_error < coarse_error / 8.0);
            continue;
        }
        // What a sliding spring turns by in a step, Coulomb's limit cuts at the end of the step:
        // of first order, also between spheres. The error of this order is extrapolated away.
        CHECK(slid > 100'000);
        CHECK(fine_error < 2e-4);
        CHECK_RELATIVE(coarse_error / fine_error, 4.0, 0.1);
        const double third = 1.0 / 3.0;
        const double rest = error_of({fine.velocity + third * (fine.velocity - coarse.velocity),
                                      fine.momentum + third * (fine.momentum - coarse.momentum)});
        MESSAGE("extrapolated ", rest);
        CHECK(rest < 5e-6);
    }
}

}  // namespace
}  // namespace beadwave::validation::shaped_friction_test

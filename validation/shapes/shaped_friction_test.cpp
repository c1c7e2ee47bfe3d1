// An oblique impact of an ellipsoid on a plane wall, with friction, against a plain integration.
#include "plain_impact.hpp"
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
        const PlainWallImpact plain{
            .body = body,
            .stiffness = laws::hertz_stiffness(
                laws::effective_modulus(glass, glass),
                ellipse(contact(body.shape, HalfSpace{{0.0, 0.0, 1.0}, 0.0})).equivalent_radius),
            .spring_stiffness = 3e5,
            .mu = mu};
        PlainWallImpact::State state = plain.start();
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

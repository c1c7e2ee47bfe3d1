// A sphere in a tilted cylinder of N flat sides, against the cylinder, as N grows.
//
// The sides touch the cylinder. So the surface is farther out by up to h^2 / 8R (h: width of a
// side) and by h^2 / 24R in the mean, and its direction is off by up to h / 2R, by nothing in the
// mean. Where the sphere moves over the sides these errors average out and its path approaches that
// in the cylinder as h^2. Two things hide this order:
//
// - A start from rest. Until the sphere leaves its first side, which takes a time like sqrt(h), its
//   acceleration is off by g h / 2R. So it arrives too early or too late by a time like h^1.5. Its
//   path is right in the second order, but not when it is where.
// - Long steps. A step across an edge sees one of the two directions for its whole length. Its
//   energy is off by up to F v dt h / R with a sign that depends on where in the step the edge is:
//   after n edges by sqrt(n) of that. The step has to shrink with h^1.5 so as not to hide h^2.

#include "meshes.hpp"
#include "packing_engines.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace beadwave::validation::mesh_convergence_test {

using packing::Revolved;

namespace {

constexpr double g = 9.81, radius = 0.05;
const Vec3 axis = (1.0 / std::sqrt(1.25)) * Vec3{0.0, 1.0, 0.5};
/// From the axis to where the sphere starts: one radian from the lowest line.
const Vec3 outwards{std::sin(1.0), 0.5 * std::cos(1.0) / std::sqrt(1.25),
                    -std::cos(1.0) / std::sqrt(1.25)};

/// Around and along the cylinder [m/s]; the wall carries the sphere from the start.
packing::Packing at_speed(double around, double along) {
    packing::Packing p = steel_packing();
    // So soft that the sphere feels several sides while it would bounce once.
    p.species_list[0].elasticity.youngs_modulus = 3e4;
    p.add(steel_radius, steel_mass(steel_radius), {});
    const double modulus =
        p.species_list[0].elasticity.youngs_modulus / (2.0 * (1.0 - steel_ratio * steel_ratio));
    const double weight = p.mass[0] * (around * around / (radius - steel_radius) - g * outwards.z);
    const double overlap =
        std::pow(weight / (4.0 / 3.0 * modulus * std::sqrt(steel_radius)), 2.0 / 3.0);
    p.position[0] = (radius - steel_radius + overlap) * outwards;
    p.velocity[0] = around * cross(axis, outwards) + along * axis;
    p.gravity = {0, 0, -g};
    return p;
}

struct End {
    Vec3 place, velocity, angular_velocity;
};

End end_of(packing::Packing p, packing::WallShape shape, double dt, double duration,
           const EngineMaker& make) {
    p.walls.push_back({.shape = std::move(shape)});
    const auto engine = make(p, dt);
    engine->advance(std::lround(duration / dt));
    return {p.position[0] + engine->displacement()[0], engine->velocity()[0],
            engine->angular_velocity()[0]};
}

/// Root of the mean squares, over several positions of the sides.
struct Errors {
    double place, across;               ///< across: from the axis [m]
    double velocity, angular_velocity;  ///< [m/s], [rad/s]
};

Errors errors(const packing::Packing& p, const End& exact, int sides, int positions, double dt,
              double duration, const EngineMaker& make) {
    std::array<double, 4> squares{};
    for (int k = 0; k < positions; ++k) {
        const double phase = static_cast<double>(k) / positions;
        const End end =
            end_of(p, mesh_of(tube(axis, radius, 0.2, sides, 16, phase)), dt, duration, make);
        const auto from_axis = [](const Vec3& v) { return size_of(v - dot(v, axis) * axis); };
        const std::array<double, 4> off{size_of(end.place - exact.place),
                                        from_axis(end.place) - from_axis(exact.place),
                                        size_of(end.velocity - exact.velocity),
                                        size_of(end.angular_velocity - exact.angular_velocity)};
        for (std::size_t i = 0; i < off.size(); ++i)
            squares[i] += off[i] * off[i] / positions;
    }
    return {std::sqrt(squares[0]), std::sqrt(squares[1]), std::sqrt(squares[2]),
            std::sqrt(squares[3])};
}

}  // namespace

TEST_CASE("a path in a cylinder of triangles approaches that in the cylinder as their square" *
          doctest::skip(sanitised)) {
    // It arrives before it turns back.
    const double dt = 2e-6, duration = 0.1;
    for (const double friction : {0.0, 0.2}) {
        packing::Packing p = at_speed(0.5, 0.15);
        if (friction > 0.0)
            p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = friction};
        const EngineMaker& make = engine_makers[friction > 0.0 ? 0 : 1];
        const End exact = end_of(p, Revolved::cylinder({}, axis, radius), dt, duration, make);
        REQUIRE(size_of(exact.place - p.position[0]) > 0.05);
        REQUIRE(size_of(exact.velocity) > 0.4);
        std::vector<Errors> error;
        for (const int sides :
             {62, 250, 1000}) {  // as wide as 124, 500 and 2000 triangles would be
            error.push_back(errors(p, exact, sides, 4, dt, duration, make));
            MESSAGE(sides, " sides, friction ", friction, ": ", error.back().place, " m, ",
                    error.back().velocity, " m/s, ", error.back().angular_velocity, " rad/s");
        }
        const auto check_orders = [&](auto member) {
            CHECK(std::log2(error[0].*member / error[1].*member) / 2.0 > 1.85);
            CHECK(std::log2(error[1].*member / error[2].*member) / 2.0 > 1.85);
            CHECK(std::log2(error[0].*member / error[2].*member) / 4.0 > 1.95);
        };
        check_orders(&Errors::place);
        check_orders(&Errors::velocity);
        if (friction > 0.0) check_orders(&Errors::angular_velocity);
        CHECK(error.back().place < 2.5e-7);
    }
}

TEST_CASE("from rest the first triangle shifts the time of a path, not its place" *
          doctest::skip(sanitised)) {
    const double dt = 2e-6, duration = 0.15;
    const packing::Packing p = at_speed(0.0, 0.0);
    const EngineMaker& make = engine_makers[1];
    const End exact = end_of(p, Revolved::cylinder({}, axis, radius), dt, duration, make);
    const Errors coarse = errors(p, exact, 125, 8, dt, duration, make),
                 fine = errors(p, exact, 500, 8, dt, duration, make);
    MESSAGE("errors [m]: ", coarse.place, " ", fine.place, "; across: ", coarse.across, " ",
            fine.across);
    CHECK(std::log2(coarse.across / fine.across) / 2.0 > 1.9);
    CHECK_ABSOLUTE(std::log2(coarse.place / fine.place) / 2.0, 1.5, 0.15);
    CHECK(fine.across < 0.1 * fine.place);
}

}  // namespace beadwave::validation::mesh_convergence_test

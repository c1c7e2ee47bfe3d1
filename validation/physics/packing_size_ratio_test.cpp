// A small sphere on large ones: spheres of a size ratio of 20.

#include "packing_engines.hpp"
#include "packings.hpp"
#include "relative.hpp"

#include <cmath>

namespace beadwave::validation::packing_size_ratio_test {

using packing::Vec3;

TEST_CASE("a sphere rolls down the groove between two fixed ones of 20 times its radius") {
    // It touches both beside its equator, at h = r rho/(R + r) from the axis about which it rolls,
    // and its centre moves on a circle of the radius rho: m v^2 (1 + (2/5) r^2/h^2)/2 = m g height.
    constexpr double g = 9.81, large = 20e-3, small = 1e-3, start = 0.2;
    packing::Packing p;
    p.species_list = {
        {.name = "glass", .elasticity = {.youngs_modulus = 1e9, .poisson_ratio = 0.25}}};
    p.law = law_settings("hertz");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.6};
    p.gravity = {0.0, 0.0, -g};
    const double mass = 4.0 / 3.0 * std::numbers::pi * small * small * small * 2500.0;
    // Pressed into both by its weight.
    const double radius = large * small / (large + small);
    const double modulus = 0.5 * 1e9 / (1.0 - 0.25 * 0.25);
    const double steep = std::sqrt((large + small) * (large + small) - large * large);
    const double force = 0.5 * mass * g * std::cos(start) * (large + small) / steep;
    const double overlap = std::pow(0.75 * force / (modulus * std::sqrt(radius)), 2.0 / 3.0);
    const double apart = large + small - overlap;
    const double rho = std::sqrt(apart * apart - large * large);
    for (const double x : {-large, large})
        p.add(large, 1.0, {x, 0.0, 0.0});
    p.fixed = {true, true};
    p.add(small, mass, {0.0, rho * std::sin(start), rho * std::cos(start)});
    const double arm = (small - overlap * small / (large + small)) * rho / apart;
    const double rolls = 1.0 + 0.4 * small * small / (arm * arm);
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 2e-6);
        double angle = start;
        int looks = 0;
        while (angle < 0.6) {
            engine->advance(1000);
            const Vec3 at = p.position[2] + engine->displacement()[2];
            angle = std::atan2(at.y, at.z);
            const double v = size_of(engine->velocity()[2]);
            const double expected =
                std::sqrt(2.0 * g * rho * (std::cos(start) - std::cos(angle)) / rolls);
            CAPTURE(angle);
            // Its springs of friction start without force and oscillate.
            if (angle > 0.25) CHECK(v == doctest::Approx(expected).epsilon(3e-3));
            CHECK(std::abs(at.x) < 1e-12);
            REQUIRE(++looks < 1000);
        }
        CHECK(looks > 20);
    }
}

}  // namespace beadwave::validation::packing_size_ratio_test

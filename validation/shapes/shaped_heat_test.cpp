// What contacts of ellipsoids and clumps dissipate, and the heat that it makes: sums against the
// ledger, on from a saved state, conduction against closed forms, the balance of heat.

#include "clump_packings.hpp"
#include "dissipating_packings.hpp"
#include "packing/heat/heat.hpp"
#include "packing/packing_engine.hpp"
#include "saved_packings.hpp"
#include "shaped_packings.hpp"

#include <cmath>
#include <memory>
#include <vector>

namespace beadwave::validation::shaped_heat_test {
namespace {

using packing::ContactRecords;
using packing::Vec3;

constexpr double density = 2500.0;

shapes::Quaternion unit(const Draw& at, std::uint64_t seed) {
    Draw draw{at.drawn + seed};
    const double w = draw(-1, 1), x = draw(-1, 1), y = draw(-1, 1), z = draw(-1, 1);
    const double length = std::sqrt(w * w + x * x + y * y + z * z);
    return {w / length, x / length, y / length, z / length};
}

/// Bodies that fall on a floor that slides and hit each other between walls.
packing::Packing falling(bool clumps, const char* law) {
    packing::Packing p = shaped_packing(1e7, law);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    p.gravity = {0, 0, -9.81};
    const auto dumb = dumbbell(1.5e-3, 2e-3);
    Draw draw;
    for (int i = 0; i < 12; ++i) {
        const Vec3 place{6e-3 * (i % 2), 6e-3 * (i / 2 % 2), 4e-3 + 6e-3 * (i / 4)};
        const shapes::Quaternion orientation = unit(draw, 10 * static_cast<std::uint64_t>(i));
        if (clumps) {
            add_clump(p, dumb, density, place, orientation);
        } else {
            const Vec3 axes{2.5e-3, 2e-3, 1.5e-3};
            p.add(axes.x, density * 4.188790204786391 * axes.x * axes.y * axes.z, place);
            p.semi_axes.push_back(axes);
            p.orientation.push_back(orientation);
        }
        p.velocity.back() = {draw(-0.3, 0.3), draw(-0.3, 0.3), draw(-0.6, 0.0)};
        p.angular_velocity.back() = {draw(-50, 50), draw(-50, 50), draw(-50, 50)};
    }
    p.walls.push_back({.velocity = {0.2, 0.0, 0.0}});
    for (const Vec3& normal : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, -1, 0}})
        p.walls.push_back({.shape = packing::Plane{.point = Vec3{3e-3, 3e-3, 0} - 6e-3 * normal,
                                                   .normal = normal}});
    return p;
}

std::unique_ptr<packing::PackingEngine> known(const packing::Packing& p, double dt) {
    return packing::make_packing_engine(p, dt, 1, nullptr, ContactRecords::dissipation);
}

void warm(packing::Packing& p, double conductivity, std::vector<double> start) {
    const std::size_t n = p.particles();
    p.heat = packing::HeatBodies{.start = std::move(start),
                                 .specific_heat = std::vector<double>(n, 800.0),
                                 .conductivity = std::vector<double>(n, conductivity),
                                 .walls = std::vector<packing::WarmWall>(p.walls.size())};
}

}  // namespace

TEST_CASE("contacts of ellipsoids and clumps add up to the ledger, also from a saved state") {
    for (const bool clumps : {false, true}) {
        // Contacts of balls of clumps are circles, which laws that yield need.
        for (const char* law : {"tsuji", clumps ? "thornton" : "hertz"}) {
            CAPTURE(clumps);
            CAPTURE(law);
            packing::Packing p = falling(clumps, law);
            p.species_list[0].elasticity.yield_stress = 1e5;
            const auto engine = known(p, 2e-6), silent = packing::make_packing_engine(p, 2e-6, 1);
            double scale = scale_of(engine->totals());
            std::unique_ptr<packing::PackingEngine> other;
            for (int part = 0; part < 4; ++part) {
                engine->advance(2500);
                silent->advance(2500);
                if (other) other->advance(2500);
                scale = std::max(scale, scale_of(engine->totals()));
                check_sum(*engine, scale);
                if (part == 1) {
                    other = known(p, 2e-6);
                    restore(*other, engine->step(), saved(*engine));
                }
            }
            CHECK(sum_of(*engine).sum() > 1e-2 * scale);
            const auto one = engine->dissipation(), two = other->dissipation();
            REQUIRE(one.size() == two.size());
            CHECK(one.size() > 12);
            for (std::size_t k = 0; k < one.size(); ++k) {
                CHECK(one[k].parts.normal == two[k].parts.normal);
                CHECK(one[k].parts.sliding == two[k].parts.sliding);
            }
            // Accounts change no bit of the motion.
            CHECK(engine->motion(3).displacement == silent->motion(3).displacement);
        }
    }
}

TEST_CASE("two ellipsoids that touch along an ellipse exchange heat by the product of its axes") {
    // Hertz: with A the curvature along the longer half axis a over two, e its eccentricity and K
    // and E the elliptic integrals of e, a b / overlap = (b / a) (K - E) / (A e^2 K), and
    // B / A = ((a / b)^2 E - K) / (K - E).
    const Vec3 axes{3e-3, 2e-3, 1.5e-3};
    const double along = axes.z / (axes.x * axes.x), across = axes.z / (axes.y * axes.y);
    double low = 1e-9, high = 1.0 - 1e-9, e = 0.0;
    const auto ratio = [](double k) {
        const double K = std::comp_ellint_1(k), E = std::comp_ellint_2(k);
        return (E / (1.0 - k * k) - K) / (K - E);
    };
    for (int i = 0; i < 200; ++i) {
        e = 0.5 * (low + high);
        (ratio(e) < across / along ? low : high) = e;
    }
    const double K = std::comp_ellint_1(e), E = std::comp_ellint_2(e);
    const double spot = std::sqrt(1.0 - e * e) * (K - E) / (along * e * e * K);

    packing::Packing p = shaped_packing(1e7);
    constexpr double overlap = 1e-6, conductivity = 3e4, dt = 1e-5;
    for (const double z : {0.0, 2.0 * axes.z - overlap}) {
        p.add(axes.x, density * 4.188790204786391 * axes.x * axes.y * axes.z, {0, 0, z});
        p.semi_axes.push_back(axes);
        p.orientation.emplace_back();
    }
    p.fixed.assign(2, false);
    p.fixed[0] = true;
    // The upper one rests: its weight is the force.
    const auto pressed = known(p, dt)->contacts();
    REQUIRE(pressed.size() == 1);
    p.gravity = {0, 0, -std::abs(pressed[0].normal_force.z) / p.mass[1]};
    warm(p, conductivity, {320.0, 300.0});
    packing::PackingEngine engine = std::move(*known(p, dt));
    engine.follow_dissipation(p, false);
    REQUIRE(engine.contacts().size() == 1);
    // The curvatures are those at the touch: an overlap of 1e-3 of the axis changes nothing.
    CHECK_RELATIVE(engine.contacts()[0].spot, spot, 1e-9);
    engine.advance(1000);
    const double conductance = 2.0 * conductivity * std::sqrt(spot * overlap);
    const double rate = 2.0 * conductance / (p.mass[0] * 800.0);
    const double left = (engine.heat()->temperature(0) - engine.heat()->temperature(1)) / 20.0;
    CHECK(left < 0.9);
    CHECK_RELATIVE(left, std::exp(-rate * 1000 * dt), 1e-6);
}

TEST_CASE("what ellipsoids and clumps dissipate warms them, and adds up") {
    for (const bool clumps : {false, true}) {
        CAPTURE(clumps);
        packing::Packing p = falling(clumps, "tsuji");
        warm(p, 1e3, std::vector<double>(p.particles(), 300.0));
        p.heat->walls[0] = {.temperature = 300.0, .conductivity = 1e3};
        packing::PackingEngine engine = std::move(*known(p, 2e-6));
        engine.follow_dissipation(p, false);
        engine.advance(6000);
        const double dissipated = sum_of(engine).sum();
        const packing::HeatTotals heat = engine.heat()->totals(engine.population(), dissipated);
        CHECK(dissipated > 1e-6);
        CHECK(heat.particles > 0.0);
        CHECK(heat.walls > 0.0);
        CHECK(std::abs(heat.error()) <= 1e-12 * dissipated);
        double largest = 0.0;
        for (std::size_t i = 0; i < p.particles(); ++i)
            largest = std::max(largest, engine.heat()->adiabatic_rise(i));
        CHECK(largest > 0.0);
    }
}

}  // namespace beadwave::validation::shaped_heat_test

// Where poured particles come, and with which radii.

#include "packing/build/radius_law.hpp"
#include "packing_engines.hpp"
#include "poured_packings.hpp"
#include "relative.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace beadwave::validation::packing_flow_places_test {

using packing::Packing;
using packing::Population;
using packing::Presence;
using packing::Vec3;

namespace {

constexpr double radius = 2e-3;

}  // namespace

TEST_CASE("a particle comes only where it touches nothing, and waits until there is room") {
    // The region has room for one sphere at a time; with 1 m/s it is free after 4 ms.
    constexpr double dt = 1e-5;
    for (const EngineMaker& make : engine_makers) {
        Packing p = soft_packing("tsuji");
        p.gravity = {};
        add_pour(p, 6, radius,
                 {{-1.01 * radius, -1.01 * radius, -1.01 * radius},
                  {1.01 * radius, 1.01 * radius, 1.01 * radius}},
                 0.0, {0, 0, -1.0});
        const auto engine = make(p, dt);
        engine->advance(3000);
        const Population& population = engine->population();
        CHECK(population.count(Presence::inside) == 6);
        for (std::size_t i = 1; i < 6; ++i) {
            const std::int64_t wait = population.entry_step(i) - population.entry_step(i - 1);
            CHECK(wait >= 396);  // 3.96 ms for the last hundredth of the region
            CHECK(wait <= 404 + Population::retry_steps + Population::check_steps);
        }
        CHECK(engine->totals().dissipated_normal == 0.0);
        CHECK(engine->closed_contacts() == 0);
    }
    // A dense rain between walls and periodic sides, round a large sphere.
    Packing p = soft_packing("tsuji");
    p.box = {.lower = {-0.01, 0, 0}, .upper = {0.01, 1, 1}, .periodic = {true, false, false}};
    p.walls.push_back({.shape = packing::Plane{.point = {0, -0.01, 0}, .normal = {0, 1, 0}}});
    p.walls.push_back({.shape = packing::Revolved::cylinder({0, 0.012, 0}, {1, 0, 0}, 0.002)});
    p.add(0.004, steel_mass(0.004), {0.009, 0, 0});
    add_pour(p, 400, 1e-3, {{-0.01, -0.02, -0.01}, {0.01, 0.012, 0.01}}, 0.0, {});
    const auto engine = packing::make_packing_engine(p, 1e-6, 1);
    engine->advance(1);  // they move by 1e-11 m
    const std::vector<Vec3> moved = engine->displacement();
    std::vector<std::size_t> there;
    for (std::size_t i = 0; i < p.particles(); ++i)
        if (!engine->population().is_absent(i)) there.push_back(i);
    CHECK(there.size() > 150);
    CHECK(there.size() < 401);
    double nearest = 1.0, wall = 1.0;
    for (const std::size_t i : there) {
        const Vec3 a = p.position[i] + moved[i];
        for (const packing::Wall& each : p.walls)
            wall = std::min(wall, each.closest(a, {}).distance - p.radius[i]);
        for (const std::size_t j : there) {
            for (int image = -1; image <= 1; ++image) {
                if (j < i || (i == j && image == 0)) continue;
                const Vec3 d = p.position[j] + moved[j] + Vec3{0.02 * image, 0, 0} - a;
                nearest = std::min(nearest, std::sqrt(dot(d, d)) - p.radius[i] - p.radius[j]);
            }
        }
    }
    CHECK(nearest > -1e-9);
    CHECK(nearest < 1e-4);
    CHECK(wall > -1e-9);
    CHECK(engine->closed_contacts() == 0);
}

TEST_CASE("poured places are uniform, and their radii have the distribution that is asked for") {
    // 4,000 spheres of 0.1 mm come at once in a box of 1 m: none is in the way of another. The
    // tolerances are four standard errors: of a mean s / sqrt(n), of a deviation of s about
    // s / sqrt(2 n) times a factor for the tail, of uniform places 1 / sqrt(12 n) of the width.
    constexpr std::size_t count = 4000;
    constexpr double n = count, mean = 1e-4, deviation = 0.3;
    Packing p = soft_packing("hertz");
    const packing::Region region{{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
    add_pour(p, count, mean, region, 0.0, {});
    p.radius = packing::draw_radii({.kind = packing::RadiusKind::lognormal, .deviation = deviation},
                                   mean, 11, count);
    for (std::size_t i = 0; i < count; ++i)
        p.mass[i] = steel_mass(p.radius[i]);
    const auto engine = packing::make_packing_engine(p, 1e-6, 1);
    engine->advance(1);
    CHECK(engine->population().count(Presence::inside) == count);
    const std::vector<Vec3> moved = engine->displacement();
    double sum = 0.0, squares = 0.0;
    Vec3 centre{}, spread{};
    for (std::size_t i = 0; i < count; ++i) {
        sum += p.radius[i];
        squares += p.radius[i] * p.radius[i];
        const Vec3 at = p.position[i] + moved[i];
        centre += (1.0 / n) * at;
        spread += (1.0 / n) * Vec3{at.x * at.x, at.y * at.y, at.z * at.z};
    }
    const double found = std::sqrt(squares / n - sum / n * (sum / n)) / mean;
    CHECK_RELATIVE(sum / n, mean, 4.0 * deviation / std::sqrt(n));
    CHECK_RELATIVE(found, deviation, 4.0 * 1.4 / std::sqrt(2.0 * n));
    for (double Vec3::*k : {&Vec3::x, &Vec3::y, &Vec3::z}) {
        CHECK_ABSOLUTE(centre.*k, 0.0, 4.0 / std::sqrt(12.0 * n));
        // The variance of x^2 is 1/80 - 1/144 of the fourth power of the width.
        CHECK_ABSOLUTE(spread.*k, 1.0 / 12.0, 4.0 * std::sqrt((1.0 / 80.0 - 1.0 / 144.0) / n));
    }
}

}  // namespace beadwave::validation::packing_flow_places_test

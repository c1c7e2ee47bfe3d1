// Random packings that are pressed before a run: where they jam, and how many contacts they have.

#include "beadwave/argument_error.hpp"
#include "chaotic.hpp"
#include "packing/build/press.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "splitmix.hpp"

#include <cmath>
#include <cstdint>

namespace beadwave::validation::pressed_packing_test {

using packing::Vec3;

namespace {

packing::Packing loose(std::size_t count, double spread, std::uint64_t seed) {
    packing::Packing p = steel_packing();
    p.species_list[0].elasticity.youngs_modulus = 1e9;
    std::vector<double> radii;
    for (std::size_t i = 0; i < count; ++i) {
        const double u = std::ldexp(static_cast<double>(mixed(seed * 1000003 + i) >> 11), -53);
        radii.push_back(1e-3 * (1.0 + spread * (2.0 * u - 1.0)));
    }
    const double side = std::cbrt(static_cast<double>(count) * 4.19e-9 / 0.2);
    const auto centres = packing::random_loose(radii, {}, {side, side, side}, 3, seed);
    for (std::size_t i = 0; i < count; ++i)
        p.add(radii[i], steel_mass(radii[i]), centres[i]);
    p.box.upper = {side, side, side};
    p.box.periodic = {true, true, true};
    return p;
}

struct Structure {
    double fraction, contacts, rattlers, pressure;
};

/// From all pairs: contacts per particle without rattlers, which have fewer than four, and the
/// pressure by Hertz.
Structure structure_of(const packing::Packing& p) {
    const double side = p.box.upper.x - p.box.lower.x;
    const std::size_t n = p.particles();
    std::vector<std::vector<std::size_t>> touches(n);
    const double modulus = 1e9 / (2 * (1 - steel_ratio * steel_ratio));
    double virial = 0.0, solid = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        solid += 4.0 / 3.0 * std::numbers::pi * std::pow(p.radius[i], 3);
        for (std::size_t j = i + 1; j < n; ++j) {
            Vec3 d = p.position[j] - p.position[i];
            d = {std::remainder(d.x, side), std::remainder(d.y, side), std::remainder(d.z, side)};
            const double overlap = p.radius[i] + p.radius[j] - size_of(d);
            if (!(overlap > 0.0)) continue;
            touches[i].push_back(j);
            touches[j].push_back(i);
            const double effective = p.radius[i] * p.radius[j] / (p.radius[i] + p.radius[j]);
            virial +=
                4.0 / 3.0 * modulus * std::sqrt(effective) * std::pow(overlap, 1.5) * size_of(d);
        }
    }
    std::vector<char> loose(n, 0);
    for (bool found = true; found;) {
        found = false;
        for (std::size_t i = 0; i < n; ++i) {
            if (loose[i]) continue;
            const auto held = std::ranges::count_if(touches[i], [&](auto j) { return !loose[j]; });
            if (held < 4) loose[i] = 1, found = true;
        }
    }
    double sides = 0.0, rattlers = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        rattlers += loose[i];
        for (const std::size_t j : touches[i])
            sides += !loose[i] && !loose[j] ? 1.0 : 0.0;
    }
    const double volume = side * side * side;
    return {solid / volume, sides / (static_cast<double>(n) - rattlers),
            rattlers / static_cast<double>(n), virial / (3 * volume)};
}

}  // namespace

TEST_CASE("random spheres that are pressed slowly jam near 0.64, with six contacts each" *
          doctest::skip(sanitised)) {
    const packing::Packing start = loose(400, 0.15, 1 + static_cast<std::uint64_t>(other_seed()));
    double last = 12.0;
    for (const double pressure : {1e6, 1e5, 1e4, 1e3}) {
        packing::Packing p = start;
        const packing::Pressed pressed = packing::press(p, {.pressure = pressure});
        const Structure s = structure_of(p);
        CHECK_RELATIVE(s.pressure, pressure, 2e-3);  // the program's tolerance is 1e-3
        CHECK_RELATIVE(s.fraction, pressed.volume_fraction, 1e-12);
        CHECK(pressed.largest_net_force <= 1e-4);
        CHECK(s.contacts < last);
        CHECK_BETWEEN(s.rattlers, -1.0, 0.05);
        last = s.contacts;
        if (pressure > 1e4) continue;
        CHECK_BETWEEN(s.fraction, 0.63, 0.645);
    }
    // Beyond 6 they grow as the root of the compression, which goes with p^(2/3): 0.1 or less here.
    CHECK_BETWEEN(last, 5.98, 6.2);
}

TEST_CASE("a packing that is pressed to a fraction fills it and is at rest") {
    packing::Packing p = loose(200, 0.3, 3);
    const double upper = p.box.upper.x;
    const packing::Pressed pressed = packing::press(p, {.volume_fraction = 0.67});
    const Structure s = structure_of(p);
    CHECK_RELATIVE(s.fraction, 0.67, 1e-12);
    CHECK_RELATIVE(s.pressure, pressed.pressure, 1e-9);
    CHECK(p.box.upper.x < upper);
    CHECK(pressed.largest_net_force <= 1e-4);
    CHECK(s.contacts > 6.0);
    // At rest: a run without friction hardly moves. Its kinetic energy is what net forces give.
    p.skin = 2e-4;
    const auto engine = packing::make_packing_engine(p, 2e-7, 1);
    const packing::PackingTotals before = engine->totals();
    engine->advance(2000);
    CHECK(engine->totals().translational < 1e-7 * before.stored_normal);
    CHECK_RELATIVE(engine->totals().stored_normal, before.stored_normal, 1e-6);
}

TEST_CASE("a packing that is pressed in the plane has isostatic contacts") {
    packing::Packing p = steel_packing();
    p.species_list[0].elasticity.youngs_modulus = 1e9;
    p.dimension = 2;
    std::vector<double> radii;
    for (int i = 0; i < 200; ++i)
        radii.push_back(i % 2 == 0 ? 1e-3 : 1.4e-3);  // of two sizes, so that it does not order
    const auto centres = packing::random_loose(radii, {}, {0.05, 0.05, 0}, 2,
                                               4 + static_cast<std::uint64_t>(other_seed()));
    for (std::size_t i = 0; i < radii.size(); ++i)
        p.add(radii[i], steel_mass(radii[i]), centres[i]);
    p.box.upper = {0.05, 0.05, 0};
    p.box.periodic = {true, true, false};
    const packing::Pressed pressed = packing::press(p, {.pressure = 0.1});  // N/m
    // 0.84 is where discs of these sizes jam (O'Hern et al. 2003); 200 are few.
    CHECK_BETWEEN(pressed.volume_fraction, 0.83, 0.85);
    CHECK_RELATIVE(pressed.pressure, 0.1, 1e-3);
}

TEST_CASE("packings that cannot be pressed are refused with one sentence") {
    const auto message = [](packing::Packing p, const packing::PressPlan& plan) -> std::string {
        try {
            packing::press(p, plan);
        } catch (const ArgumentError& error) {
            return error.what();
        }
        return "";
    };
    const packing::Packing good = loose(20, 0.1, 2);
    packing::Packing open = good;
    open.box.periodic[2] = false;
    CHECK(message(open, {.pressure = 1.0}) ==
          "the box is not periodic along z; expected a box that repeats along all axes");
    packing::Packing walled = good;
    walled.walls.push_back({});
    CHECK(message(walled, {.pressure = 1.0}) ==
          "the packing has walls; expected a periodic box without walls");
    packing::Packing fixed = good;
    fixed.fixed.assign(20, false);
    fixed.fixed[3] = true;
    CHECK(message(fixed, {.pressure = 1.0}) == "particle 3 is fixed; expected free ones");
    CHECK(
        message(good, {.volume_fraction = 0.1}) ==
        "the particles already fill 0.2056 of the box; expected a fraction above that, up to which "
        "it is pressed, or a larger box");
}

}  // namespace beadwave::validation::pressed_packing_test

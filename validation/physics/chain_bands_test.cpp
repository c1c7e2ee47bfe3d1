// Bands of chains of a repeating cell under a static load, against closed forms and a printed
// table.

#include "mode_chains.hpp"
#include "relative.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::chain_bands_test {

namespace {

constexpr double pi = std::numbers::pi;

}  // namespace

TEST_CASE("steel and aluminium spheres at 20 N: band edges at 4.71, 8.10 and 9.37 kHz") {
    // Boechler et al. 2010 give the materials; the edges are those of two masses and one spring.
    const auto diatomic = [](double force) {
        return materials + fmt::format(R"(
[[segment]]
beads = 81
radius = 9.53e-3
material = "steel"
pattern = [{{ mass = 28.84e-3 }}, {{ mass = 9.75e-3, material = "aluminium" }}]
[law]
name = "hertz"
[boundary]
right = "wall"
[precompression]
force = {}
)",
                                       force);
    };
    for (const double force : {5.0, 20.0, 40.0}) {
        const auto result = modes_of(diatomic(force));
        REQUIRE(result.analysis.dispersion.has_value());
        const modes::Dispersion& d = *result.analysis.dispersion;
        const double k = hertz_spring(force, 9.53e-3, 193e9, 0.3, 9.53e-3, 73.5e9, 0.33);
        constexpr double heavy = 28.84e-3, light = 9.75e-3;
        REQUIRE(d.bands.size() == 2);
        CHECK(d.bands[0].lower == 0.0);
        CHECK_RELATIVE(d.bands[0].upper, std::sqrt(2.0 * k / heavy) / (2.0 * pi), 1e-12);
        CHECK_RELATIVE(d.bands[1].lower, std::sqrt(2.0 * k / light) / (2.0 * pi), 1e-12);
        CHECK_RELATIVE(d.bands[1].upper,
                       std::sqrt(2.0 * k * (1.0 / light + 1.0 / heavy)) / (2.0 * pi), 1e-12);
        if (force == 20.0) {
            CHECK(std::round(d.bands[0].upper / 10.0) == 471.0);
            CHECK(std::round(d.bands[1].lower / 10.0) == 810.0);
            CHECK(std::round(d.bands[1].upper / 10.0) == 937.0);
        }
        // Every branch over the zone, and its slope by differences.
        const std::size_t points = d.frequency.size() / 2;
        const double sum = 1.0 / heavy + 1.0 / light;
        const auto exact = [&](double phase, double sign) {
            const double s = std::sin(phase / 2.0);
            const double root = std::sqrt(sum * sum - 4.0 * s * s / (heavy * light));
            return std::sqrt(k * (sum + sign * root)) / (2.0 * pi);
        };
        for (std::size_t p = 1; p + 1 < points; ++p) {
            const double phase = d.wave_vector[p] * d.lattice[0][0];
            for (const std::size_t b : {0, 1}) {
                const double sign = b == 0 ? -1.0 : 1.0;
                CHECK_RELATIVE(d.frequency[2 * p + b], exact(phase, sign), 1e-10);
                const double slope = 2.0 * pi * d.lattice[0][0] *
                                     (exact(phase + 1e-5, sign) - exact(phase - 1e-5, sign)) / 2e-5;
                CHECK(std::fabs(d.group_velocity[2 * p + b] - slope) <
                      1e-5 * std::fabs(d.group_velocity[2]));
            }
        }
        // At the edges of the zone: sound, and branches that are flat by symmetry.
        const double sound = d.lattice[0][0] * std::sqrt(k / (2.0 * (heavy + light)));
        CHECK_RELATIVE(d.group_velocity[0], sound, 1e-6);  // rounding at 1e-4 rad: 3e-7
        CHECK(d.group_velocity[1] == 0.0);
        CHECK(d.group_velocity[2 * points - 2] == 0.0);
        CHECK(d.group_velocity[2 * points - 1] == 0.0);
    }
}

TEST_CASE("cells of three beads: six edges from the cubic equation") {
    // Two equal spheres and one of another size: springs b1 (unlike) and b2 (like). At the phase 0:
    // (b1 + 2 b2)/m and b1 (1/m + 2/M); at pi: b1/m and the roots of
    // x^2 - x ((b1 + 2 b2)/m + 2 b1/M) + 4 b1 b2/(m M).
    const auto result = modes_of(materials + R"(
[[segment]]
beads = 61
radius = 9.525e-3
material = "steel"
pattern = [{ mass = 28e-3 }, { radius = 7e-3, mass = 45e-3 }, { mass = 28e-3 }]
[law]
name = "hertz"
[boundary]
left = "wall"
right = "wall"
[precompression]
force = 20
)");
    const double b1 = hertz_spring(20.0, 9.525e-3, 193e9, 0.3, 7e-3, 193e9, 0.3);
    const double b2 = steel_spring(20.0, 9.525e-3);
    constexpr double m = 28e-3, big = 45e-3;
    const double sum = (b1 + 2.0 * b2) / m + 2.0 * b1 / big;
    const double root = std::sqrt(sum * sum - 16.0 * b1 * b2 / (m * big));
    std::vector<double> edges{0.0,    (b1 + 2.0 * b2) / m, b1 * (1.0 / m + 2.0 / big),
                              b1 / m, 0.5 * (sum - root),  0.5 * (sum + root)};
    std::ranges::sort(edges);
    REQUIRE(result.analysis.dispersion.has_value());
    const auto& bands = result.analysis.dispersion->bands;
    REQUIRE(bands.size() == 3);
    for (std::size_t b = 0; b < 3; ++b) {
        CHECK_RELATIVE(bands[b].lower, std::sqrt(edges[2 * b]) / (2.0 * pi), 1e-12);
        CHECK_RELATIVE(bands[b].upper, std::sqrt(edges[2 * b + 1]) / (2.0 * pi), 1e-12);
    }
}

TEST_CASE("spheres and flat cylinders in turn: the edges of a table, for five lengths") {
    // The arrangement of Boechler et al. 2011 (sphere-cylinder-sphere, arXiv 1011.1586), whose
    // printed edges are not at hand. The table is computed from the dynamical matrix, apart from
    // this program: steel of 200 GPa, 0.3 and 7780 kg/m^3, radius 9.525 mm, 20 N. A flat end is
    // that of a very large sphere here, which softens its contact by a third of 1e-9.
    struct Row {
        double length, cylinder, edges[5];
    };
    constexpr Row table[] = {
        {9.4e-3, 2.08442989e-2, {4644.8462, 4644.9651, 7471.6124, 8937.3374, 9620.3271}},
        {12.5e-3, 2.77184826e-2, {4301.0983, 4644.9651, 7471.6124, 8088.1102, 9009.2936}},
        {15.6e-3, 3.45926662e-2, {4008.2521, 4644.9651, 7471.6124, 7530.2967, 8653.8185}},
        {18.7e-3, 4.14668499e-2, {3760.0800, 4644.9651, 7133.1433, 7471.6124, 8425.7239}},
        {21.9e-3, 4.85627815e-2, {3542.3426, 4644.9651, 6826.3881, 7471.6124, 8264.4222}}};
    for (const Row& row : table) {
        CAPTURE(row.length);
        const auto result = modes_of(fmt::format(R"(
[material.steel]
youngs_modulus = 200e9
poisson_ratio = 0.3
[time]
end = 1e-3
[[segment]]
beads = 21
radius = 9.525e-3
material = "steel"
pattern = [{{ mass = 2.81619783e-2 }}, {{ radius = 9.525e6, mass = {} }}, {{ mass = 2.81619783e-2 }}]
[law]
name = "hertz"
[boundary]
left = "wall"
right = "wall"
[precompression]
force = 20
)",
                                                 row.cylinder));
        REQUIRE(result.analysis.dispersion.has_value());
        const auto& bands = result.analysis.dispersion->bands;
        REQUIRE(bands.size() == 3);
        CHECK(bands[0].lower == 0.0);
        const double found[] = {bands[0].upper, bands[1].lower, bands[1].upper, bands[2].lower,
                                bands[2].upper};
        for (std::size_t e = 0; e < 5; ++e)  // printed to 1e-4 Hz, from masses of nine digits
            CHECK(std::fabs(found[e] - row.edges[e]) < 1e-4);
    }
}

}  // namespace beadwave::validation::chain_bands_test

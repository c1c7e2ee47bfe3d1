// Frequencies and bands of chains under a static load, against closed forms and plain integrations.

#include "beadwave/input_error.hpp"
#include "jobs/read_job.hpp"
#include "plain_chain.hpp"
#include "relative.hpp"
#include "tasks/modes.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

using namespace beadwave;
using namespace beadwave::validation;

namespace {

constexpr double pi = std::numbers::pi;

tasks::ModesResult modes_of(const std::string& text,
                            const std::vector<std::string>& overrides = {}) {
    return tasks::modes_of(*jobs::read_job_text(text, "modes.toml", ".", overrides), "modes.toml",
                           {});
}

const std::string materials = R"(
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.30
yield_stress = 1e9
[material.aluminium]
youngs_modulus = 73.5e9
poisson_ratio = 0.33
[time]
end = 1e-3
)";

std::string uniform_chain(int beads, double force, const std::string& law = "name = \"hertz\"") {
    return materials + fmt::format(R"(
[[segment]]
beads = {}
radius = 5e-3
mass = 4e-3
material = "steel"
[law]
{}
[boundary]
left = "fixed"
right = "fixed"
[precompression]
force = {}
)",
                                   beads, law, force);
}

/// k = 1.5 A^(2/3) F^(1/3) of two spheres [N/m].
double hertz_spring(double force, double radius_1, double e_1, double nu_1, double radius_2,
                    double e_2, double nu_2) {
    const double modulus = 1.0 / ((1.0 - nu_1 * nu_1) / e_1 + (1.0 - nu_2 * nu_2) / e_2);
    const double radius = 1.0 / (1.0 / radius_1 + 1.0 / radius_2);
    const double a = 4.0 / 3.0 * modulus * std::sqrt(radius);
    return 1.5 * std::pow(a, 2.0 / 3.0) * std::cbrt(force);
}

double steel_spring(double force, double radius = 5e-3) {
    return hertz_spring(force, radius, 193e9, 0.3, radius, 193e9, 0.3);
}

}  // namespace

TEST_CASE("both ends fixed: 2 sqrt(k/m) sin(n pi / (2 (N + 1)))") {
    const double highest = 2.0 * std::sqrt(steel_spring(20.0) / 4e-3);
    // From 4000 beads on a symmetric chain is solved as two halves, with and without a middle bead.
    for (const int free : {1, 2, 10, 100, 1000, 5000, 5001}) {
        CAPTURE(free);
        const auto result = modes_of(uniform_chain(free + 2, 20.0));
        const std::vector<double>& f = result.analysis.modes.frequency;
        REQUIRE(f.size() == static_cast<std::size_t>(free));
        for (int n = 1; n <= free; ++n) {
            const double expected = highest * std::sin(n * pi / (2.0 * (free + 1))) / (2.0 * pi);
            CHECK_RELATIVE(f[static_cast<std::size_t>(n - 1)], expected, 1e-12);
        }
        CHECK(result.warnings.empty() == (free <= 2000));  // no shapes of more
    }
}

TEST_CASE("free ends: 2 sqrt(k/m) sin(n pi / (2 N)), with the whole chain at zero") {
    for (const int beads : {50, 4001}) {
        const auto result =
            modes_of(uniform_chain(beads, 20.0), {"boundary.left=free", "boundary.right=free"});
        const std::vector<double>& f = result.analysis.modes.frequency;
        REQUIRE(f.size() == static_cast<std::size_t>(beads));
        CHECK(f[0] == 0.0);
        CHECK(result.analysis.modes.rigid == 1);
        for (int n = 1; n < beads; ++n) {
            const double expected =
                std::sqrt(steel_spring(20.0) / 4e-3) / pi * std::sin(n * pi / (2.0 * beads));
            CHECK_RELATIVE(f[static_cast<std::size_t>(n)], expected, 1e-12);
        }
    }
}

TEST_CASE("shapes of a fixed chain are sines, and all beads but the ends share the energy") {
    const auto result = modes_of(uniform_chain(22, 20.0));
    const modes::Modes& m = result.analysis.modes;
    REQUIRE(m.freedoms == 20);
    for (std::size_t n = 0; n < 20; ++n) {
        double largest = 0.0, first = 0.0, second = 0.0;
        std::vector<double> sine;
        for (int i = 1; i <= 20; ++i) {
            sine.push_back(std::sin(static_cast<double>(n + 1) * pi * i / 21.0));
            if (std::fabs(sine.back()) > std::fabs(largest)) largest = sine.back();
            first += sine.back() * sine.back();
            second += std::pow(sine.back(), 4);
        }
        CHECK_RELATIVE(m.participation_ratio[n], first * first / (20.0 * second), 1e-10);
        double error = 0.0, opposite = 0.0;  // two beads may share the largest number
        for (std::size_t i = 0; i < 20; ++i) {
            error = std::max(error, std::abs(m.shape[n * 20 + i] - sine[i] / largest));
            opposite = std::max(opposite, std::abs(m.shape[n * 20 + i] + sine[i] / largest));
        }
        CHECK(std::min(error, opposite) < 1e-9);
    }
}

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

TEST_CASE("a disordered chain has modes and no bands, and one of them is localised") {
    const auto result =
        modes_of(uniform_chain(102, 20.0), {"segment.0.disorder=0.1", "segment.0.seed=3"});
    CHECK_FALSE(result.analysis.dispersion.has_value());
    const modes::Modes& m = result.analysis.modes;
    CHECK(m.frequency.size() == 100);
    // Long waves feel the mean of many beads, short ones every bead.
    CHECK(m.participation_ratio.front() > 0.5);
    CHECK(m.participation_ratio.back() < 0.1);
}

TEST_CASE("gravity column: its lowest modes move as an integration of the linear column does") {
    constexpr int beads = 30;
    const auto result = modes_of(materials + fmt::format(R"(
[[segment]]
beads = {}
radius = 5e-3
mass = 4e-3
material = "steel"
[law]
name = "hertz"
[gravity]
acceleration = 9.81
[boundary]
right = "wall"
)",
                                                         beads));
    const modes::Modes& m = result.analysis.modes;
    REQUIRE(m.frequency.size() == beads);
    // Contact c carries c m g; the floor is a contact with the radius r instead of r/2.
    std::vector<double> spring(beads + 1);
    for (int c = 1; c <= beads; ++c) {
        const double k = steel_spring(c * 4e-3 * 9.81);
        spring[static_cast<std::size_t>(c)] = c < beads ? k : k * std::cbrt(2.0);
    }
    for (const std::size_t mode : {0, 1, 2, 7}) {
        // Start in the mode's shape at rest; u(t) = shape cos(omega t), so the energy norm's
        // projection passes zero after a quarter of the period.
        std::vector<double> u(beads), v(beads), shape(beads);
        for (std::size_t i = 0; i < beads; ++i)
            u[i] = shape[i] = m.shape[mode * beads + i].real();
        const auto acceleration = [&](std::size_t i) {
            const double left = i > 0 ? spring[i] * (u[i - 1] - u[i]) : 0.0;
            const double right = spring[i + 1] * (u[i] - (i + 1 < beads ? u[i + 1] : 0.0));
            return (left - right) / 4e-3;
        };
        const double dt = 1.0 / m.frequency.back() / 400.0;
        const auto projection = [&] {
            double sum = 0.0;
            for (std::size_t i = 0; i < beads; ++i)
                sum += shape[i] * u[i];
            return sum;
        };
        double before = projection(), time = 0.0;
        while (true) {
            for (std::size_t i = 0; i < beads; ++i)
                v[i] += 0.5 * dt * acceleration(i);
            for (std::size_t i = 0; i < beads; ++i)
                u[i] += dt * v[i];
            for (std::size_t i = 0; i < beads; ++i)
                v[i] += 0.5 * dt * acceleration(i);
            const double now = projection();
            if (now <= 0.0) {
                time += dt * before / (before - now);
                break;
            }
            before = now;
            time += dt;
        }
        // Velocity Verlet raises a frequency by (omega dt)^2/24 <= 1e-5; interpolation adds less.
        CHECK_RELATIVE(m.frequency[mode], 1.0 / (4.0 * time), 2e-5);
        for (std::size_t i = 0; i < beads; ++i)  // it stays in the mode
            CHECK(std::fabs(u[i]) < 0.05);
    }
}

TEST_CASE("what has no stiffness is named, and what is in no equilibrium refused") {
    const auto error = [](const std::string& text, const std::vector<std::string>& overrides = {}) {
        try {
            modes_of(text, overrides);
        } catch (const InputError& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    std::string loose = uniform_chain(12, 20.0);
    loose.resize(loose.find("[precompression]"));
    CHECK(error(loose, {"time.step=1e-7"}) ==
          "modes.toml: no contact is compressed, so the chain has no linear modes; expected "
          "precompression.force, or gravity with gravity.equilibrium = true");
    CHECK(error(materials + R"(
[[segment]]
beads = 10
radius = 5e-3
mass = 4e-3
gap = -1e-6
material = "steel"
[law]
name = "hertz"
)")
              .find("bead 0 is not in static equilibrium") != std::string::npos);

    // A striker ahead of a squeezed chain: one open contact, and a mode of zero frequency.
    const auto struck = modes_of(materials + R"(
[[segment]]
beads = 1
radius = 5e-3
mass = 4e-3
material = "steel"
velocity = 1.0
[[segment]]
beads = 1
radius = 5e-3
mass = 4e-3
material = "steel"
gap = 1e-5
[[segment]]
beads = 1
radius = 5e-3
mass = 4e-3
material = "steel"
[law]
name = "hertz"
[boundary]
right = "wall"
[precompression]
force = 20
)");
    CHECK(struck.analysis.modes.rigid == 1);
    REQUIRE(struck.warnings.size() == 1);
    CHECK(struck.warnings[0] ==
          "1 of 2 contacts is open in the equilibrium and has no stiffness, the first is the "
          "contact of beads 0 and 1");

    // Yielded contacts: the small waves of unloading, and a sentence.
    const auto yielded = modes_of(uniform_chain(12, 500.0, "name = \"thornton\""));
    REQUIRE(yielded.warnings.size() == 1);
    CHECK(yielded.warnings[0].starts_with(
        "11 contacts differ in loading and unloading; the modes are those of unloading: the "
        "contact of beads 0 and 1 has "));
}

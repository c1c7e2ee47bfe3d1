// Frequencies and shapes of chains under a static load, against closed forms and plain
// integrations.

#include "beadwave/input_error.hpp"
#include "largest.hpp"
#include "mode_chains.hpp"
#include "relative.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::chain_modes_test {

namespace {

constexpr double pi = std::numbers::pi;

}  // namespace

TEST_CASE("both ends fixed: 2 sqrt(k/m) sin(n pi / (2 (N + 1)))") {
    const double highest = 2.0 * std::sqrt(steel_spring(20.0) / 4e-3);
    // Long chains are solved by slices of the spectrum.
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
        Largest error, opposite;  // two beads may share the largest number
        for (std::size_t i = 0; i < 20; ++i) {
            error.enter(std::abs(m.shape[n * 20 + i] - sine[i] / largest));
            opposite.enter(std::abs(m.shape[n * 20 + i] + sine[i] / largest));
        }
        CHECK(std::min(error, opposite) < 1e-9);
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

}  // namespace beadwave::validation::chain_modes_test

// Modes and bands of chains whose beads carry springs to the ground and masses on springs, against
// closed forms.

#include "beadwave/input_error.hpp"
#include "largest.hpp"
#include "mode_chains.hpp"
#include "modes/chain_transfer.hpp"
#include "relative.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <variant>
#include <vector>

namespace beadwave::validation::element_modes_test {

namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi, bead = 4e-3;  // [kg]

std::string resonators(const std::string& beads, double mass, double stiffness,
                       const std::string& more = "") {
    return fmt::format("\n[[resonator]]\nbeads = {}\nmass = {}\nstiffness = {}\n{}\n", beads, mass,
                       stiffness, more);
}

std::string foundation(const std::string& beads, double stiffness, const std::string& more = "") {
    return fmt::format("\n[[foundation]]\nbeads = {}\nstiffness = {}\n{}\n", beads, stiffness,
                       more);
}

/// omega^2 of the two branches of a mass in each mass, where the contacts give a bead the stiffness
/// `between` = 4 k sin^2(q/2).
std::pair<double, double> branches(double between, double inner, double spring) {
    // m M x^2 - (m K + M (between + K)) x + between K = 0
    const double a = bead * inner, b = bead * spring + inner * (between + spring);
    const double upper = (b + std::sqrt(b * b - 4.0 * a * between * spring)) / (2.0 * a);
    return {between * spring / (a * upper), upper};
}

double sine_squared(double q) {
    return std::pow(std::sin(0.5 * q), 2);
}

std::string refusal(const std::string& text) {
    try {
        modes_of(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("a mass in each mass, both ends fixed: two branches at q = n pi / (N + 1)") {
    constexpr double inner = 3e-3, spring = 4e6;
    const double k = steel_spring(20.0);
    for (const int free : {1, 2, 10, 100, 1001}) {
        CAPTURE(free);
        const auto result = modes_of(uniform_chain(free + 2, 20.0) +
                                     resonators(fmt::format("[1, {}]", free), inner, spring));
        const modes::Modes& m = result.analysis.modes;
        std::vector<double> expected;
        for (int n = 1; n <= free; ++n) {
            const auto [low, high] =
                branches(4.0 * k * sine_squared(n * pi / (free + 1)), inner, spring);
            expected.push_back(std::sqrt(low) / (2.0 * pi));
            expected.push_back(std::sqrt(high) / (2.0 * pi));
        }
        std::ranges::sort(expected);
        REQUIRE(m.frequency.size() == expected.size());
        CHECK(m.rigid == 0);
        Largest worst;
        for (std::size_t i = 0; i < expected.size(); ++i)
            worst.enter(std::abs(m.frequency[i] / expected[i] - 1.0));
        MESSAGE(free, " beads: ", worst);
        CHECK(worst < 1e-12);
        CHECK(result.warnings.empty() == (free <= 1000));  // no shapes of more
        // The motion of an inner mass is that of its bead over 1 - omega^2 M/K.
        if (m.shape.empty()) continue;
        const auto beads = static_cast<std::size_t>(free);
        REQUIRE(m.freedoms == 2 * beads);
        for (std::size_t mode = 0; mode < m.frequency.size(); ++mode) {
            const double stays = 1.0 - std::pow(2.0 * pi * m.frequency[mode], 2) * inner / spring;
            for (std::size_t i = 0; i < beads; ++i) {
                const Complex* shape = m.shape.data() + mode * m.freedoms;
                CHECK(std::abs(shape[i] - stays * shape[beads + i]) < 1e-8);
            }
        }
    }
}

TEST_CASE("local resonance: both branches of the endless chain, and their gap") {
    constexpr double inner = 3e-3, spring = 4e6;
    const double k = steel_spring(20.0);
    const auto result = modes_of(uniform_chain(40, 20.0) + resonators("\"all\"", inner, spring));
    REQUIRE(result.warnings.size() == 1);
    CHECK(result.warnings[0] ==
          "2 masses inside fixed beads are left out: nothing joins them to the chain");
    CHECK(result.analysis.body.size() == 76);
    CHECK(result.analysis.body[37] == 38);
    CHECK(result.analysis.body[38] == 1);  // the first mass inside
    REQUIRE(result.analysis.dispersion.has_value());
    const modes::Dispersion& d = *result.analysis.dispersion;
    REQUIRE(d.branches == 2);
    const double cell = d.lattice[0][0];
    const auto exact = [&](double q) { return branches(4.0 * k * sine_squared(q), inner, spring); };
    const std::size_t points = d.frequency.size() / 2;
    for (std::size_t p = 0; p < points; ++p) {
        const double q = d.wave_vector[p] * cell;
        const auto [low, high] = exact(q);
        CHECK_RELATIVE(d.frequency[2 * p], std::sqrt(low) / (2.0 * pi), 1e-10);
        CHECK_RELATIVE(d.frequency[2 * p + 1], std::sqrt(high) / (2.0 * pi), 1e-10);
        if (p == 0 || p + 1 == points) continue;
        constexpr double h = 1e-4;
        const auto before = exact(q - h), behind = exact(q + h);
        CHECK_RELATIVE(d.group_velocity[2 * p],
                       (std::sqrt(behind.first) - std::sqrt(before.first)) / (2.0 * h) * cell,
                       1e-5);
        CHECK_RELATIVE(d.group_velocity[2 * p + 1],
                       (std::sqrt(behind.second) - std::sqrt(before.second)) / (2.0 * h) * cell,
                       1e-5);
    }
    REQUIRE(d.bands.size() == 2);
    CHECK(d.bands[0].lower == 0.0);
    CHECK_RELATIVE(d.bands[0].upper, std::sqrt(exact(pi).first) / (2.0 * pi), 1e-10);
    CHECK_RELATIVE(d.bands[1].lower, std::sqrt(spring * (1.0 / inner + 1.0 / bead)) / (2.0 * pi),
                   1e-10);
    CHECK_RELATIVE(d.bands[1].upper, std::sqrt(exact(pi).second) / (2.0 * pi), 1e-10);
}

TEST_CASE("springs to the ground: a Klein-Gordon chain with a cut-on frequency") {
    constexpr double ground = 3e5;
    const double k = steel_spring(20.0);
    const auto omega = [&](double q) {
        return std::sqrt((ground + 4.0 * k * sine_squared(q)) / bead) / (2.0 * pi);
    };
    // A cubic term has no slope where the spring is unstretched.
    const std::string carried = foundation("\"all\"", ground, "cubic = 1e15");
    const auto fixed = modes_of(uniform_chain(302, 20.0) + carried).analysis;
    const auto free =
        modes_of(uniform_chain(300, 20.0) + carried, {"boundary.left=free", "boundary.right=free"})
            .analysis;
    REQUIRE(fixed.modes.frequency.size() == 300);
    REQUIRE(free.modes.frequency.size() == 300);
    CHECK(free.modes.rigid == 0);
    for (std::size_t n = 0; n < 300; ++n) {
        const auto number = static_cast<double>(n);
        CHECK_RELATIVE(fixed.modes.frequency[n], omega((number + 1.0) * pi / 301.0), 1e-12);
        CHECK_RELATIVE(free.modes.frequency[n], omega(number * pi / 300.0), 1e-12);
    }
    REQUIRE(fixed.dispersion.has_value());
    REQUIRE(fixed.dispersion->bands.size() == 1);
    CHECK_RELATIVE(fixed.dispersion->bands[0].lower, omega(0.0), 1e-12);
    CHECK_RELATIVE(fixed.dispersion->bands[0].upper, omega(pi), 1e-12);
    for (std::size_t p = 0; p < fixed.dispersion->frequency.size(); ++p)
        CHECK_RELATIVE(fixed.dispersion->frequency[p],
                       omega(fixed.dispersion->wave_vector[p] * fixed.dispersion->lattice[0][0]),
                       1e-12);
}

TEST_CASE("a mass in every second bead makes a cell of three bodies, a single one ends the cell") {
    constexpr double inner = 2e-3, spring = 3e6;
    const double k = steel_spring(20.0);
    const std::string every =
        uniform_chain(42, 20.0) + resonators("[0, 41]", inner, spring, "every = 2");
    const auto result = modes_of(every);
    REQUIRE(result.analysis.dispersion.has_value());
    const modes::Dispersion& d = *result.analysis.dispersion;
    CHECK(d.cell_bodies == 3);
    REQUIRE(d.bands.size() == 3);
    // cos(q) = (2 - a)(2 - b)/2 - 1, a and b: omega^2 over k times the dynamic masses.
    const std::size_t points = d.frequency.size() / 3;
    for (std::size_t p = 1; p + 1 < points; ++p) {
        for (std::size_t b = 0; b < 3; ++b) {
            const double x = std::pow(2.0 * pi * d.frequency[3 * p + b], 2);
            const double light = x * bead / k;
            const double heavy = light + x * inner * spring / (spring - x * inner) / k;
            CHECK_ABSOLUTE((2.0 - light) * (2.0 - heavy) / 2.0 - 1.0,
                           std::cos(d.wave_vector[p] * d.lattice[0][0]), 1e-9);
        }
    }
    CHECK_FALSE(modes_of(every + foundation("[21, 21]", 1e5)).analysis.dispersion.has_value());
    CHECK_FALSE(
        modes_of(every + resonators("[21, 21]", 1e-4, 1e5)).analysis.dispersion.has_value());
}

TEST_CASE("loads over time are left out") {
    const std::string chain = uniform_chain(12, 20.0) + foundation("\"all\"", 1e5);
    const auto plain = modes_of(chain);
    const auto loaded =
        modes_of(chain + "\n[[load]]\nbead = 3\nfrequency = 1e3\namplitude = 1.0\n");
    CHECK(loaded.analysis.modes.frequency == plain.analysis.modes.frequency);
}

TEST_CASE("a driven bead is a fixed one: two chains between fixed ends") {
    // Beads 0 and 32 are fixed, bead 10 is driven: 9 and 21 beads between fixed ones.
    const auto result = modes_of(uniform_chain(33, 20.0) +
                                 "\n[[drive]]\nbead = 10\nfrequency = 1e3\namplitude = 1e-7\n");
    const double k = steel_spring(20.0);
    std::vector<double> expected;
    for (const int free : {9, 21}) {
        for (int n = 1; n <= free; ++n)
            expected.push_back(std::sqrt(k / bead) * std::sin(0.5 * n * pi / (free + 1)) / pi);
    }
    std::ranges::sort(expected);
    const modes::Modes& m = result.analysis.modes;
    REQUIRE(m.frequency.size() == expected.size());
    CHECK(m.rigid == 0);
    for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK_RELATIVE(m.frequency[i], expected[i], 1e-11);
    const std::vector<std::int64_t>& body = result.analysis.body;
    REQUIRE(body.size() == 30);
    CHECK(body[8] == 9);
    CHECK(body[9] == 11);

    // A slow unit force on bead 9 moves the beads 1 to 9 by i / (10 k), and no bead behind bead 10.
    const auto& linear = std::get<linear::ChainOperator>(result.linear);
    const auto response =
        modes::transfer(linear, {.input = "9", .frequency = {1e-3}, .sensors = {8, 9, 11}}, "t");
    CHECK_RELATIVE(response.displacement[0].real() * k, 0.8, 1e-9);
    CHECK_RELATIVE(response.displacement[1].real() * k, 0.9, 1e-9);
    CHECK(response.displacement[2] == 0.0);
    CHECK_RELATIVE(response.force[0].real(), -0.1, 1e-9);
    CHECK_RELATIVE(response.force[1].real(), 0.5 * (0.9 - 0.1), 1e-9);
    CHECK(response.force[2] == 0.0);
    try {
        modes::transfer(linear, {.input = "10", .frequency = {1.0}, .sensors = {9}}, "t");
        FAIL("bead 10 does not move");
    } catch (const InputError& error) {
        CHECK(std::string(error.what()) ==
              "t: input 10 is no bead that moves; expected 1 to 31, without driven beads");
    }
}

TEST_CASE("bonds and forces without contact join beads: 2 sqrt(k/m) sin(n pi / (2 (N + 1)))") {
    constexpr int free = 40;
    const auto matches = [&](const std::string& chain, double k) {
        const modes::Modes m = modes_of(chain).analysis.modes;
        REQUIRE(m.frequency.size() == free);
        Largest worst;
        for (int n = 1; n <= free; ++n) {
            const double expected = std::sqrt(k / bead) * std::sin(0.5 * n * pi / (free + 1)) / pi;
            worst.enter(std::abs(m.frequency[static_cast<std::size_t>(n - 1)] / expected - 1.0));
        }
        CHECK(worst < 1e-12);
    };
    const std::string pressed = uniform_chain(free + 2, 20.0);
    const double contact = steel_spring(20.0);
    matches(pressed + "\n[[bond]]\nstiffness = 2e6\n", contact + 2e6);
    const std::string magnets =
        materials + fmt::format(
                        "[[segment]]\nbeads = {}\nradius = 5e-3\nmass = 4e-3\ngap = 0.01\n"
                        "material = \"steel\"\n[law]\nname = \"hertz\"\n[boundary]\n"
                        "left = \"fixed\"\nright = \"fixed\"\n[[pair_force]]\n"
                        "force = 0.5\ndistance = 0.02\nexponent = 2.73\n",
                        free + 2);
    matches(magnets, 2.73 * 0.5 / 0.02);  // k = p A / r0 at the distance r0
    CHECK(refusal(pressed + "\n[[bond]]\nstiffness = 2e6\ntension_only = true\n")
              .starts_with("modes.toml: the bond of the contact of beads 0 and 1 is for tension "
                           "only and has none at "
                           "the start"));
}

}  // namespace beadwave::validation::element_modes_test

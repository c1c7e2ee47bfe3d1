// `beadwave orbit --basins` and `--poincare`, beside a plain integration of the equations of motion
// (the classical Runge-Kutta method) that knows neither velocity Verlet nor the program's laws.

#include "orbit_chains.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::orbit_motions_test {
namespace {

using namespace orbit_chains;
using Numbers = std::vector<double>;

/// Beads in a row between two walls, all contacts Hertz's; the left wall moves as a sine.
struct PlainChain {
    Numbers mass, stiffness, overlap;  ///< stiffness and static overlap of each contact
    Numbers drag;                      ///< of each bead to the ground
    double amplitude = 0.0, frequency = 0.0;

    std::size_t beads() const { return mass.size(); }

    /// d(u, v)/dt.
    Numbers slope(const Numbers& x, double time) const {
        const std::size_t n = beads();
        Numbers out(2 * n);
        double left = amplitude * std::sin(2.0 * std::numbers::pi * frequency * time);
        double before = 0.0;
        for (std::size_t c = 0; c <= n; ++c) {
            const double right = c < n ? x[c] : 0.0;
            const double closed = std::max(overlap[c] + left - right, 0.0);
            const double force = stiffness[c] * closed * std::sqrt(closed);
            if (c > 0) out[n + c - 1] = (before - force - drag[c - 1] * x[n + c - 1]) / mass[c - 1];
            if (c < n) out[c] = x[n + c];
            before = force;
            left = right;
        }
        return out;
    }

    void step(Numbers& x, double time, double h) const {
        const auto at = [&](const Numbers& k, double part) {
            Numbers y = x;
            for (std::size_t i = 0; i < y.size(); ++i)
                y[i] += part * k[i];
            return y;
        };
        const Numbers a = slope(x, time), b = slope(at(a, 0.5 * h), time + 0.5 * h),
                      c = slope(at(b, 0.5 * h), time + 0.5 * h), d = slope(at(c, h), time + h);
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
    }

    void run_periods(Numbers& x, int periods, int steps) const {
        const double h = 1.0 / frequency / steps;
        for (int k = 0; k < periods; ++k)
            for (int i = 0; i < steps; ++i)
                step(x, i * h, h);
    }
};

double plane_strain(double modulus, double poisson) {
    return modulus / (1.0 - poisson * poisson);
}

/// (4/3) E* sqrt(R*).
double hertz(double one, double other, double radius) {
    return 4.0 / 3.0 * one * other / (one + other) * std::sqrt(radius);
}

void press(PlainChain& chain, double force) {
    for (const double k : chain.stiffness)
        chain.overlap.push_back(std::pow(force / k, 2.0 / 3.0));
}

/// That of driven(), with twice the damping and twice the amplitude: both its outer branches are
/// stable between the folds at 3540 and 3575 Hz.
PlainChain plain_driven() {
    const double steel = plane_strain(193e9, 0.3), aluminium = plane_strain(73.5e9, 0.33),
                 radius = 9.53e-3;
    PlainChain chain{.mass = {}, .stiffness = {}, .overlap = {}, .drag = {}};
    for (int i = 0; i < 11; ++i) {
        chain.mass.push_back(i % 2 == 0 ? 28.84e-3 : 9.75e-3);
        chain.drag.push_back(i % 2 == 0 ? 28.84 : 9.75);
    }
    chain.stiffness.assign(12, hertz(steel, aluminium, radius / 2.0));
    chain.stiffness.front() = chain.stiffness.back() = hertz(steel, steel, radius);
    press(chain, 10.0);
    chain.amplitude = 4e-7;
    return chain;
}
const char* const twice =
    "--set foundation.0.damping=28.84 --set foundation.1.damping=9.75 --set "
    "boundary.left.amplitude=4e-7 ";

PlainChain between_plain_walls(int beads, double force) {
    const double steel = plane_strain(193e9, 0.3), radius = 5e-3;
    PlainChain chain{.mass = {}, .stiffness = {}, .overlap = {}, .drag = {}};
    chain.mass.assign(static_cast<std::size_t>(beads),
                      7850.0 * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius);
    chain.drag.assign(chain.mass.size(), 0.0);
    chain.stiffness.assign(chain.mass.size() + 1, hertz(steel, steel, radius / 2.0));
    chain.stiffness.front() = chain.stiffness.back() = hertz(steel, steel, radius);
    press(chain, force);
    return chain;
}

/// One bead between walls, damped; the left wall moves by 4 um at 8000 Hz.
std::string driven_bead() {
    return "[material.steel]\nyoungs_modulus = 193e9\npoisson_ratio = 0.3\ndensity = 7850\n"
           "[[segment]]\nbeads = 1\nradius = 5e-3\nmaterial = \"steel\"\n[boundary.left]\n"
           "kind = \"driven\"\nfrequency = 8000\namplitude = 4e-6\n[boundary.right]\nkind = "
           "\"wall\"\n[[foundation]]\nbeads = \"all\"\ndamping = 10.0\n[law]\nname = "
           "\"hertz\"\n[time]\nend = 1e-3\n" +
           pressed(20.0);
}

double largest_difference(const Numbers& a, const Numbers& b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        most = std::max(most, std::fabs(a[i] - b[i]));
    return a.size() == b.size() ? most : std::numeric_limits<double>::quiet_NaN();
}

/// Points of a section of the first start.
struct Points {
    Numbers displacement, velocity;
};

Points section_of(const std::string& scenario, const std::string& options) {
    const auto first = orbit(scenario, "--poincare " + options).at("sections").at(0);
    return {first.at("displacement").get<Numbers>(), first.at("velocity").get<Numbers>()};
}

/// The length of the way through the points in the order of their phases, and back to the first,
/// where each has a phase of `angle` more than the one before.
double way(const Points& points, double angle) {
    struct Place {
        double phase;
        std::size_t point;
    };
    std::vector<Place> order;
    for (std::size_t k = 0; k < points.displacement.size(); ++k) {
        order.push_back({std::fmod(static_cast<double>(k) * angle, 2.0 * std::numbers::pi), k});
    }
    std::ranges::sort(order, {}, &Place::phase);
    const auto extent = [](const Numbers& x) {
        return *std::ranges::max_element(x) - *std::ranges::min_element(x);
    };
    const double u = extent(points.displacement), v = extent(points.velocity);
    double length = 0.0;
    for (std::size_t k = 0; k < order.size(); ++k) {
        const std::size_t a = order[k].point, b = order[(k + 1) % order.size()].point;
        length += std::hypot((points.displacement[a] - points.displacement[b]) / u,
                             (points.velocity[a] - points.velocity[b]) / v);
    }
    return length;
}

}  // namespace

TEST_CASE("orbit: basins are where a plain integration ends in the same state" *
          doctest::skip(sanitised)) {
    // 1000 steps: the error of velocity Verlet is below 1e-4 of the state.
    const std::string scenario = driven();
    const auto found =
        orbit(scenario, std::string(twice) +
                            "--frequency 3560 --basins displacement=-3e-6:3e-6 --basins "
                            "velocity=-0.06:0.06 --bead 5 --grid 3,2 --steps 1000");
    const auto& attractors = found.at("attractors");
    REQUIRE(attractors.size() == 2);
    std::vector<Numbers> states;
    for (const auto& one : attractors) {
        CHECK(one.at("kind") == "periodic");
        CHECK(one.at("period") == 1);
        CHECK(one.at("stable") == true);
        states.push_back(one.at("state").at("displacement").get<Numbers>());
    }
    const double apart = largest_difference(states[0], states[1]);
    CHECK(apart > 1e-7);
    PlainChain plain = plain_driven();
    plain.frequency = 3560.0;
    struct Start {
        std::size_t column, row;
        double u, v;
    };
    std::vector<std::size_t> reached;
    for (const Start& start :
         {Start{0, 0, -3e-6, -0.06}, Start{1, 0, 0.0, -0.06}, Start{2, 1, 3e-6, 0.06}}) {
        CAPTURE(start.column);
        Numbers x(22);
        x[5] = start.u;
        x[16] = start.v;
        // After 250 periods of decay by 0.949 or more 2e-6 of a start's distance is left.
        plain.run_periods(x, 250, 200);
        reached.push_back(found.at("attractor").at(start.row).at(start.column).get<std::size_t>());
        CHECK_ABSOLUTE(largest_difference({x.begin(), x.begin() + 11}, states[reached.back()]), 0.0,
                       1e-3 * apart);
    }
    CHECK(reached[0] != reached[1]);
    CHECK(found.at("attractor").get<std::vector<std::vector<int>>>().size() == 2);
}

TEST_CASE("orbit: basins of drives tell chaos and longer periods" * doctest::skip(sanitised)) {
    // The chain of five beads at 3500 Hz is chaotic; a thousandth of its drive keeps contacts
    // closed.
    const auto found = orbit(five_steel_beads(2e-6, 14.42), "--basins drive=0.001:1 --grid 2");
    REQUIRE(found.at("attractors").size() == 2);
    CHECK(found.at("attractors").at(0).at("period") == 1);
    CHECK(found.at("attractors").at(1).at("kind") == "chaotic");
    CHECK(found.at("attractor").at(0) == nlohmann::json::array({0, 1}));
}

TEST_CASE("orbit: the section of a state with a second frequency is a closed curve" *
          doctest::skip(sanitised)) {
    // Just beyond the Neimark-Sacker point at 3726.443 Hz, whose multipliers have the angle
    // 1.45543: the phase along the curve grows by this from point to point, within 1 %.
    const Points points =
        section_of(driven(), "--frequency 3722 --bead 4 --transient 1500 --periods 300");
    const double predicted = 1.45543365;
    double shortest = std::numeric_limits<double>::infinity(), angle = 0.0;
    for (int k = -500; k <= 500; ++k) {
        const double tried = predicted * (1.0 + 3e-5 * k);
        if (const double length = way(points, tried); length < shortest) {
            shortest = length;
            angle = tried;
        }
    }
    CHECK_RELATIVE(angle, predicted, 0.01);
    // Around the curve and back, in units of its extent; in any other order it is about 100.
    CHECK(shortest < 6.0);
    CHECK(way(points, 1.02 * predicted) > 30.0);
}

TEST_CASE("orbit: the section of a state of period two is two points, where integration has them") {
    const Points points = section_of(driven_bead(), "--steps 4000 --transient 400 --periods 6");
    PlainChain plain = between_plain_walls(1, 20.0);
    plain.drag = {10.0};
    plain.amplitude = 4e-6;
    plain.frequency = 8000.0;
    Numbers x(2);
    plain.run_periods(x, 400, 500);
    REQUIRE(points.displacement.size() == 6);
    for (std::size_t k = 0; k < 6; ++k) {
        // 4000 steps of velocity Verlet: 1e-5 of the motion.
        CHECK_ABSOLUTE(points.displacement[k], x[0], 1e-5 * 4e-6);
        CHECK_ABSOLUTE(points.velocity[k], x[1], 1e-5 * 0.3);
        if (k >= 2) {
            CHECK_ABSOLUTE(points.displacement[k], points.displacement[k - 2], 1e-9 * 4e-6);
        }
        plain.run_periods(x, 1, 500);
    }
    CHECK(std::fabs(points.displacement[0] - points.displacement[1]) > 1e-7);
}

TEST_CASE("orbit: a state on its way to a shorter period is not taken for one of a longer period") {
    // At 9000 Hz this bead has the period of the drive, and a multiplier of -0.87.
    const auto one = orbit(driven_bead(), "--frequency 9000 --basins displacement=0:1e-7 --grid 2");
    REQUIRE(one.at("attractors").size() == 1);
    CHECK(one.at("attractors").at(0).at("period") == 1);
    const auto two = orbit(driven_bead(), "--frequency 8000 --basins displacement=0:1e-7 --grid 2");
    REQUIRE(two.at("attractors").size() == 1);
    CHECK(two.at("attractors").at(0).at("period") == 2);
}

TEST_CASE("orbit: without a drive the section is where a bead turns") {
    const std::string scenario =
        between_walls(2, "0",
                      pressed(20.0) +
                          "[[segment]]\nbeads = 1\nradius = 5e-3\nmaterial = "
                          "\"steel\"\nvelocity = 0.05\n");
    const Points points =
        section_of(scenario, "--bead 0 --section 1 --transient 2 --periods 4 --set time.step=1e-8");
    PlainChain plain = between_plain_walls(3, 20.0);
    Numbers x{0.0, 0.0, 0.0, 0.0, 0.0, 0.05};
    std::size_t met = 0;
    const double h = 1e-8;
    for (int k = 0; k < 200'000 && met < 6; ++k) {
        const Numbers before = x;
        plain.step(x, 0.0, h);
        if (!(before[4] > 0.0 && x[4] <= 0.0)) continue;
        // Within a step all is straight to 1e-6 of the motion.
        const double part = before[4] / (before[4] - x[4]);
        if (met >= 2) {
            CHECK_ABSOLUTE(points.displacement[met - 2], std::lerp(before[0], x[0], part), 1e-12);
            CHECK_ABSOLUTE(points.velocity[met - 2], std::lerp(before[3], x[3], part), 1e-7);
        }
        ++met;
    }
    CHECK(met == 6);
}

TEST_CASE("orbit: basins and sections that make no sense are refused in one sentence") {
    const std::string chain = driven(), free = between_walls(2, "0", pressed(20.0));
    const auto says = [](const std::string& scenario, const std::string& options,
                         const char* words) {
        CAPTURE(options);
        CHECK(tells(refusal(scenario, options), words));
    };
    says(chain, "--basins place=0:1", "expected AXIS=FROM:TO");
    says(chain, "--lyapunov --basins drive=0:1", "--lyapunov and --basins are both given");
    says(chain, "--lyapunov --poincare", "--lyapunov and --poincare are both given");
    says(chain, "--poincare --solver krylov", "--solver is not for --poincare");
    says(chain, "--basins drive=0:1 --switch 1", "--switch is not for --basins");
    says(chain, "--basins drive=1:1", "expected AXIS=FROM:TO");
    says(chain, "--basins frequency=-1:1", "expected frequencies above 0");
    says(chain, "--basins drive=0:1 --grid 0", "expected the number of starts");
    says(chain, "--basins drive=0:1 --grid 4,4", "expected the number of starts");
    says(chain, "--basins drive=0:1 --bead 3", "--bead and --mode are for starts");
    says(chain, "--basins velocity=0:1 --bead 11", "the chain has the beads 0 to 10");
    says(chain, "--basins velocity=0:1 --bead 3 --mode 1", "expected one of the two");
    says(chain, "--basins velocity=0:1 --seed 3", "whose starts are a grid");
    says(chain, "--basins velocity=0:1 --poincare", "expected one of the two");
    says(free, "--basins velocity=0:1", "nothing drives the chain");
    says(five_steel_beads(1e-7, 0.0), "--basins velocity=0:1", "nothing is damped");
    says(chain, "--grid 4 --frequency 3400", "--grid is for motions; expected --basins with it");
    says(chain, "--poincare --section 2", "the chain is driven");
    says(chain, "--poincare --continue frequency=1:2", "--continue is not for --poincare");
    says(free, "--poincare", "starts at rest and nothing drives it");
    says(free, "--poincare --frequency 3000", "--frequency is for driven chains");
}

}  // namespace beadwave::validation::orbit_motions_test

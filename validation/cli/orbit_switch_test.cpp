// Branches that leave bifurcations, and the two ways to solve for orbits, as a person uses them.
// The orbits that leave are compared with the motion that a Runge-Kutta method of order 4 settles
// to.

#include "orbit_chains.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::orbit_switch_test {
namespace {

using namespace orbit_chains;

/// One steel bead of 5 mm between steel walls, pressed with 20 N, with a drag of 8 N s/m: the left
/// wall moves as a sine, or a force acts on the bead.
struct OneBead {
    static constexpr double mass = 4.110250388446646e-3, hertz = 9.997920056337265e9;
    double frequency, wall, force;
    double x = 1e-8, v = 0.0;

    static double push(double overlap) {
        return overlap > 0.0 ? hertz * overlap * std::sqrt(overlap) : 0.0;
    }
    static double rest() { return std::cbrt(std::pow(20.0 / hertz, 2.0)); }
    double acceleration(double time, double at, double speed) const {
        const double sine = std::sin(2.0 * std::numbers::pi * frequency * time);
        return (push(rest() + wall * sine - at) - push(rest() + at) - 8.0 * speed + force * sine) /
               mass;
    }
    void pass(int periods) {
        constexpr int steps = 400;
        const double h = 1.0 / frequency / steps;
        for (int k = 0; k < periods * steps; ++k) {
            const double t = (k % steps) * h;
            const double a1 = acceleration(t, x, v), v1 = v;
            const double v2 = v + 0.5 * h * a1,
                         a2 = acceleration(t + 0.5 * h, x + 0.5 * h * v1, v2);
            const double v3 = v + 0.5 * h * a2,
                         a3 = acceleration(t + 0.5 * h, x + 0.5 * h * v2, v3);
            const double v4 = v + h * a3, a4 = acceleration(t + h, x + h * v3, v4);
            x += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
            v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        }
    }
    double energy() const {
        const auto stored = [](double d) { return d > 0.0 ? 0.4 * d * push(d) : 0.0; };
        return 0.5 * mass * v * v + stored(rest() - x) + stored(rest() + x) - 2.0 * stored(rest());
    }
};

const std::string drag = "[[foundation]]\nbeads = \"all\"\ndamping = 8.0\n";

std::string shaken() {
    std::string scenario = between_walls(1, "0", pressed(20.0) + drag);
    const std::string wall = "kind = \"wall\"\ngap = 0\n[boundary.right]";
    return scenario.replace(scenario.find(wall), wall.size(),
                            "kind = \"driven\"\nfrequency = 31000\namplitude = 5e-7\n"
                            "[boundary.right]");
}

}  // namespace

TEST_CASE("orbit: orbits of twice the period leave the branch where a plain integration doubles" *
          doctest::skip(sanitised)) {
    const std::string along = "--continue frequency=31050:30500";
    const auto found = orbit(shaken(), along + " --switch 1");
    const double place = found.at("left").at("value").get<double>();
    CHECK(found.at("left").at("kind") == "period-doubling");
    CHECK(found.at("periods") == 2);
    const auto& branch = found.at("branch");
    CHECK_RELATIVE(branch.front().at("value").get<double>(), place, 1e-5);
    for (const auto& point : branch) {
        CHECK_RELATIVE(point.at("frequency").get<double>(), 0.5 * point.at("value").get<double>(),
                       1e-14);
    }
    // A plain run repeats after each period 40 Hz above the place, and after two 40 Hz below.
    for (const double apart : {40.0, -40.0}) {
        OneBead bead{.frequency = place + apart, .wall = 5e-7, .force = 0.0};
        bead.pass(600);
        const double before = bead.x;
        bead.pass(1);
        CAPTURE(apart);
        CHECK((std::abs(bead.x - before) > 1e-7) == (apart < 0.0));
    }
    // Where the branch ends, the run settles to its orbit, at either of the two periods.
    const auto doubled = orbit(shaken(), "--frequency 30500 --periods 2");
    CHECK(doubled.at("frequency") == 15250.0);
    CHECK(doubled.at("stable") == true);
    CHECK(branch.back().at("value") == 30500.0);
    CHECK(branch.back().at("stable") == true);
    OneBead bead{.frequency = 30500.0, .wall = 5e-7, .force = 0.0};
    bead.pass(1000);
    const double x = doubled.at("state").at("displacement").at(0).get<double>();
    if (x * bead.x < 0.0) bead.pass(1);
    CHECK_RELATIVE(x, bead.x, 1e-7);
    CHECK_RELATIVE(doubled.at("state").at("velocity").at(0).get<double>(), bead.v, 1e-7);
    const double energy = branch.back().at("energy").get<double>();
    const double other = orbit(shaken(), along + " --switch -1").at("branch").back().at("energy");
    // 1024 steps per period of the drive.
    const double nearest =
        std::abs(energy - bead.energy()) < std::abs(other - bead.energy()) ? energy : other;
    CHECK_RELATIVE(nearest, bead.energy(), 1e-4);
    CHECK(std::abs(energy / other - 1.0) > 0.1);
}

TEST_CASE("orbit: orbits that have lost a symmetry leave a branch" * doctest::skip(sanitised)) {
    const std::string scenario = between_walls(
        1, "0", pressed(20.0) + drag + "[[load]]\nbead = 0\nfrequency = 7000\namplitude = 60.0\n");
    OneBead bead{.frequency = 7000.0, .wall = 0.0, .force = 60.0};
    bead.pass(400);
    const auto found = orbit(scenario, "--continue frequency=7080:7000 --switch 1");
    CHECK(found.at("left").at("kind") == "tangent");
    CHECK_FALSE(found.contains("periods"));
    CHECK(found.at("branch").back().at("stable") == true);
    CHECK_RELATIVE(found.at("branch").back().at("energy").get<double>(), bead.energy(), 1e-3);
}

TEST_CASE("orbit: products with the tangent lead to the orbit of the whole matrix" *
          doctest::skip(sanitised)) {
    const std::array<std::array<std::string, 2>, 2> chains{
        {{driven(), "--frequency 3760 --steps 1024 --solver "},
         {of_two_metals(41, "aluminium", pressed(20.0)),
          "--frequency 7980.664609317985 --steps 1024 --solver "}}};
    for (const auto& each : chains) {
        const auto whole = orbit(each[0], each[1] + "matrix"),
                   products = orbit(each[0], each[1] + "krylov");
        const auto u = whole.at("state").at("displacement").get<std::vector<double>>(),
                   w = products.at("state").at("displacement").get<std::vector<double>>();
        REQUIRE(u.size() == w.size());
        double largest = 0.0;
        for (const double one : u)
            largest = std::max(largest, std::abs(one));
        for (std::size_t i = 0; i < u.size(); ++i)
            CHECK_ABSOLUTE(w[i], u[i], 1e-10 * largest);
        CHECK(whole.at("multipliers").size() == products.at("multipliers").size());
        for (const std::size_t part : {0U, 1U}) {
            CHECK_ABSOLUTE(products.at("multipliers").at(0).at(part).get<double>(),
                           whole.at("multipliers").at(0).at(part).get<double>(), 1e-8);
        }
    }
}

TEST_CASE("orbit: a breather of a long chain is that of 81 beads" * doctest::skip(sanitised)) {
    const auto found = orbit(of_two_metals(201, "aluminium", pressed(20.0)),
                             "--frequency 7980.664609317985 --steps 512");
    const auto less = orbit(of_two_metals(81, "aluminium", pressed(20.0)),
                            "--frequency 7980.664609317985 --steps 512");
    CHECK_RELATIVE(found.at("energy").get<double>(), less.at("energy").get<double>(), 1e-6);
    CHECK_RELATIVE(found.at("state").at("displacement").at(100).get<double>(),
                   less.at("state").at("displacement").at(40).get<double>(), 1e-6);
    CHECK(found.at("multipliers").size() == 402);
    CHECK(found.at("stable") == false);
}

TEST_CASE("orbit: a switch that leads nowhere is refused in one sentence") {
    CHECK(tells(refusal(driven(), "--frequency 3700 --switch 1"), "--switch is for a branch"));
    CHECK(tells(refusal(shaken(), "--continue frequency=32000:31900 --switch 1"),
                "the branch has no bifurcations"));
    CHECK(tells(refusal(driven(), "--frequency 3400 --solver qr"), "expected matrix, or krylov"));
    CHECK(tells(refusal(between_walls(1, "0"), "--frequency 9000 --periods 2"),
                "--periods 2: is for orbits of a driven chain"));
    CHECK(tells(refusal(shaken(), "--frequency 32000 --periods 2 --steps 256"),
                "repeats after 1 of them"));
}

}  // namespace beadwave::validation::orbit_switch_test

// The command `orbit` as a person uses it: periodic orbits, their multipliers and branches, beside
// calculations by quadrature, by Runge-Kutta methods of order 8 with variational equations, and by
// pseudo-arclength continuation, none of which know time steps.

#include "orbit_chains.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <string>
#include <vector>

namespace beadwave::validation::orbit_test {
namespace {

using namespace orbit_chains;

std::vector<std::complex<double>> multipliers(const nlohmann::json& found) {
    std::vector<std::complex<double>> all;
    for (const auto& one : found.at("multipliers"))
        all.emplace_back(one.at(0).get<double>(), one.at(1).get<double>());
    return all;
}

}  // namespace

TEST_CASE("orbit: one bead between walls has the energy that quadrature gives of its period") {
    // Loose: T = 4 I A / v with I = (2/5) B(2/5, 1/2); pressed and with gaps: quadrature of
    // dx / sqrt(E - V). 1e-8: the default, 1e-11 of the state, where the period depends on energy.
    struct Row {
        std::string scenario;
        double frequency, energy;
    };
    const std::array rows{
        Row{between_walls(1, "0"), 7683.970405440858, 5.1378129855583077e-6},
        Row{between_walls(1, "0", pressed(20.0)), 14954.699546248637, 4.6445594764952581e-5},
        Row{between_walls(1, "0", pressed(20.0)), 16327.971395152227, 0.0050716444999343165},
        Row{between_walls(1, "1e-5"), 1948.1998327836192, 2.0551251942233231e-5}};
    for (const Row& row : rows) {
        CAPTURE(row.frequency);
        // The pressed bead is slower at first, where both contacts stay closed, and faster later.
        const auto found = orbit(row.scenario, "--frequency " + std::to_string(row.frequency));
        CHECK_RELATIVE(found.at("energy").get<double>(), row.energy, 1e-7);
        CHECK_RELATIVE(found.at("frequency").get<double>(), row.frequency, 1e-9);
    }
}

TEST_CASE("orbit: of two beads out of phase energy, place and multipliers") {
    const auto found = orbit(between_walls(2, "0", pressed(20.0)),
                             "--frequency 16072.001221070947 --guess mode:1");
    CHECK_RELATIVE(found.at("energy").get<double>(), 0.00020804574868766724, 1e-9);
    const auto u = found.at("state").at("displacement").get<std::vector<double>>();
    REQUIRE(u.size() == 2);
    CHECK_RELATIVE(std::abs(u[0]), 2.3714515241220226e-6, 1e-9);
    CHECK_RELATIVE(u[0], -u[1], 1e-12);
    // Two multipliers are 1, energy and phase; the sum of the others is that of two integrations.
    const auto all = multipliers(found);
    std::complex<double> sum;
    for (const std::complex<double>& one : all)
        sum += one;
    CHECK_ABSOLUTE(sum.real() - 2.0, -1.818041835930716, 1e-6);
    CHECK(found.at("stable") == true);
}

TEST_CASE("orbit: the error of a given number of steps falls as its square") {
    const std::string scenario = between_walls(1, "0", pressed(20.0));
    const auto error = [&](int steps) {
        return orbit(scenario, "--frequency 14954.699546248637 --steps " + std::to_string(steps))
                       .at("energy")
                       .get<double>() /
                   4.6445594764952581e-5 -
               1.0;
    };
    const double coarse = error(500), fine = error(1000);
    CHECK(std::abs(coarse) > 1e-5);
    CHECK_RELATIVE(coarse / fine, 4.0, 0.01);
}

TEST_CASE("orbit: the driven chain is on each of its branches where continuation found it") {
    // States at t = 0 within 1e-10 of the largest displacement; multipliers within 1e-8.
    struct Row {
        std::string options;
        std::array<double, 11> u;
        double modulus, angle;
        bool stable;
        std::string kind;
    };
    const std::array rows{
        Row{"--frequency 3760",
            {-2.2657556204033e-07, -1.936966399060096e-07, -2.017916962261118e-07,
             3.113343443886119e-08, 4.260344963350518e-07, 3.121747424024973e-08,
             -4.037509690241591e-07, 2.158779372346348e-08, 1.966280813966313e-07,
             1.071343717367835e-07, 2.149264219326598e-07},
            0.9637118201373637,
            1.446868067540551,
            true,
            ""},
        Row{"--frequency 3400",
            {-2.411400660409548e-08, -2.551135318020737e-08, -1.402364274084346e-08,
             1.368543921145519e-08, 2.819498531344292e-08, 2.208081532839855e-09,
             -1.317944634683559e-08, -2.474681344439935e-09, 3.207889272264812e-09,
             3.566435525656951e-09, 3.215075935863174e-09},
            0.929108818659689,
            -1.0,
            true,
            ""},
        Row{"--frequency 3700", {}, 1.0204105898127, 1.480741750546112, false, "neimark-sacker"},
        Row{"--frequency 3615 --which 2", {}, 1.05758365012722, 0.0, false, "tangent"}};
    for (const Row& row : rows) {
        CAPTURE(row.options);
        if (sanitised && row.options != "--frequency 3400") continue;
        const auto found = orbit(driven(), row.options);
        const auto u = found.at("state").at("displacement").get<std::vector<double>>();
        REQUIRE(u.size() == 11);
        if (row.u[0] != 0.0) {
            for (std::size_t i = 0; i < u.size(); ++i)
                CHECK_ABSOLUTE(u[i], row.u[i], 1e-10 * 4e-7);
        }
        const std::complex<double> first = multipliers(found).front();
        CHECK_RELATIVE(std::abs(first), row.modulus, 1e-7);
        // Where all moduli are equal the first is any.
        if (row.angle >= 0.0) CHECK_ABSOLUTE(std::abs(std::arg(first)), row.angle, 1e-7);
        CHECK(found.at("stable") == row.stable);
        CHECK(found.at("periodicity_error").get<double>() < 1e-12);
        if (!row.stable) CHECK(found.at("instabilities").at(0).at("kind") == row.kind);
    }
}

TEST_CASE(
    "orbit: a branch turns at its fold, and loses its stability where a second frequency "
    "appears" *
    doctest::skip(sanitised)) {
    const auto fold = orbit(driven(), "--continue frequency=3626:3634 --points 40");
    REQUIRE(fold.at("bifurcations").size() >= 1);
    CHECK(fold.at("bifurcations").at(0).at("kind") == "fold");
    CHECK_ABSOLUTE(fold.at("bifurcations").at(0).at("value").get<double>(), 3630.159902402553,
                   1e-4);
    CHECK(fold.at("branch").front().at("stable") == true);
    CHECK(fold.at("branch").back().at("stable") == false);
    const auto second = orbit(driven(), "--continue frequency=3735:3715");
    REQUIRE(second.at("bifurcations").size() == 1);
    CHECK(second.at("bifurcations").at(0).at("kind") == "neimark-sacker");
    CHECK_ABSOLUTE(second.at("bifurcations").at(0).at("value").get<double>(), 3726.443234601832,
                   1e-4);
}

TEST_CASE("orbit: breathers of 81 beads in the gap, closed and with contacts that open" *
          doctest::skip(sanitised)) {
    const std::string scenario = of_two_metals(81, "aluminium", pressed(20.0));
    const auto close = orbit(scenario, "--frequency 7980.664609317985");
    CHECK_RELATIVE(close.at("energy").get<double>(), 0.0001283005195550173, 1e-8);
    CHECK_RELATIVE(close.at("state").at("displacement").at(40).get<double>(), 1.84847605901777e-06,
                   1e-8);
    REQUIRE(close.at("instabilities").size() == 1);
    CHECK(close.at("instabilities").at(0).at("kind") == "real");
    CHECK_RELATIVE(multipliers(close).front().real(), 1.126619559465125, 1e-8);
    const auto open = orbit(scenario, "--frequency 6724.823985516678");
    CHECK_RELATIVE(open.at("energy").get<double>(), 0.0001647946165417214, 1e-8);
    CHECK(open.at("least_overlap").get<double>() < -3e-6);
    CHECK(open.at("stable") == false);
    for (const auto& one : open.at("instabilities"))
        CHECK(one.at("kind") == "oscillatory");
}

TEST_CASE("orbit: what has no orbit is refused in one sentence") {
    const std::string one = between_walls(1, "0"), held = between_walls(1, "0", pressed(20.0));
    CHECK(tells(refusal(one, ""), "--frequency is missing, and nothing drives the chain"));
    CHECK(tells(refusal(one, "--frequency -3"), "expected a number above 0"));
    CHECK(tells(refusal(one, "--frequency 1e9"), "have frequencies from"));
    CHECK(tells(refusal(held, "--frequency 15000 --guess mode:7"), "has the modes 0 to 0"));
    CHECK(tells(refusal(held, "--frequency 15000 --guess foo"), "expected mode:K"));
    CHECK(tells(refusal(driven(),
                        "--frequency 3700 --set law.name=ma-liu --set "
                        "material.steel.yield_stress=1e9 --set "
                        "material.aluminium.yield_stress=1e9"),
                "remember their past"));
    CHECK(tells(refusal(driven(), "--continue frequency=3000"), "expected KEY=FROM:TO"));
    CHECK(tells(refusal(driven(), "--frequency 3700 --points 9"), "--points is for a branch"));
    CHECK(tells(refusal(driven(), "--continue frequency=3700:3710 --frequency 3700"),
                "expected one of the two"));
    CHECK(tells(refusal(driven(), "--continue frequency=3700:3710 --accuracy 1e-9"),
                "expected --steps N"));
}

}  // namespace beadwave::validation::orbit_test

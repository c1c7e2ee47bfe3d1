// Lyapunov exponents, as `beadwave orbit --lyapunov` gives them, beside calculations of their own.

#include "orbit_chains.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace beadwave::validation::lyapunov_test {
namespace {

using namespace orbit_chains;

using Numbers = std::vector<double>;

constexpr double mass = 28.84e-3, drag_time = 2e-3;

/// Each bead with the drag m v / tau; the wall moves so far that contacts open.
std::string chaotic_chain() {
    return five_steel_beads(2e-6, mass / drag_time);
}

nlohmann::json exponents(const std::string& scenario, const std::string& options = "") {
    return orbit(scenario, "--lyapunov " + options);
}

}  // namespace

TEST_CASE("orbit: the largest exponent of a chaotic chain is that of three other programs" *
          doctest::skip(sanitised)) {
    // Mean of Runge-Kutta with 120 and 240 steps per period and of pairs of trajectories, each over
    // 256 to 384 random starts: 2020.3 +- 2.5 1/s. Least overlap: contacts open.
    const auto found = exponents(chaotic_chain(), "--exponents 1 --starts 24 --periods 300");
    const double value = found.at("exponents").at(0), error = found.at("standard_errors").at(0);
    CHECK(error > 5.0);
    CHECK(error < 40.0);
    CHECK_ABSOLUTE(value, 2020.3, 3.0 * std::hypot(error, 2.5));
    CHECK(found.at("least_overlap").get<double>() < -1e-6);
    CHECK(found.at("warnings").empty());
}

TEST_CASE("orbit: the sum of all exponents is minus the drag of all beads") {
    // -sum of 1/tau, whatever the motion; that of velocity Verlet differs by the square of the
    // step, 1.1e-3 with 200 steps per period.
    const auto error = [](int steps) {
        const auto all = exponents(chaotic_chain(),
                                   "--exponents 10 --starts 8 --periods 20 --transient 5 --steps " +
                                       std::to_string(steps))
                             .at("exponents")
                             .get<Numbers>();
        REQUIRE(all.size() == 10);
        CHECK(std::is_sorted(all.rbegin(), all.rend()));
        CHECK(all.front() > 1000.0);
        return std::accumulate(all.begin(), all.end(), 0.0) * drag_time / -5.0 - 1.0;
    };
    const double coarse = error(200), fine = error(400);
    CHECK(std::abs(fine) < 4e-4);
    CHECK_RELATIVE(coarse / fine, 4.0, 0.05);
}

TEST_CASE("orbit: exponents of a driven state without chaos are the rates of its multipliers") {
    // |mu| = exp(exponent / frequency). 3400 Hz: all moduli are exp(-T / (2 tau)), tau = 2 ms. 3760
    // Hz: the largest is 0.9637118201373637. Directions that turn: the mean is exact to log(5) in
    // all.
    struct Row {
        std::string frequency;
        double exponent;
    };
    const Row rows[] = {{"3400", -250.0}, {"3760", 3760.0 * std::log(0.9637118201373637)}};
    for (const Row& row : rows) {
        CAPTURE(row.frequency);
        const int periods = sanitised ? 100 : 1000;
        const auto found =
            exponents(driven(), "--exponents 2 --starts 1 --periods " + std::to_string(periods) +
                                    " --frequency " + row.frequency);
        for (const double one : found.at("exponents").get<Numbers>())
            CHECK_ABSOLUTE(one, row.exponent, std::log(5.0) / periods * 3760.0);
    }
}

TEST_CASE("orbit: without damping and chaos the largest exponent is zero within its error") {
    // A bead between walls: neighbours of another energy separate linearly, so that the mean falls
    // as log(t) / t: log(11) / 1000 per period after 100 and 1000 of them.
    const std::string moving = "--frequency 15000 --set segment.0.velocity=0.3 ";
    const std::string scenario = between_walls(1, "0", pressed(20.0));
    const auto found = exponents(scenario, moving + "--periods 1000");
    const double value = found.at("exponents").at(0), error = found.at("standard_errors").at(0);
    CHECK(found.at("starts") == 1);
    CHECK(value > 0.0);
    CHECK(value < 1.5 * std::log(11.0) / 1000.0 * 15000.0);
    CHECK(value < 3.0 * error);
    // The exponents of a system that keeps its energy come in pairs of opposite sign.
    CHECK_ABSOLUTE(value + found.at("exponents").at(1).get<double>(), 0.0, 1e-6 * 15000.0);
}

TEST_CASE("orbit: exponents are the same for the same seed, and differ for another") {
    const std::string few = "--exponents 1 --starts 3 --periods 4 --transient 2 ";
    const auto one = exponents(chaotic_chain(), few), same = exponents(chaotic_chain(), few),
               other = exponents(chaotic_chain(), few + "--seed 7");
    CHECK(one == same);
    CHECK(one.at("largest_of_starts").at(0) != other.at("largest_of_starts").at(0));
    CHECK(one.at("largest_of_starts").size() == 3);
}

TEST_CASE("orbit: starts that end in different states are named" * doctest::skip(sanitised)) {
    // Between its folds the driven chain has a stable state, all of whose exponents are -250 1/s,
    // and another motion that lasts for long, with exponents about 0.
    const auto found =
        exponents(driven(), "--frequency 3625 --exponents 1 --starts 40 --periods 200");
    CAPTURE(found.dump());
    REQUIRE(found.at("warnings").size() == 1);
    CHECK(tells(found.at("warnings").at(0), "the starts differ by more than chance, from -2"));
    const auto alike =
        exponents(driven(), "--frequency 3590 --exponents 1 --starts 8 --periods 200");
    CHECK(alike.at("warnings").empty());
}

TEST_CASE("orbit: options of exponents that make no sense are refused in one sentence") {
    const std::string chain = chaotic_chain(), free = between_walls(1, "0", pressed(20.0));
    CHECK(tells(refusal(chain, "--lyapunov --exponents 11"), "the chain has 10; expected at most"));
    CHECK(tells(refusal(chain, "--lyapunov --transient -1"), "expected 0 or more periods"));
    CHECK(tells(refusal(chain, "--lyapunov --continue frequency=1:2"),
                "--continue is not for --lyapunov"));
    CHECK(tells(refusal(chain, "--lyapunov --accuracy 1e-8"), "--accuracy is not for --lyapunov"));
    CHECK(tells(refusal(chain, "--lyapunov --guess mode:1"), "--guess mode:K is not for"));
    CHECK(tells(refusal(chain, "--starts 3"), "--starts is for motions; expected --lyapunov"));
    CHECK(tells(refusal(free, "--lyapunov --frequency 15000 --starts 3"), "expected --starts 1"));
    CHECK(tells(refusal(free, "--lyapunov"), "--frequency is missing"));
}

}  // namespace beadwave::validation::lyapunov_test

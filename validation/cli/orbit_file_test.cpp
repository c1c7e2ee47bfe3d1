// The file of an orbit, and searches that begin at the state of a file.

#include "beadwave/history.hpp"
#include "beadwave/input_error.hpp"
#include "largest.hpp"
#include "orbit_chains.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <functional>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

namespace beadwave::validation::orbit_file_test {
namespace {

using namespace orbit_chains;

using Numbers = std::vector<double>;

nlohmann::json in_folder(const Folder& folder, const std::string& options) {
    const Said said = shell(folder, "beadwave orbit s.toml " + options + " --json --quiet");
    CAPTURE(said.err);
    REQUIRE(said.status == 0);
    return nlohmann::json::parse(said.out);
}

std::string refused(const Folder& folder, const std::string& options) {
    const Said said = shell(folder, "beadwave orbit s.toml " + options);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    return said.err;
}

double farthest(const Numbers& a, const Numbers& b) {
    return largest_difference(a, b);
}

Numbers displacements(const nlohmann::json& found) {
    return found.at("state").at("displacement").get<Numbers>();
}

}  // namespace

TEST_CASE("orbit: its file is a history of one period, with the forces of its contacts") {
    const Folder folder;
    write_file(folder / "s.toml", between_walls(2, "0", pressed(20.0)));
    const auto found =
        in_folder(folder, "--frequency 16072.001221070947 --guess mode:1 -o orbit.h5");
    CHECK(found.at("file") == "orbit.h5");
    const History history(folder / "orbit.h5");
    CHECK(history.system() == "chain");
    const Numbers u = history.read("displacement"), force = history.read("contact_force"),
                  time = history.read("snapshot_time");
    REQUIRE(time.size() > 100);
    REQUIRE(u.size() == 2 * time.size());
    REQUIRE(force.size() == 3 * time.size());
    CHECK_RELATIVE(time.back(), 1.0 / 16072.001221070947, 1e-12);
    CHECK(history.read("orbit/displacement") == displacements(found));
    CHECK(history.read("orbit/multipliers").size() == 8);
    // The turning points inwards and outwards are those that quadrature gives; half a period apart.
    const std::size_t middle = time.size() / 2;
    const double inwards = std::max(u[0], u[2 * middle]), outwards = -std::min(u[0], u[2 * middle]);
    CHECK_RELATIVE(inwards, 2.0002773738990939e-6, 1e-6);
    CHECK_RELATIVE(outwards, 2.3714515241220226e-6, 1e-6);
    // Hertz: K (d0 + change)^1.5, K of a wall and of two beads as the tables have them.
    const double wall = 9.997920056337265e9, pair = 7.069597069597070e9;
    const auto hertz = [](double k, double closer) {
        const double d = std::pow(20.0 / k, 2.0 / 3.0) + closer;
        return d > 0.0 ? k * d * std::sqrt(d) : 0.0;
    };
    Largest error;
    for (std::size_t t = 0; t < time.size(); ++t) {
        error.enter(std::abs(force[3 * t] - hertz(wall, -u[2 * t])));
        error.enter(std::abs(force[3 * t + 1] - hertz(pair, u[2 * t] - u[2 * t + 1])));
        error.enter(std::abs(force[3 * t + 2] - hertz(wall, u[2 * t + 1])));
    }
    CHECK(error < 1e-9 * 100.0);
}

TEST_CASE(
    "orbit: a search that begins at an orbit's file finds the orbit again, and its neighbour") {
    const Folder folder;
    write_file(folder / "s.toml", driven());
    // The orbit between the folds is unstable: only a search from nearby finds it.
    const std::string coarse = " --accuracy 1e-8";
    const std::string between =
        (sanitised ? "--frequency 3400" : "--frequency 3615 --which 2") + coarse;
    const std::string there = (sanitised ? "--frequency 3400" : "--frequency 3615") + coarse;
    const auto found = in_folder(folder, between + " -o orbit.h5");
    const auto again = in_folder(folder, there + " --guess history:orbit.h5");
    CHECK(farthest(displacements(found), displacements(again)) < 1e-8 * 4e-7);
    CHECK(again.at("newton").size() <= 4);
    CHECK(again.at("stable") == found.at("stable"));
    // The file is replaced by one of its kind, and the wall in it moves as the scenario says.
    in_folder(folder, "--frequency 3760 -o orbit.h5" + coarse);
    const History history(folder / "orbit.h5");
    const Numbers walls = history.read("wall_displacement"), time = history.read("snapshot_time");
    Largest error;
    for (std::size_t t = 0; t < time.size(); ++t)
        error.enter(
            std::abs(walls[2 * t] - 2e-7 * std::sin(2.0 * std::numbers::pi * 3760.0 * time[t])));
    CHECK(error < 1e-12 * 2e-7);
    const auto near = in_folder(folder, "--frequency 3757 --guess history:orbit.h5" + coarse);
    const auto zero = in_folder(folder, "--frequency 3757" + coarse);
    CHECK(farthest(displacements(near), displacements(zero)) < 3e-8 * 4e-7);
}

TEST_CASE("orbit: a search that begins at the end of a run finds the state that the run tends to" *
          doctest::skip(sanitised)) {
    // The run ends in the middle of a period: 113.3 of them.
    const Folder folder;
    write_file(folder / "s.toml", driven() + "[snapshots]\ninterval = 1e-4\n");
    const std::string at = " --set boundary.left.frequency=3760 --set time.end=30.1e-3";
    const Said run = shell(folder, "beadwave run s.toml -o run.h5 --quiet" + at);
    CAPTURE(run.err);
    REQUIRE(run.status == 0);
    const auto found = in_folder(folder, "--guess history:run.h5" + at);
    const auto zero = in_folder(folder, "--frequency 3760");
    CHECK(found.at("frequency") == 3760.0);
    CHECK(farthest(displacements(found), displacements(zero)) < 1e-9 * 4e-7);
    // Already near: the motion decays as exp(-t / (7.2 ms)), to some percent.
    CHECK(found.at("newton").at(0).get<double>() < 0.1);
}

TEST_CASE("orbit: without drive a run gives the turning point of an orbit nearby") {
    const Folder folder;
    write_file(folder / "s.toml",
               between_walls(1, "0", pressed(20.0)) + "[snapshots]\ninterval = 1e-6\n");
    const Said run = shell(folder,
                           "beadwave run s.toml -o run.h5 --quiet --set segment.0.velocity=0.08 "
                           "--set time.end=9.7e-5");
    CAPTURE(run.err);
    REQUIRE(run.status == 0);
    const auto found = in_folder(folder, "--frequency 14954.699546248637 --guess history:run.h5");
    CHECK_RELATIVE(found.at("energy").get<double>(), 4.6445594764952581e-5, 1e-7);
}

TEST_CASE("orbit: exponents of an unstable breather from its file are the rate of its multiplier" *
          doctest::skip(sanitised)) {
    const Folder folder;
    write_file(folder / "s.toml", of_two_metals(81, "steel", pressed(20.0)));
    const std::string at = " --frequency 7535.043742807845";
    const auto found = in_folder(folder, "--guess mode:41 --steps 512 -o orbit.h5" + at);
    CHECK_RELATIVE(found.at("energy").get<double>(), 0.0001701595664302235, 1e-3);
    const double multiplier = found.at("multipliers").at(0).at(0);
    CHECK_RELATIVE(multiplier, 2.435943304468618, 1e-2);
    // Of the first six periods random directions turn; then six grow by the multiplier.
    const auto rate = in_folder(folder,
                                "--lyapunov --guess history:orbit.h5 --steps 512 --exponents 1 "
                                "--transient 9 --periods 6" +
                                    at);
    CHECK(rate.at("starts") == 1);
    CHECK_RELATIVE(rate.at("exponents").at(0).get<double>(),
                   7535.043742807845 * std::log(multiplier), 1e-2);
}

TEST_CASE("orbit: files that do not fit are refused in one sentence") {
    const Folder folder;
    write_file(folder / "s.toml", between_walls(2, "0", pressed(20.0)));
    const std::string at = "--frequency 16072 ";
    CHECK(tells(refused(folder, at + "--guess history:none.h5"), "none.h5: "));
    CHECK(tells(refused(folder, at + "--guess history:"), "expected history:FILE"));
    const auto run = [&](const std::string& name, const std::string& options) {
        const Said said = shell(
            folder, "beadwave run s.toml --quiet -o " + name + " --set time.end=1e-5 " + options);
        REQUIRE(said.status == 0);
    };
    run("bare.h5", "");
    CHECK(tells(refused(folder, at + "--guess history:bare.h5"),
                "expected a history with [snapshots]"));
    run("three.h5", "--set segment.0.beads=3 --set snapshots.interval=1e-6");
    CHECK(tells(refused(folder, at + "--guess history:three.h5"),
                "has 3 beads, and s.toml has 2; expected the same beads"));
    run("heavy.h5", "--set segment.0.mass=0.01 --set snapshots.interval=1e-6");
    CHECK(tells(refused(folder, at + "--guess history:heavy.h5"), "bead 0 has the mass 0.01 kg"));
    write_file(folder / "text.txt", "not ours");
    CHECK(tells(refused(folder, at + "-o text.txt"), "text.txt"));
    CHECK(read_file(folder / "text.txt") == "not ours");
    CHECK(
        tells(refused(folder, "--continue frequency=16072:16000 -o three.h5"), "three.h5: exists"));
    CHECK(tells(refused(folder, at + "--lyapunov -o orbit.h5"), "not for --lyapunov"));
    CHECK(tells(refused(folder, at + "--which 2 --guess history:bare.h5"),
                "--which is not for --guess history:FILE"));
    CHECK(tells(refused(folder, "--continue law.nome=1:2 " + at), "--continue law.nome"));
    CHECK(!tells(refused(folder, "--continue segment.0.bead=1:2 " + at), "--vary"));
}

TEST_CASE("orbit: a state with a load over time, masses inside beads, a bond and springs returns") {
    // Three beads between walls. A plain Runge-Kutta method of order 4 with 20,000 steps, error
    // below 1e-11, moves the state that the program finds on by one period.
    const std::string scenario =
        between_walls(3, "0", pressed(10.0)) +
        "[[load]]\nbead = 1\nfrequency = 6000\namplitude = 3.0\n"
        "[[resonator]]\nbeads = [0, 0]\nmass = 1e-3\nstiffness = 2e6\ndamping = 1.0\n"
        "[[foundation]]\nbeads = [2, 2]\nstiffness = 1e5\ncubic = 1e16\ndamping = 5.0\n"
        "[[bond]]\ncontacts = [2, 2]\nstiffness = 1e6\n";
    const Folder folder;
    write_file(folder / "s.toml", scenario + "[snapshots]\ninterval = 1e-4\n");
    const auto found = in_folder(folder, "-o orbit.h5");
    const double frequency = found.at("frequency");
    CHECK(frequency == 6000.0);
    Numbers y = displacements(found);
    const auto v = found.at("state").at("velocity").get<Numbers>();
    y.insert(y.end(), v.begin(), v.end());
    REQUIRE(y.size() == 8);
    const double mass = 4.110250388446646e-3, wall = 9.997920056337265e9,
                 pair = 7.069597069597070e9;
    const auto hertz = [](double k, double closer) {
        const double d = std::pow(10.0 / k, 2.0 / 3.0) + closer;
        return d > 0.0 ? k * d * std::sqrt(d) : 0.0;
    };
    const auto rates = [&](double t, const Numbers& s) {
        const double* const u = s.data();
        const double* const w = s.data() + 4;
        const double f0 = hertz(wall, -u[0]), f1 = hertz(pair, u[0] - u[1]),
                     f2 = hertz(pair, u[1] - u[2]), f3 = hertz(wall, u[2]);
        const double inner = 2e6 * (u[0] - u[3]) + 1.0 * (w[0] - w[3]);
        const double bond = 1e6 * (u[2] - u[1]);
        const double ground = 1e5 * u[2] + 1e16 * u[2] * u[2] * u[2] + 5.0 * w[2];
        const double load = 3.0 * std::sin(2.0 * std::numbers::pi * frequency * t);
        return Numbers{w[0],
                       w[1],
                       w[2],
                       w[3],
                       (f0 - f1 - inner) / mass,
                       (f1 - f2 + load + bond) / mass,
                       (f2 - f3 - bond - ground) / mass,
                       inner / 1e-3};
    };
    const Numbers start = y;
    constexpr int steps = 20'000;
    const double h = 1.0 / frequency / steps;
    const auto at = [](const Numbers& from, double part, const Numbers& rate) {
        Numbers to = from;
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] += part * rate[i];
        return to;
    };
    for (int k = 0; k < steps; ++k) {
        const double t = k * h;
        const Numbers a = rates(t, y), b = rates(t + 0.5 * h, at(y, 0.5 * h, a)),
                      c = rates(t + 0.5 * h, at(y, 0.5 * h, b)), d = rates(t + h, at(y, h, c));
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
    }
    Largest moved, size;
    for (std::size_t i = 0; i < 4; ++i) {
        moved.enter(std::abs(y[i] - start[i]));
        size.enter(std::abs(start[i]));
    }
    CHECK(size > 1e-8);
    CHECK(moved < 1e-8 * size);
    // The sum of all exponents is minus the damping over the masses: that of the spring inside acts
    // on two of them. Velocity Verlet: within the square of the step.
    const auto rate = in_folder(folder, "--lyapunov --exponents 8 --starts 1 --periods 20");
    const auto all = rate.at("exponents").get<Numbers>();
    CHECK_RELATIVE(std::accumulate(all.begin(), all.end(), 0.0),
                   -(1.0 / mass + 1.0 / 1e-3 + 5.0 / mass), 2e-3);
    // The mass inside is read from a history, too: a run from rest comes near.
    const Said run = shell(folder, "beadwave run s.toml -o run.h5 --quiet --set time.end=10.05e-3");
    REQUIRE(run.status == 0);
    const auto again = in_folder(folder, "--guess history:run.h5");
    CHECK(farthest(displacements(again), displacements(found)) < 1e-9 * size);
}

TEST_CASE("orbit: a law whose force jumps is refused where contacts open, and only there") {
    const std::string law = " --set law.name=kelvin-voigt --set law.restitution=0.8";
    const auto held = orbit(five_steel_beads(1e-8, 0.0), law);
    CHECK(held.at("stable") == true);
    CHECK(held.at("least_overlap").get<double>() > 0.0);
    const std::string open = refusal(five_steel_beads(4e-6, 0.0), "--lyapunov --periods 3" + law);
    CHECK(tells(open, "where the force of this law jumps"));
    CHECK(tells(open, "s.toml: law.name: "));
    // A dashpot whose force starts from zero does not jump.
    orbit(five_steel_beads(4e-6, 0.0),
          "--lyapunov --periods 3 --starts 1 --set law.name=tsuji --set law.restitution=0.8");
}

TEST_CASE("orbit: its file has the eigenvectors of the whole matrix, also by products" *
          doctest::skip(sanitised)) {
    // Masses inside beads are freedoms behind all beads, and beside their beads along the chain.
    const Folder folder;
    write_file(folder / "s.toml", driven() +
                                      "[[resonator]]\nbeads = \"all\"\nmass = 1e-6\n"
                                      "stiffness = 1e4\ndamping = 0.01\n");
    const auto eigenvector = [&](const std::string& solver) {
        in_folder(folder,
                  "--frequency 3615 --which 2 --steps 256 -o " + solver + ".h5 --solver " + solver);
        const History history(folder / (solver + ".h5"));
        return std::array{history.read("orbit/unstable_displacement"),
                          history.read("orbit/unstable_velocity")};
    };
    const auto whole = eigenvector("matrix"), products = eigenvector("krylov");
    REQUIRE(whole[0].size() == 2 * 22);
    REQUIRE(whole[1].size() == 2 * 22);
    Numbers of_beads, inside;
    for (std::size_t i = 0; i < 22; ++i)
        (i < 11 ? of_beads : inside).push_back(std::abs(whole[0][2 * i]));
    // The drive is at a quarter of the masses' own frequency: they move farther than their beads.
    CHECK_RELATIVE(*std::ranges::max_element(of_beads), 1.0, 1e-12);
    CHECK(*std::ranges::max_element(inside) > 1.02);
    CHECK(farthest(products[0], whole[0]) < 1e-8);
    CHECK(farthest(products[1], whole[1]) < 1e-8 * farthest(whole[1], Numbers(44)));
}

}  // namespace beadwave::validation::orbit_file_test

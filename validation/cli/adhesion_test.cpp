// Laws with adhesion on the command line: what `collide` says of bodies that stick, and where these
// laws are refused.

#include "held_run.hpp"
#include "program.hpp"
#include "relative.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <numbers>
#include <string>

namespace beadwave::validation::adhesion_test {

using nlohmann::json;

namespace {

const std::string configs = BEADWAVE_SOURCE_DIR "/configs/";

std::string rubber_case(double speed, const std::string& law) {
    return "speed = " + std::to_string(speed) + R"(
[body.a]
radius = 0.5e-3
mass = 5.7596e-7
youngs_modulus = 1e7
poisson_ratio = 0.45
[body.b]
radius = 0.5e-3
mass = 5.7596e-7
youngs_modulus = 1e7
poisson_ratio = 0.45
[law]
)" + law;
}

Said said_of(const std::string& name, const std::string& text, const std::string& command) {
    const Folder folder;
    write_file(folder / name, text);
    return shell(folder, "beadwave " + command);
}

}  // namespace

TEST_CASE("collide under jkr loses the energy of the neck, or says that the bodies stick") {
    const std::string law = "name = \"jkr\"\nadhesion_energy = 0.1\n";
    const Said fast = said_of("case.toml", rubber_case(0.04, law), "collide case.toml --json");
    REQUIRE_MESSAGE(fast.status == 0, fast.err);
    const json hit = json::parse(fast.out);
    const double R = 0.25e-3, E = 1e7 / (2.0 * (1.0 - 0.45 * 0.45)), w = 0.1;
    const double lost = 16.0 / 3.0 * (0.6 + 0.9 * std::pow(4.0, 4.0 / 3.0)) *
                        std::pow(std::numbers::pi / 8.0, 5.0 / 3.0) *
                        std::cbrt(std::pow(w, 5) * std::pow(R, 4) / (E * E));
    CHECK_RELATIVE(hit.at("dissipated_energy").get<double>(), lost, 1e-6);
    CHECK_RELATIVE(hit.at("rebound_speed").get<double>(),
                   std::sqrt(0.04 * 0.04 - 2.0 * lost / (0.5 * 5.7596e-7)), 1e-6);
    const Said slow = said_of("case.toml", rubber_case(0.02, law), "collide case.toml");
    CHECK(slow.status == 1);
    CHECK(
        slow.err ==
        "beadwave: the two bodies stick together: at this speed they do not overcome the adhesion "
        "of the law\n");
}

TEST_CASE("laws with adhesion need a work of adhesion above zero") {
    const auto err = [](const std::string& law) {
        const Said said = said_of("case.toml", rubber_case(0.04, law), "collide case.toml");
        CHECK(said.status == 2);
        return said.err;
    };
    CHECK(err("name = \"jkr\"\n")
              .find("adhesion_energy: missing; jkr needs a number above 0, in "
                    "J/m^2") != std::string::npos);
    CHECK(err("name = \"dmt\"\nadhesion_energy = 0.0\n").find("a number above 0, in J/m^2") !=
          std::string::npos);
}

TEST_CASE("a mechanism and a sleep speed refuse laws with adhesion in one sentence") {
    const Folder folder;
    const Said mechanism = shell(
        folder, "beadwave run '" + configs +
                    "pendulums.toml' --set law.name=dmt --set law.adhesion_energy=0.1 -o p.h5");
    CHECK(mechanism.status == 2);
    CHECK_MESSAGE(
        mechanism.err.find("law \"dmt\" has adhesion, and a contact of a mechanism ends at "
                           "zero overlap, where a neck may still hold; it is offered for "
                           "chains, packings and collide\n") != std::string::npos,
        mechanism.err);
    const Said sleep = shell(folder, "beadwave run '" + configs +
                                         "chain70.toml' --set law.name=jkr --set "
                                         "law.adhesion_energy=0.1 --set time.sleep_speed=1e-9 -o "
                                         "c.h5");
    CHECK(sleep.status == 2);
    CHECK_MESSAGE(
        sleep.err.find(
            "--set time.sleep_speed = 1e-09: cannot be used with law \"jkr\": a slow bead in an "
            "adhesive contact may become faster by itself; expected 0\n") != std::string::npos,
        sleep.err);
}

TEST_CASE("two spheres that stick vibrate about JKR's zero force with the slope of its equations") {
    // In s = sqrt(a/a_s): zero force at s^3 = 6, where dF/d delta = 0.9 s^2 F_0 R/a_s^2.
    const double R = 0.25e-3, E = 1e7 / (2.0 * (1.0 - 0.45 * 0.45)), w = 0.1;
    const double a_s = std::cbrt(std::numbers::pi * w * R * R / (8.0 * E));
    const double stiffness =
        0.9 * std::cbrt(36.0) * std::numbers::pi * w * R / 6.0 * R / (a_s * a_s);
    const double mass = 0.5 * 4.0 / 3.0 * std::numbers::pi * std::pow(0.5e-3, 3) * 1100.0;
    const Folder folder;
    const Said said =
        shell(folder, "beadwave modes '" + configs +
                          "sticking_spheres.toml' --json --set "
                          "'particles.1.position=[0.9993e-3,0,0]' --set law.restitution=1 --set "
                          "'particles.0.velocity=[0,0,0]'");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const json frequencies = json::parse(said.out).at("frequencies");
    CHECK_RELATIVE(frequencies.back().get<double>(),
                   std::sqrt(stiffness / mass) / (2.0 * std::numbers::pi), 1e-6);
}

TEST_CASE("a packing that sticks resumes from its checkpoint to the bit") {
    const Folder folder;
    const std::string run = "run '" + configs + "sticking_spheres.toml' --quiet --threads 1 -o ";
    REQUIRE(shell(folder, "beadwave " + run + "whole.h5").status == 0);
    HeldRun cut(folder, run + "cut.h5", "1000");
    CHECK(cut.end_by(SIGTERM).status == 1);
    const Said resumed = shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet --threads 2");
    REQUIRE_MESSAGE(resumed.status == 0, resumed.err);
    check_same_histories(folder);
}

}  // namespace beadwave::validation::adhesion_test

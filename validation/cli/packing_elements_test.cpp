// What particles carry, in the program: files, interruptions, overrides.

#include "packing_runs.hpp"
#include "relative.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <numbers>
#include <string>

namespace beadwave::validation::packing_elements_test {

using nlohmann::json;

namespace {

const std::string carrying = R"(
[material.m]
youngs_modulus = 1e8
poisson_ratio = 0.3
density = 2500
[[particles]]
lattice = "simple-cubic"
cells = [3, 3, 3]
radius = 1e-3
overlap = 1e-6
material = "m"
[[particles]]
position = [3e-4, 1e-4, -2.05e-3]
radius = 1e-3
material = "m"
[law]
name = "tsuji"
restitution = 0.6
[friction]
law = "mindlin"
coefficient = 0.4
[[foundation]]
particles = [0, 8]
stiffness = 500
damping = 0.01
rotational_damping = 1e-8
[[resonator]]
group = 0
every = 2
mass = 5e-6
stiffness = 300
damping = 0.002
[[load]]
particles = [20, 22]
file = "force.csv"
[[drive]]
group = 1
velocity_file = "velocity.csv"
rotation = { velocity_file = "spin.csv" }
[[drive]]
particles = [26, 26]
file = "motion.csv"
axes = [true, false, true]
rotates = true
[time]
end = 2e-3
step = 4e-7
[sensors]
particles = [0, 26, 27]
interval = 1e-5
[snapshots]
interval = 1e-4
[energy]
interval = 2e-5
[checkpoint]
interval = 2e-4
)";

void write_files(const Folder& folder) {
    write_file(folder / "packing.toml", carrying);
    write_file(folder / "force.csv", "time_s,fx_N,fy_N,fz_N\n0,0,0,0\n1e-3,0.01,0,-0.02\n");
    write_file(folder / "velocity.csv",
               "time_s,vx_m_per_s,vy_m_per_s,vz_m_per_s\n0,0,0,0\n5e-4,0,0,0.1\n");
    write_file(folder / "spin.csv",
               "time_s,wx_rad_per_s,wy_rad_per_s,wz_rad_per_s\n0,0,5,0\n1e-3,0,-20,30\n");
    write_file(folder / "motion.csv",
               "time_s,x_m,y_m,z_m\n0,0,0,0\n1e-3,1e-5,0,0\n2e-3,0,0,1e-5\n3e-3,0,0,0\n");
}

}  // namespace

TEST_CASE("an interrupted packing whose particles carry something continues to the bit") {
    const Folder folder;
    write_files(folder);
    const std::string run = "run packing.toml --quiet -o ";
    const Said whole = shell(folder, "beadwave " + run + "whole.h5");
    REQUIRE_MESSAGE(whole.status == 0, whole.err);
    REQUIRE(run_until(folder, run + "cut.h5", "2100", SIGTERM).status == 1);
    const Said resumed = shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet");
    CHECK_MESSAGE(resumed.status == 0, resumed.err);
    check_same_histories(folder);
}

TEST_CASE("files of forces and motions that cannot be are refused in one sentence") {
    const auto with = [](const std::string& file, const std::string& text,
                         const std::string& message) {
        const Folder folder;
        write_files(folder);
        write_file(folder / file, text);
        const Said said = shell(folder, "beadwave run packing.toml --quiet -o out.h5");
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err.find(message) != std::string::npos, said.err);
        CHECK_MESSAGE(std::count(said.err.begin(), said.err.end(), '\n') == 1, said.err);
    };
    with("velocity.csv", "time_s,vx_m_per_s,vy_m_per_s,vz_m_per_s\n1e-3,0,0,0\n",
         "drive.0.velocity_file = \"velocity.csv\": time_s starts at 0.001; expected 0");
    with("velocity.csv", "time_s,vx_m_per_s,vy_m_per_s\n0,0,0\n", "vz_m_per_s");
    with(
        "motion.csv", "time_s,x_m,y_m,z_m\n0,1e-5,0,0\n1,0,0,0\n2,0,0,0\n3,0,0,0\n",
        "drive.1.file = \"motion.csv\": x_m starts at 1e-05; expected 0: it counts from the start");
    with("motion.csv", "time_s,x_m,y_m,z_m\n0,0,0,0\n1,0,0,0\n",
         "drive.1.file: 2 rows; expected at least 4");
    with("force.csv", "time_s,fx_N,fy_N,fz_N\n1,0,0,0\n0,0,0,0\n", "time_s must increase");
    with("spin.csv", "time_s,wx_rad_per_s,wy_rad_per_s\n0,0,0\n", "wz_rad_per_s");
}

TEST_CASE("a cemented pair is twisted by a speed, a sine and files, and stores what its beam has") {
    const std::string pair = R"(
[material.m]
youngs_modulus = 1e8
poisson_ratio = 0.3
density = 2500
[[particles]]
position = [0, 0, 0]
radius = 1e-3
material = "m"
fixed = true
[[particles]]
position = [0, 0, 2e-3]
radius = 1e-3
material = "m"
[law]
name = "hertz"
[[bond]]
youngs_modulus = 1e9
stiffness_ratio = 2.5
[time]
end = 1e-3
step = 1e-7
[[drive]]
group = 1
velocity = [0, 0, 0]
axes = [true, true, false]
)";
    const auto run = [&](const std::string& keys) {
        const Folder folder;
        write_file(folder / "pair.toml", pair + keys);
        write_file(folder / "angles.csv",
                   "time_s,x_rad,y_rad,z_rad\n0,0,0,0\n1e-3,0,0,2e-3\n2e-3,0,0,4e-3\n"
                   "3e-3,0,0,6e-3\n");
        write_file(folder / "speeds.csv",
                   "time_s,wx_rad_per_s,wy_rad_per_s,wz_rad_per_s\n0,0,0,0\n1e-3,0,0,4\n");
        return shell(folder, "beadwave run pair.toml --json --quiet -o out.h5");
    };
    // All turn it by 2e-3 rad: k_t = G J / l with G = E / 2.5, J = pi R^4 / 2.
    const double stiffness = 1e9 / 2.5 * 0.5 * std::numbers::pi * 1e-12 / 2e-3;
    const double stored = 0.5 * stiffness * 2e-3 * 2e-3;
    for (const std::string rotation :
         {"velocity = [0, 0, 2]", "frequency = 250, amplitude = [0, 0, 2e-3]",
          "file = \"angles.csv\"", "velocity_file = \"speeds.csv\""}) {
        CAPTURE(rotation);
        const Said said = run("rotation = { " + rotation + " }\n");
        REQUIRE_MESSAGE(said.status == 0, said.err);
        const json energy = json::parse(said.out).at("energy");
        CHECK_RELATIVE(energy.at("stored").get<double>(), stored, 1e-9);
        CHECK(std::abs(energy.at("relative_energy_error").get<double>()) < 1e-6);
    }
    const auto refused = [&](const std::string& keys, const std::string& message) {
        const Said said = run(keys);
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err.find(message) != std::string::npos, said.err);
    };
    refused("rotates = true\nrotation = { velocity = [0, 0, 2] }\n",
            "drive.0.rotates = true: is given in addition to rotation; give one of the two");
    refused("rotation = { frequency = 250 }\n", "drive.0.rotation.amplitude");
    refused("rotation = {}\n", "drive.0.rotation");
    refused("rotation = { velocity = [2] }\n", "drive.0.rotation.velocity");
    refused("rotation = { frequency = 250, amplitude = [0, 0, 1e-3], cycles = 0.3 }\n",
            "drive.0.rotation.cycles = 0.3: must be a multiple of 0.5");
}

}  // namespace beadwave::validation::packing_elements_test

// What particles carry, in the program: files, interruptions, overrides.

#include "packing_runs.hpp"

#include <string>

namespace beadwave::validation::packing_elements_test {

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
}

}  // namespace beadwave::validation::packing_elements_test

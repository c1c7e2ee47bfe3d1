// Initial states whose velocities choose a law or a striker.

#include "beadwave/history.hpp"
#include "orbit_chains.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace beadwave::validation::initial_velocity_test {
namespace {

using namespace orbit_chains;
using Numbers = std::vector<double>;

void done(const Folder& folder, const std::string& command) {
    const Said said = shell(folder, "beadwave " + command + " --quiet");
    CAPTURE(said.err);
    REQUIRE(said.status == 0);
}

}  // namespace

TEST_CASE(
    "initial: the velocities of an initial state are those of the first impact and of strikers") {
    const Folder folder;
    const auto chain = [](const std::string& velocity, const std::string& more) {
        return "[material.steel]\nyoungs_modulus = 193e9\npoisson_ratio = 0.3\ndensity = 7850\n"
               "[[segment]]\nbeads = 1\nradius = 5e-3\nmaterial = \"steel\"\nvelocity = " +
               velocity +
               "\n[[segment]]\nbeads = 2\nradius = 5e-3\nmaterial = \"steel\"\n[time]\nend = "
               "1e-4\nstep = 1e-8\n" +
               more;
    };
    const std::string law =
        "[law]\nname = \"flores\"\nrestitution = 0.8\nimpact_speed = \"initial\"\n";
    const auto velocities = [&](const std::string& text) {
        write_file(folder / "s.toml", text);
        done(folder, "run s.toml -o s.h5 --overwrite --set snapshots.interval=1e-5");
        return History(folder / "s.h5").read("velocity");
    };
    const Numbers plain = velocities(chain("0.1", law));
    const std::string initial = law + "[initial]\nvelocity = [0.1, 0.0, 0.0]\n";
    CHECK(plain.back() > 0.01);
    CHECK(velocities(chain("0.0", initial)) == plain);
    CHECK(velocities(chain("1.0", initial)) == plain);
    // A bead that its segment makes a striker stays one where it starts at rest.
    std::string text =
        chain("0.5", "[boundary]\nright = \"wall\"\n[law]\nname = \"hertz\"\n" + pressed(5.0) +
                         "[sensors]\nbeads = [2]\n[initial]\n"
                         "velocity = [0.0, -0.02, 0.0]\n");
    const std::string second = "beads = 2\nradius = 5e-3\nmaterial = \"steel\"\n";
    text.replace(text.find(second), second.size(),
                 "beads = 1\nradius = 5e-3\nmaterial = \"steel\"\ngap = 1e-7\n[[segment]]\nbeads "
                 "= 1\nradius = 5e-3\nmaterial = \"steel\"\n");
    CHECK(velocities(text).back() != 0.0);
    write_file(folder / "o.toml", "[[objective]]\nkind = \"peak\"\ncontact = 2\nsmoothing = 8\n");
    CHECK(shell(folder, "beadwave gradient s.toml --objective o.toml --inputs radius").status == 0);
}

TEST_CASE("orbit: the scenario of a run has the impact speed of the orbit, and its state alone") {
    const Folder folder;
    std::string text = between_walls(2, "0", pressed(20.0) + "[initial]\nvelocity = [0.3, 0.0]\n");
    const auto put = [&](const std::string& old, const std::string& with) {
        REQUIRE(text.find(old) != std::string::npos);
        text.replace(text.find(old), old.size(), with);
    };
    put("kind = \"wall\"\ngap = 0", "kind = \"driven\"\nfrequency = 9000\namplitude = 1e-7");
    put("\"hertz\"", "\"flores\"\nrestitution = 0.8\nimpact_speed = \"initial\"");
    write_file(folder / "s.toml", text);
    done(folder,
         "orbit s.toml -o orbit.h5 --steps 400 --run-scenario run.toml "
         "--set initial.displacement=[0.0,1e-9]");
    CHECK(tells(read_file(folder / "run.toml"), "impact_speed = 0.3"));
    // 1.01 periods, sampled once per period.
    done(folder,
         "run run.toml -o run.h5 --set time.end=1.1222e-4 --set "
         "snapshots.interval=1.1111111111111111e-4");
    const Numbers u = History(folder / "run.h5").read("displacement");
    REQUIRE(u.size() >= 4);
    CHECK(std::abs(u[0]) > 1e-8);
    // The run and the orbit's map predict the velocity of damping from other accelerations.
    CHECK(std::abs(u[2] - u[0]) < 1e-3 * std::abs(u[0]));
    CHECK(std::abs(u[3] - u[1]) < 1e-3 * std::abs(u[0]));
}

}  // namespace beadwave::validation::initial_velocity_test

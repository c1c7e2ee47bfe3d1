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

}  // namespace beadwave::validation::initial_velocity_test

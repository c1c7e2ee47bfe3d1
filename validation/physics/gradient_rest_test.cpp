// Gradients of chains some of whose beads the wave has not reached, or reaches during the run.

#include "gradient_beads.hpp"
#include "program.hpp"
#include "relative.hpp"
#include "subjects/gradients/gradients.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

namespace beadwave::validation::gradient_rest_test {

using gradient_beads::beads;
using gradient_beads::laws;

TEST_CASE("beads that the wave has not reached have the derivatives of differences") {
    // Sixty beads, of which the last thirty stay at rest; the objectives also read these.
    const Folder folder;
    std::string text = beads;
    text.replace(text.find("beads = 7"), 9, "beads = 59");
    text.insert(text.find("[time]"), "gap = 1.1e-7\n");
    write_file(folder / "chain.toml", text);
    write_file(folder / "target.csv", "time_s,velocity_m_per_s\n0,0.3\n1.2e-4,0.3\n");
    std::string objectives;
    for (const int sensor : {5, 40, 58}) {
        objectives += fmt::format(
            "[[objective]]\nkind = \"trace\"\nsensor = {}\nquantity = \"velocity\"\n"
            "file = \"target.csv\"\nweight = {}\n",
            sensor, 1.0 + 0.1 * sensor);
    }
    write_file(folder / "objective.toml",
               objectives +
                   "[[objective]]\nkind = \"energy\"\nbeads = [3, 55]\n"
                   "[[objective]]\nkind = \"transmission\"\nsensor = 12\n"
                   "incident = 3\n");
    for (const std::vector<std::string>& law : laws) {
        CAPTURE(law.front());
        const auto found = tasks::gradient_of({.scenario = (folder / "chain.toml").string(),
                                               .objective = (folder / "objective.toml").string(),
                                               .inputs = "mass,radius,gap,velocity,load",
                                               .overrides = law,
                                               .check = true});
        REQUIRE(found.gradient.check);
        CHECK(found.gradient.check->largest_deviation < 1e-6);
        // Without contacts a bead at rest keeps a velocity v: the sum over steps of -0.3 dt.
        CHECK_RELATIVE(found.gradient.by_input[3][58], -0.3 * 6.8 * 480 * 2.5e-7, 1e-12);
    }
}

TEST_CASE("beads that begin to move during a run have the derivatives of differences") {
    // The wave passes beads 16 and 32 and is at bead 33 at the end. The reverse sweep recomputes
    // the steps in which they begin to move, after those at the end.
    const Folder folder;
    std::string text = beads;
    text.replace(text.find("beads = 7"), 9, "beads = 59");
    text.insert(text.find("[time]"), "gap = 1.1e-7\n");
    write_file(folder / "chain.toml", text);
    write_file(folder / "objective.toml",
               "[[objective]]\nkind = \"impulse\"\nsensor = 12\nquantity = \"velocity\"\n"
               "[[objective]]\nkind = \"peak\"\nsensor = 28\nweight = 1e-3\n");
    for (std::vector<std::string> law : laws) {
        CAPTURE(law.front());
        law.insert(law.end(), {"time.end=7e-4", "time.step=1e-6"});
        const auto found = tasks::gradient_of({.scenario = (folder / "chain.toml").string(),
                                               .objective = (folder / "objective.toml").string(),
                                               .inputs = "mass",
                                               .overrides = law,
                                               .check = true});
        REQUIRE(found.gradient.check);
        CHECK(found.gradient.check->numbers == 60);
        CHECK(found.gradient.check->largest_deviation < 1e-6);
    }
}

}  // namespace beadwave::validation::gradient_rest_test

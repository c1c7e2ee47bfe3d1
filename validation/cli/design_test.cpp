// The command `design` as a person uses it: its JSON, its files, and one sentence for wrong input.
//
// Includes subjects/design/designs.hpp, so that a build without NLopt leaves this file out.
#include "program.hpp"
#include "subjects/design/designs.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace beadwave::validation::design_test {
namespace {

const std::string gradient_example = BEADWAVE_SOURCE_DIR "/docs/examples/gradient";
const std::string head =
    "[design]\nscenario = \"" + gradient_example + ".toml\"\nevaluations = 20\n";
const std::string objective = "[[objective]]\nkind = \"peak\"\ncontact = 8\n";
const std::string gaps = "[[variable]]\ninput = \"gap\"\nbeads = [3, 12]\nrange = [0, 1e-6]\n";
const std::string moduli =
    "[[variable]]\ninput = \"youngs_modulus\"\nbeads = [9, 11]\nrange = [50e9, 250e9]\n";
const std::string speeds =
    "[[variable]]\ninput = \"velocity\"\nbeads = [1, 4]\nrange = [-0.05, 0.05]\n";
const std::string radii =
    "[[variable]]\ninput = \"radius\"\nbeads = [4, 8]\nrange = [3.5e-3, 6e-3]\n";
const std::string mass = "[[variable]]\ninput = \"mass\"\nbeads = [4, 8]\nrange = [0.9e-3, 6e-3]\n";
const std::string sum = "[[constraint]]\nsum = \"mass\"\nbeads = [4, 8]\nequals = \"start\"\n";

std::string refusal(const std::string& text) {
    const Folder folder;
    write_file(folder / "d.toml", text);
    const Said said = shell(folder, "beadwave design d.toml -o d.h5");
    CHECK_MESSAGE(said.status == 2, text);
    CHECK(said.out.empty());
    CHECK(said.err.find('\n') == said.err.size() - 1);
    CHECK(!std::filesystem::exists(folder / "d.h5.rows"));
    return said.err;
}

void check_refusal(const std::string& text, const std::string& sentence) {
    const std::string said = refusal(text);
    CHECK_MESSAGE(said.find(sentence) != std::string::npos, said);
}

}  // namespace

TEST_CASE("the scenario of a design runs, and its gradient has the design's value to the bit") {
    const Folder folder;
    write_file(folder / "d.toml", head + gaps + moduli + speeds + radii + sum + objective);
    const Said said = shell(folder, "beadwave design d.toml -o d.h5 --json --quiet");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const auto json = nlohmann::json::parse(said.out);
    const auto value = json.at("value").get<double>(), start = json.at("start").get<double>();
    CHECK(value < start);
    CHECK(json.at("evaluations").get<int>() <= 20);
    CHECK(json.at("variables").at(0).at("values").size() == 10);
    CHECK(json.at("variables").at(3).at("mass").size() == 5);
    CHECK(json.at("constraints").at(0).at("sum") == "mass");
    CHECK(json.at("scenario") == "d.best.toml");
    const auto value_of = [&](const std::string& scenario) {
        const Said derived =
            shell(folder, "beadwave gradient '" + scenario + "' --objective '" + gradient_example +
                              "_objective.toml' --inputs mass --json --quiet");
        REQUIRE_MESSAGE(derived.status == 0, derived.err);
        return nlohmann::json::parse(derived.out).at("value").get<double>();
    };
    CHECK(value_of("d.best.toml") == value);
    CHECK(value_of(gradient_example + ".toml") == start);
    CHECK(shell(folder, "beadwave run d.best.toml -o r.h5 --quiet").status == 0);
    // Walls keep the material that their bead had.
    const Said python =
        shell(folder, "'" BEADWAVE_PYTHON
                      "' -c 'import h5py; f = h5py.File(\"d.h5\"); d = f[\"design\"]; "
                      "print(d[\"evaluations/value\"][()].min() <= d[\"value\"][()], "
                      "d[\"evaluations/gradient\"].shape[1], d[\"variable_0/value\"].shape[0])'");
    CHECK(python.out == "True 22 10\n");
}

TEST_CASE("each run of a design has the value of the gradient of its scenario, to the bit") {
    const Folder folder;
    const std::string runs =
        "[[run]]\nweight = 0.5\n[[run]]\nset = { \"segment.0.velocity\" = 2.0, law.name = "
        "\"hertz\" }\n";
    write_file(folder / "d.toml", head + gaps + radii + runs + objective);
    const Said said = shell(folder, "beadwave design d.toml -o d.h5 --json --quiet");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const auto json = nlohmann::json::parse(said.out);
    const auto& found = json.at("runs");
    REQUIRE(found.size() == 2);
    CHECK(found[0].at("set").empty());
    CHECK(found[1].at("set")[1] == "segment.0.velocity=2.0");
    double sum = 0.0;
    for (std::size_t k = 0; k < 2; ++k) {
        const std::string set = k == 0 ? "" : " --set segment.0.velocity=2.0";
        const Said derived =
            shell(folder, "beadwave gradient d.best.toml --objective '" + gradient_example +
                              "_objective.toml' --inputs mass --json --quiet" + set);
        REQUIRE_MESSAGE(derived.status == 0, derived.err);
        const auto value = nlohmann::json::parse(derived.out).at("value").get<double>();
        CHECK(found[k].at("value").get<double>() == value);
        sum += found[k].at("weight").get<double>() * value;
    }
    CHECK(json.at("value").get<double>() == sum);
    CHECK(shell(folder, "beadwave design d.toml -o e.h5 --quiet").status == 0);
    const Said python =
        shell(folder, "'" BEADWAVE_PYTHON
                      "' -c 'import h5py; e = h5py.File(\"d.h5\")[\"design/evaluations\"]; "
                      "print(abs(e[\"runs\"][()] @ [0.5, 1] - e[\"value\"][()]).max() == 0)'");
    CHECK(python.out == "True\n");
}

TEST_CASE("the scenario of a design in another folder finds the files of the original") {
    const Folder folder;
    std::filesystem::create_directory(folder / "parts");
    write_file(folder / "parts/load.csv", "time_s,force_N\n0,0\n1e-4,20\n2e-4,0\n");
    write_file(folder / "parts/motion.csv",
               "time_s,displacement_m\n0,0\n5e-5,1e-6\n1e-4,3e-6\n2e-4,0\n");
    write_file(folder / "parts/s.toml",
               "[material.steel]\nyoungs_modulus = 193e9\npoisson_ratio = 0.3\n[[segment]]\n"
               "beads = 6\nradius = 5e-3\nmass = 4e-3\nmaterial = \"steel\"\n"
               "[law]\nname = \"hertz\"\n"
               "[[load]]\nbead = 3\nfile = \"load.csv\"\n[[drive]]\nbead = 0\n"
               "file = \"motion.csv\"\n[time]\nend = 2e-4\nstep = 1e-6\n");
    write_file(folder / "o.toml", "[[objective]]\nkind = \"peak\"\ncontact = 4\n");
    write_file(folder / "d.toml",
               "[design]\nscenario = \"parts/s.toml\"\nevaluations = 3\n"
               "[[variable]]\ninput = \"mass\"\nbeads = [1, 5]\nrange = [3e-3, 6e-3]\n"
               "[[objective]]\nkind = \"peak\"\ncontact = 4\n");
    const Said said = shell(folder, "beadwave design d.toml -o d.h5 --json --quiet");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const Said derived = shell(
        folder, "beadwave gradient d.best.toml --objective o.toml --inputs mass --json --quiet");
    REQUIRE_MESSAGE(derived.status == 0, derived.err);
    CHECK(nlohmann::json::parse(derived.out).at("value") ==
          nlohmann::json::parse(said.out).at("value"));
}

TEST_CASE("a design given to run says which command reads it") {
    const Folder folder;
    write_file(folder / "d.toml", head + speeds + objective);
    for (const std::string command : {"run", "modes"}) {
        const Said said = shell(folder, "beadwave " + command + " -o x.h5 d.toml");
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err ==
                          "beadwave: d.toml:1: design: is no part of a scenario; designs are for "
                          "`beadwave design`\n",
                      said.err);
    }
}

TEST_CASE("a design replaces its own files only") {
    const Folder folder;
    write_file(folder / "d.toml", head + speeds + objective);
    write_file(folder / "d.best.toml", "mine");
    const std::string command = "beadwave design d.toml -o d.h5 --quiet";
    CHECK(shell(folder, command).status == 2);
    CHECK(read_file(folder / "d.best.toml") == "mine");
    CHECK(shell(folder, command + " --overwrite").status == 0);
    CHECK(shell(folder, command).status == 0);
    write_file(folder / "d.h5.rows", "mine");
    CHECK(shell(folder, command).status == 2);
    CHECK(read_file(folder / "d.h5.rows") == "mine");
}

TEST_CASE("wrong input of a design is one sentence") {
    check_refusal(objective, "design: missing; give [design] with scenario");
    check_refusal(head + objective, "variable: missing; give at least one [[variable]]");
    check_refusal(head + mass, "objective: missing; give at least one [[objective]]");
    check_refusal(head + mass + "[[objective]]\nkind = \"peak\"\ncontact = 8\ntime = [0, 1]\n",
                  "lies outside the run, which ends at 0.0002 s");
    check_refusal(
        head + "[[variable]]\ninput = \"mass\"\nbeads = [4, 8]\nrange = [2e-3, 6e-3]\n" + objective,
        "excludes the start: the mass of bead 5 is 0.00095426 kg");
    check_refusal(head + mass + mass + objective, "bead 4 of mass is already in variable.0");
    check_refusal(head + mass + radii + objective, "the mass of bead 4 follows its radius");
    check_refusal(head + speeds + sum + objective, "no variable changes the mass of these beads");
    check_refusal(
        head + mass + "[[constraint]]\nsum = \"mass\"\nbeads = [4, 8]\nequals = 1\n" + objective,
        "the ranges allow sums from 0.0045 to 0.03 kg");
    check_refusal(head + mass + "symmetric = true\n" + objective,
                  "ties beads 4 and 8, whose mass differs at the start");
    check_refusal(head + mass + "available = [1e-3, 7e-3]\n" + objective,
                  "holds 0.007 kg, which is outside of range");
    check_refusal(head + mass + "ekual = true\n" + objective, "did you mean \"equal\"?");
    check_refusal(
        head + "[[variable]]\ninput = \"gap\"\nbeads = [0, 3]\nrange = [0, 1e-6]\n" + objective,
        "contact 0 is that of a free end, which has no gap");
    const Folder folder;
    write_file(folder / "i.toml", read_file(gradient_example + ".toml") +
                                      "\n[initial]\nvelocity = "
                                      "[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]\n");
    check_refusal(
        "[design]\nscenario = \"" + (folder / "i.toml").string() + "\"\n" + speeds + objective,
        "initial.velocity: takes the place of the velocities that a design changes");
    const std::string run = "[[run]]\nset = ";
    check_refusal(head + speeds + run + "{ segment.99.velocity = 2.0 }\n" + objective,
                  "run.0: segment.99.velocity = 2.0: there is no segment.99");
    check_refusal(head + speeds + run + "{ law.name = \"herz\" }\n" + objective,
                  "run.0: law.name = \"herz\"");
    check_refusal(head + speeds + run + "{ segment.2.velocity = 2.0 }\n" + objective,
                  "run.0: changes the velocity of bead 2 from -0.0101 to 2 m/s, which "
                  "variable.0 varies");
    check_refusal(head + radii + run + "{ \"segment.5.mass\" = 1e-3 }\n" + objective,
                  "run.0: changes the mass of bead 5");
    check_refusal(head + speeds + run + "{ segment.0.beads = 2 }\n" + objective,
                  "run.0: makes 13 beads of the 12 of the scenario");
    check_refusal(head + speeds + run + "3\n" + objective, "run.0.set");
    check_refusal(head + speeds + "[[run]]\nwait = 3\n" + objective, "run.0.wait");
    check_refusal("[design]\nscenario = \"" BEADWAVE_SOURCE_DIR "/configs/square_crystal.toml\"\n" +
                      mass + objective,
                  "is no chain; designs and traces are those of chains");
}

}  // namespace beadwave::validation::design_test

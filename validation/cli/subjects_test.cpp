// A program that is built with chains alone, as ./dev demo builds it: it runs chains, and names in
// one sentence what it was built without.
#include "program.hpp"

#include <algorithm>

namespace beadwave::validation::subjects_test {
namespace {

const std::string configs = BEADWAVE_SOURCE_DIR "/configs/";

Said chains_alone(const Folder& folder, const std::string& words) {
    return shell(folder, "'" BEADWAVE_CHAINS_ALONE "' " + words);
}

void check_refused(const std::string& words, const std::string& sentence) {
    CAPTURE(words);
    const Folder folder;
    const Said said = chains_alone(folder, words);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    // A sweep and a comparison also name the run.
    CHECK(said.err.starts_with("beadwave: "));
    CHECK(said.err.ends_with(sentence + "\n"));
    CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        CHECK(entry.path().filename().string().starts_with("."));
}

std::string without(const std::string& subjects) {
    return "this beadwave was built without " + subjects +
           "; `./dev build` in its source tree builds all of it";
}

}  // namespace

TEST_CASE("a program without packings, mechanisms, fits and modes says how to get them") {
    const std::string crystal = configs + "square_crystal.toml",
                      crank = configs + "slider_crank.toml", chain = configs + "chain70.toml";
    const auto of_table = [](const std::string& file, const std::string& table) {
        const std::string text = read_file(file);
        const auto line =
            std::count(text.begin(),
                       text.begin() + static_cast<std::ptrdiff_t>(text.find("[[" + table + "]]")),
                       '\n') +
            1;
        return file + ":" + std::to_string(line) + ": " + table;
    };
    for (const char* command : {"run", "sweep", "compare"}) {
        const std::string more = std::string(command) == "sweep"     ? " --vary time.end=1e-6,2e-6"
                                 : std::string(command) == "compare" ? " --laws hertz,flores"
                                                                     : "";
        check_refused(
            command + (" '" + crystal + "'") + more,
            of_table(crystal, "particles") + ": makes this a packing, and " + without("packings"));
        check_refused(
            command + (" '" + crank + "'") + more,
            of_table(crank, "body") + ": makes this a mechanism, and " + without("mechanisms"));
    }
    check_refused("fit '" + chain + "' --measured x.csv --bounds law.psi=2:4",
                  "fit: " + without("fits"));
    check_refused("fit --help", "fit: " + without("fits"));
    check_refused("modes '" + chain + "'", "modes: " + without("modes"));
    check_refused("design x.toml", "design: " + without("designs"));
    const std::string grains = BEADWAVE_SOURCE_DIR "/docs/examples/ellipsoids.toml";
    check_refused("collide '" + grains + "'",
                  of_table(grains, "body") + ": " + without("shapes of bodies"));
    check_refused("keys shapes", "shapes: " + without("shapes of bodies"));
    check_refused("keys packing", "packing: " + without("packings"));
    check_refused("keys particles", "particles: " + without("packings"));
    check_refused("keys mechanism", "mechanism: " + without("mechanisms"));
}

TEST_CASE("a program with chains alone computes the same history as the whole one") {
    const Folder folder;
    const std::string run = "run '" + configs + "chain70.toml' --quiet -o ";
    REQUIRE(chains_alone(folder, run + "cut.h5").status == 0);
    REQUIRE(shell(folder, "beadwave " + run + "whole.h5").status == 0);
    check_same_histories(folder);
    const Said laws = chains_alone(folder, "laws --json");
    CHECK(laws.status == 0);
    CHECK(laws.out == shell(folder, "beadwave laws --json").out);
    CHECK(chains_alone(folder, "keys chain").status == 0);
    CHECK(chains_alone(folder, "--help").out.find("\n  fit ") == std::string::npos);
}

}  // namespace beadwave::validation::subjects_test

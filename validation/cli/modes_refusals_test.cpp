// What `beadwave modes` says of options that mean nothing.

#include "held_run.hpp"
#include "program.hpp"

#include <doctest/doctest.h>

#include <string>

namespace beadwave::validation::modes_refusals_test {

namespace {

std::string refusal(const std::string& config, const std::string& options) {
    const Folder folder;
    const Said said =
        shell(folder, "beadwave modes " BEADWAVE_SOURCE_DIR "/configs/" + config + " " + options);
    CHECK(said.status == 2);
    return said.err;
}

}  // namespace

TEST_CASE("text behind the numbers of a wave vector is refused") {
    for (const std::string one : {"0.5abc", "0,0 ", "0,0,0,0", "0;0", "0,", "1e9", "nan", ""}) {
        CAPTURE(one);
        CHECK(refusal("fcc_crystal.toml", "--lowest 4 --path '0:" + one + "'") ==
              "beadwave: --path: \"" + one +
                  "\" is no wave vector; expected up to three numbers, such as 0,0,0:0.5,0,0\n");
    }
}

TEST_CASE("an input without a transfer function is refused") {
    const std::string said = refusal("band_gap.toml", "--input 3");
    CHECK(
        said.ends_with("band_gap.toml: --input: drives a transfer function; expected --transfer "
                       "LOW:HIGH:COUNT beside it\n"));
}

}  // namespace beadwave::validation::modes_refusals_test

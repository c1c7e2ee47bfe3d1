// `beadwave watch` of runs that are running, have ended or do not exist. follow_run.py follows a
// running one.

#include "held_run.hpp"
#include "program.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace beadwave::validation::watch_test {

using nlohmann::json;

namespace {

const std::string chain70 = "'" BEADWAVE_SOURCE_DIR "/configs/chain70.toml'";

}  // namespace

TEST_CASE(
    "h5py and watch follow a growing history and read what the finished one holds, "
    "and a killed run leaves what it has written") {
    const Folder folder;
    const Said said =
        shell(folder, BEADWAVE_PYTHON " '" BEADWAVE_SOURCE_DIR
                                      "/validation/cli/follow_run.py' '" BEADWAVE_PROGRAM "'");
    CHECK_MESSAGE(said.status == 0, said.out, said.err);
}

TEST_CASE("watch of a finished history prints one line and does not wait") {
    const Folder folder;
    REQUIRE(shell(folder, "beadwave run " + chain70 + " --quiet -o out.h5").status == 0);
    const Said said = shell(folder, "beadwave watch out.h5");
    CHECK(said.status == 0);
    CHECK(said.err.empty());
    CHECK(said.out.starts_with(
        "100.0 %  t = 700 us of 700 us  kinetic 33.2 uJ, stored 4.003 uJ, dissipated 667.7 uJ  "
        "peak 35.73 N at bead 9, 67.5 us\n"));
    CHECK(said.out.ends_with("\nfinished, and no run writes it now; the history is out.h5\n"));
    const Said object = shell(folder, "beadwave watch out.h5 --json --once");
    CHECK(object.status == 0);
    const json look = json::parse(object.out);
    CHECK(look.at("state") == "finished");
    CHECK(look.at("steps") == 70000);
    CHECK(look.at("energy").at("kinetic").is_number());
    CHECK(look.at("peak_force").at("bead") == 9);
}

TEST_CASE("without sensors and before the first snapshot, the energies are shown") {
    const Folder folder;
    REQUIRE(shell(folder,
                  "sed '/sensors/,$d' " + chain70 + " >bare.toml; beadwave run bare.toml --quiet")
                .status == 0);
    const Said said = shell(folder, "beadwave watch bare.h5 --json");
    CHECK(said.status == 0);
    CHECK(json::parse(said.out).contains("energy"));
    CHECK_FALSE(json::parse(said.out).contains("peak_force"));
}

TEST_CASE("watch shows how to continue a run that was interrupted") {
    const Folder folder;
    // A checkpoint writes the samples up to its step.
    HeldRun held(folder, "run " + chain70 + " -o out.h5 --set checkpoint.interval=1e-5", "30000");
    const Said once = shell(folder, "beadwave watch out.h5 --once");
    const Said run = held.end_by(SIGTERM);
    CHECK(run.status == 1);
    CHECK(once.out.find(" of 700 us") != std::string::npos);
    const Said said = shell(folder, "beadwave watch out.h5");
    CHECK(said.status == 1);
    CHECK(said.err.starts_with("beadwave: the run ended early at t = "));
    CHECK(
        said.err.ends_with("out.h5 holds the history up to there; continue with: beadwave resume "
                           "out.h5.checkpoint.h5\n"));
    CHECK(std::ranges::count(said.err, '\n') == 1);
}

TEST_CASE("watch says that a suspended run has no sample yet, or no new one") {
    const Folder folder;
    HeldRun held(folder, "run " + chain70 + " -o out.h5 --set checkpoint.interval=1e-5", "0,30000");
    const Said first =
        shell(folder, "beadwave watch out.h5 | grep -m 1 '^no sample yet in out.running.h5$'");
    CHECK(first.status == 0);
    const Said once = shell(folder, "beadwave watch out.h5 --once");
    CHECK(once.status == 0);
    CHECK(once.out == "no sample yet in out.running.h5\n");
    const Said object = shell(folder, "beadwave watch out.h5 --once --json");
    CHECK(json::parse(object.out) == json{{"state", "running"}, {"file", "out.running.h5"}});
    REQUIRE(held.next());
    // grep ends with the first such line, and watch, which then writes to nobody, with it.
    const Said later = shell(folder,
                             "beadwave watch out.h5 --interval 0.1 | grep -m 1 ' of 700 us  no new "
                             "sample for [0-9]* s  kinetic'");
    CHECK(later.status == 0);
    CHECK(held.end_by(SIGTERM).status == 1);
}

TEST_CASE("wrong input to watch is refused in one sentence") {
    const Folder folder;
    write_file(folder / "text.h5", "no history\n");
    REQUIRE(shell(folder, BEADWAVE_PYTHON
                  " -c \"import h5py; h5py.File('other.h5', 'w', libver='latest')['x'] = 1\"")
                .status == 0);
    struct Wrong {
        std::string arguments, words;
    };
    const std::vector<Wrong> wrong = {
        {"absent.h5", "absent.h5: there is no such history, and no run writes it"},
        {"absent.running.h5", "absent.h5: there is no such history, and no run writes it"},
        {"text.h5", "text.h5: is not an HDF5 file"},
        {".", ".: is a folder"},
        {"other.h5", "other.h5: is not a history"},
        {"absent.h5 --interval 0", "--interval"},
        {"", "OUT.h5"},
    };
    for (const Wrong& tried : wrong) {
        CAPTURE(tried.arguments);
        const Said said = shell(folder, "beadwave watch " + tried.arguments);
        CHECK(said.status == 2);
        CHECK(said.out.empty());
        CHECK_MESSAGE(said.err.find(tried.words) != std::string::npos, said.err);
        CHECK(std::ranges::count(said.err, '\n') == 1);
    }
}

}  // namespace beadwave::validation::watch_test

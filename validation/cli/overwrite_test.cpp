// What a person has stays: files of others under a result's name, before the run and while it goes.

#include "program.hpp"

using namespace beadwave::validation;

namespace {

const std::string chain70 = "'" BEADWAVE_SOURCE_DIR "/configs/chain70.toml'";
const std::string run = "beadwave run " + chain70 + " --quiet ";
const std::string without = "; refusing to overwrite it without --force\n";

/// Data of a laboratory.
void make_data(const Folder& folder, const std::string& name) {
    REQUIRE(shell(folder, BEADWAVE_PYTHON " -c \"import h5py; h5py.File('" + name +
                              "', 'w')['force'] = [1.0, 2.0]\"")
                .status == 0);
}

/// A run of a second into out/x.h5, which `meanwhile` happens to once it is at work.
Said run_while(const Folder& folder, const std::string& meanwhile) {
    return shell(folder, "'" BEADWAVE_PROGRAM "' run " + chain70 +
                             " -o out/x.h5 --quiet --threads 1 --set time.step=2e-10 & p=$!; "
                             "while kill -0 $p && [ ! -s out/x.running.h5 ]; do sleep 0.01; done "
                             "2>/dev/null; sleep 0.1; " +
                             meanwhile + "; wait $p");
}

}  // namespace

TEST_CASE("a history replaces histories of beadwave only, unless forced") {
    const Folder folder;
    make_data(folder, "data.h5");
    const std::string data = read_file(folder / "data.h5");
    const Said said = shell(folder, run + "-o data.h5");
    CHECK(said.status == 2);
    CHECK(said.err ==
          "beadwave: data.h5: exists and is not a history that beadwave wrote" + without);
    CHECK(read_file(folder / "data.h5") == data);
    CHECK(shell(folder, run + "-o data.h5 --force").status == 0);
    CHECK(read_file(folder / "data.h5") != data);
    CHECK(shell(folder, run + "-o data.h5").status == 0);

    make_data(folder, "x.running.h5");
    CHECK(shell(folder, run + "-o x.h5").status == 2);
    CHECK(read_file(folder / "x.running.h5") == data);
    make_data(folder, "y.h5.checkpoint.h5");
    CHECK(shell(folder, run + "-o y.h5").status == 2);
    CHECK(read_file(folder / "y.h5.checkpoint.h5") == data);
    CHECK(!std::filesystem::exists(folder / "y.h5"));
}

TEST_CASE("a checkpoint is no history to replace") {
    const Folder folder;
    REQUIRE(shell(folder,
                  "'" BEADWAVE_PROGRAM "' run " + chain70 +
                      " --set time.step=2e-10 --quiet -o x.h5 & sleep 0.5; kill -TERM $!; wait $!")
                .status == 1);
    const std::string checkpoint = read_file(folder / "x.h5.checkpoint.h5");
    CHECK(shell(folder, run + "-o x.h5.checkpoint.h5").status == 2);
    CHECK(read_file(folder / "x.h5.checkpoint.h5") == checkpoint);
}

TEST_CASE("report and collide replace their own drawings and curves only, unless forced") {
    const Folder folder;
    REQUIRE(shell(folder, run + "-o x.h5").status == 0);
    const std::string report = "beadwave report x.h5 --svg x.svg --png x.png --xdmf x.xdmf2 ";
    REQUIRE(shell(folder, report).status == 0);
    CHECK(shell(folder, report).status == 0);
    for (const char* name : {"x.html", "x.svg", "x.png", "x.xdmf2"}) {
        CAPTURE(name);
        const std::string drawn = read_file(folder / name);
        write_file(folder / name, "<html>mine</html>");
        const Said said = shell(folder, report);
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err.ends_with(without), said.err);
        CHECK(read_file(folder / name) == "<html>mine</html>");
        write_file(folder / name, drawn);
    }
    write_file(folder / "x.html", "<html>mine</html>");
    CHECK(shell(folder, report + "--force").status == 0);
    CHECK(read_file(folder / "x.html").size() > 1000);

    const std::string collide = "beadwave collide '" BEADWAVE_SOURCE_DIR
                                "/validation/figures/cases/steel_bead.toml' --curve c.csv ";
    write_file(folder / "c.csv", "time,force\n");
    CHECK(shell(folder, collide).status == 2);
    CHECK(shell(folder, collide + "--force").status == 0);
    CHECK(shell(folder, collide).status == 0);
}

TEST_CASE("a file put under the final name during the run stays, and the history beside it") {
    for (const bool earlier : {false, true}) {
        CAPTURE(earlier);
        const Folder folder;
        REQUIRE(shell(folder, "mkdir out; echo mine >mine").status == 0);
        if (earlier) REQUIRE(shell(folder, run + "-o out/x.h5").status == 0);
        // Onto an earlier history: the file is the same, what it holds is not.
        const Said said = run_while(folder, "cp mine out/x.h5");
        CHECK(said.status == 1);
        CHECK_MESSAGE(said.err ==
                          "beadwave: out/x.h5: was put there or changed by others meanwhile, and "
                          "is left alone; the result is out/x.running.h5\n",
                      said.err);
        CHECK(read_file(folder / "out/x.h5") == "mine\n");
        CHECK(
            shell(folder, "mv out/x.running.h5 whole.h5; beadwave watch whole.h5 --once").status ==
            0);
    }
}

TEST_CASE("a growing history that is moved, or swapped for another file, is not lost") {
    for (const std::string meanwhile : {"mv out/x.running.h5 moved.h5; echo mine >out/x.running.h5",
                                        "rm out/x.running.h5", "rm -r out", "mv out gone"}) {
        CAPTURE(meanwhile);
        const Folder folder;
        REQUIRE(shell(folder, "mkdir out").status == 0);
        REQUIRE(shell(folder, run + "--threads 1 --set time.step=2e-10 -o whole.h5").status == 0);
        const Said said = run_while(folder, meanwhile);
        CHECK(said.status == 1);
        CHECK_MESSAGE(
            said.err ==
                "beadwave: out/x.running.h5: was removed, or its folder, or another file put in "
                "its place, while it was being written; continue with: beadwave resume "
                "out/x.h5.checkpoint.h5\n",
            said.err);
        const bool swapped = meanwhile.ends_with("running.h5") && meanwhile.starts_with("mv");
        if (swapped) CHECK(read_file(folder / "out/x.running.h5") == "mine\n");
        CHECK(!std::filesystem::exists(folder / "out/x.h5"));
        const Said resumed =
            shell(folder,
                  "beadwave resume out/x.h5.checkpoint.h5 -o cut.h5 --quiet && " BEADWAVE_PYTHON
                  " '" BEADWAVE_SOURCE_DIR "/validation/cli/compare_histories.py' whole.h5 cut.h5");
        CHECK_MESSAGE(resumed.status == 0, resumed.out, resumed.err);
    }
}

TEST_CASE("names too long for what stands beside them are refused at the start") {
    const Folder folder;
    const auto named = [&](std::size_t length) {
        return shell(folder, run + "-o " + std::string(length - 3, 'n') + ".h5");
    };
    for (const std::size_t length : {std::size_t{300}, std::size_t{243}, std::size_t{235}}) {
        CAPTURE(length);
        const Said said = named(length);
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err.find(": the name is too long: it has " + std::to_string(length) +
                                    " bytes and can have ") != std::string::npos,
                      said.err);
        CHECK(shell(folder, "ls -A").out == ".err\n.out\n");
    }
    CHECK(named(200).status == 0);
}

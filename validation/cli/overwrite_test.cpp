// Files of others under the name of a result are kept, before a run and during it.

#include "held_run.hpp"
#include "program.hpp"

namespace beadwave::validation::overwrite_test {

namespace {

const std::string chain70 = "'" BEADWAVE_SOURCE_DIR "/configs/chain70.toml'";
const std::string run = "beadwave run " + chain70 + " --quiet ";
const std::string without = "; refusing to overwrite it without --overwrite\n";

/// Writes an HDF5 file that is not one of beadwave.
void make_data(const Folder& folder, const std::string& name) {
    REQUIRE(shell(folder, BEADWAVE_PYTHON " -c \"import h5py; h5py.File('" + name +
                              "', 'w')['force'] = [1.0, 2.0]\"")
                .status == 0);
}

/// A run into out/x.h5; the command `meanwhile` is executed in its middle.
Said run_while(const Folder& folder, const std::string& meanwhile) {
    return beadwave::validation::run_while(
        folder, "run " + chain70 + " -o out/x.h5 --quiet --threads 1 --set time.step=2e-9",
        "100000", meanwhile);
}

}  // namespace

TEST_CASE("a history replaces only histories of beadwave, except with --overwrite") {
    const Folder folder;
    make_data(folder, "data.h5");
    const std::string data = read_file(folder / "data.h5");
    const Said said = shell(folder, run + "-o data.h5");
    CHECK(said.status == 2);
    CHECK(said.err ==
          "beadwave: data.h5: exists and is not a history that beadwave wrote" + without);
    CHECK(read_file(folder / "data.h5") == data);
    CHECK(shell(folder, run + "-o data.h5 --overwrite").status == 0);
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

TEST_CASE("what a kill leaves of the first write of a history is replaced by the next run") {
    const Folder folder;
    REQUIRE(run_until(folder, "run " + chain70 + " --quiet -o x.h5", "1", SIGKILL).status == 137);
    const std::string head = read_file(folder / "x.running.h5");
    REQUIRE(head.size() > 1000);
    for (const std::string& left :
         {std::string(), head.substr(0, 5), head.substr(0, 30), head.substr(0, 400),
          head.substr(0, 1000), std::string(5000, '\0'),
          std::string(4096, '\0') + head.substr(0, 1000)}) {
        CAPTURE(left.size());
        write_file(folder / "x.running.h5", left);
        const Said said = shell(folder, run + "-o x.h5 --set time.end=1e-5");
        CHECK_MESSAGE(said.status == 0, said.err);
        CHECK(!std::filesystem::exists(folder / "x.running.h5"));
    }
    make_data(folder, "data.h5");
    for (const std::string& theirs : {read_file(folder / "data.h5").substr(0, 700),
                                      std::string("\0\0notes", 7), std::string("\x89PNG\r\n")}) {
        CAPTURE(theirs.size());
        write_file(folder / "x.running.h5", theirs);
        CHECK(shell(folder, run + "-o x.h5 --set time.end=1e-5").status == 2);
        CHECK(read_file(folder / "x.running.h5") == theirs);
    }
}

TEST_CASE("a history does not replace a checkpoint") {
    const Folder folder;
    REQUIRE(run_until(folder, "run " + chain70 + " --quiet -o x.h5", "30000", SIGTERM).status == 1);
    const std::string checkpoint = read_file(folder / "x.h5.checkpoint.h5");
    CHECK(shell(folder, run + "-o x.h5.checkpoint.h5").status == 2);
    CHECK(read_file(folder / "x.h5.checkpoint.h5") == checkpoint);
}

TEST_CASE("report and collide replace only their own files, except with --overwrite") {
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
    CHECK(shell(folder, report + "--overwrite").status == 0);
    CHECK(read_file(folder / "x.html").size() > 1000);

    const std::string collide = "beadwave collide '" BEADWAVE_SOURCE_DIR
                                "/validation/figures/cases/steel_bead.toml' --trajectory c.csv ";
    write_file(folder / "c.csv", "time,force\n");
    CHECK(shell(folder, collide).status == 2);
    CHECK(shell(folder, collide + "--overwrite").status == 0);
    CHECK(shell(folder, collide).status == 0);
}

TEST_CASE(
    "a file created under the final name during the run is kept, and the history next to it") {
    for (const bool earlier : {false, true}) {
        CAPTURE(earlier);
        const Folder folder;
        REQUIRE(shell(folder, "mkdir out; echo mine >mine").status == 0);
        if (earlier) REQUIRE(shell(folder, run + "-o out/x.h5").status == 0);
        // If there is an earlier history, cp keeps its file and replaces the content.
        const Said said = run_while(folder, "cp mine out/x.h5");
        CHECK(said.status == 1);
        CHECK_MESSAGE(said.err ==
                          "beadwave: out/x.h5: another program has created or changed this file in "
                          "the meantime; it is kept, and the result is out/x.running.h5\n",
                      said.err);
        CHECK(read_file(folder / "out/x.h5") == "mine\n");
        CHECK(
            shell(folder, "mv out/x.running.h5 whole.h5; beadwave watch whole.h5 --once").status ==
            0);
    }
}

TEST_CASE("a growing history that is moved, removed or swapped for another file is not lost") {
    for (const std::string meanwhile : {"mv out/x.running.h5 moved.h5; echo mine >out/x.running.h5",
                                        "rm out/x.running.h5", "rm -r out", "mv out gone"}) {
        CAPTURE(meanwhile);
        const Folder folder;
        REQUIRE(shell(folder, "mkdir out").status == 0);
        REQUIRE(shell(folder, run + "--threads 1 --set time.step=2e-9 -o whole.h5").status == 0);
        const Said said = run_while(folder, meanwhile);
        CHECK(said.status == 1);
        CHECK_MESSAGE(
            said.err ==
                "beadwave: out/x.running.h5: while it was being written, the file or its folder "
                "was removed, or another file took its place; continue with: beadwave resume "
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

TEST_CASE("a complete history that is removed before it is closed is written again") {
    for (const std::string meanwhile : {"rm out/x.running.h5", "rm -r out"}) {
        CAPTURE(meanwhile);
        const Folder folder;
        REQUIRE(shell(folder, "mkdir out").status == 0);
        REQUIRE(shell(folder, run + "--threads 1 -o whole.h5").status == 0);
        // All steps are done; the file is not closed yet.
        const Said said = beadwave::validation::run_while(
            folder, "run " + chain70 + " -o out/x.h5 --quiet --threads 1", "70000", meanwhile);
        CHECK(said.status == 1);
        const std::string rescued = "; the whole history is ";
        const std::size_t place = said.err.find(rescued);
        REQUIRE_MESSAGE(place != std::string::npos, said.err);
        const std::string name =
            said.err.substr(place + rescued.size(), said.err.find('\n') - place - rescued.size());
        check_same_histories(folder, "whole.h5", name);
    }
}

TEST_CASE("a result whose name is a link without a target is refused before the run") {
    const Folder folder;
    REQUIRE(shell(folder, run + "-o x.h5; ln -s gone/there.h5 link.h5; ln -s gone/x link.csv; "
                                "ln -s gone/x link.html; ln -s gone/x y.h5.checkpoint.h5")
                .status == 0);
    const auto refused = [&](const std::string& command, const std::string& name,
                             const std::string& target) {
        const Said said = shell(folder, command);
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err == "beadwave: " + name + ": is a link to gone/" + target +
                                      ", which does not exist\n",
                      said.err);
    };
    refused(run + "-o link.h5", "link.h5", "there.h5");
    refused(run + "-o y.h5", "y.h5.checkpoint.h5", "x");
    const std::string sweep = "beadwave sweep '" BEADWAVE_SOURCE_DIR
                              "/configs/chain70.toml' --quiet --vary law.restitution=0.7,0.8 ";
    refused(sweep + "-o link.h5 --csv z.csv", "link.h5", "there.h5");
    refused(sweep + "-o z.h5 --csv link.csv", "link.csv", "x");
    refused("beadwave report x.h5 -o link.html", "link.html", "x");
    refused("beadwave collide '" BEADWAVE_SOURCE_DIR
            "/validation/figures/cases/steel_bead.toml' --trajectory link.csv",
            "link.csv", "x");
    REQUIRE(shell(folder, "printf 'time (s),bead 2 (N)\n0,0\n3e-4,1\n6e-4,2\n' >lab.csv").status ==
            0);
    const std::string fit = "beadwave fit '" BEADWAVE_SOURCE_DIR
                            "/configs/chain70.toml' --quiet --measured lab.csv --bounds "
                            "segment.0.velocity=1:2 --set 'sensors.beads=[2]' -o ";
    refused(fit + "link.h5", "link.h5", "there.h5");
    CHECK(shell(folder, "ls -A | grep -c -e partial -e earlier -e running").out == "0\n");
}

TEST_CASE("names that are too long for the files made from them are refused at the start") {
    const Folder folder;
    const auto named = [&](std::size_t length) {
        return shell(folder, run + "-o " + std::string(length - 3, 'n') + ".h5");
    };
    for (const std::size_t length : {std::size_t{300}, std::size_t{243}, std::size_t{235}}) {
        CAPTURE(length);
        const Said said = named(length);
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err.find(": the name is too long: it has " + std::to_string(length) +
                                    " bytes; at most ") != std::string::npos,
                      said.err);
        CHECK(shell(folder, "ls -A").out == ".err\n.out\n");
    }
    CHECK(named(200).status == 0);
}

}  // namespace beadwave::validation::overwrite_test

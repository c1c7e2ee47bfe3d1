// Interrupted runs and `beadwave resume`, as users meet them. kill_and_resume.py tests the same at
// random moments.

#include "held_run.hpp"
#include "program.hpp"
#include "sanitised.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace beadwave::validation::resume_test {

namespace {

const std::string scripts = "'" BEADWAVE_SOURCE_DIR "/validation/cli/";
const std::string chain70 = "'" BEADWAVE_SOURCE_DIR "/configs/chain70.toml'";
/// 350,000 steps, with a checkpoint every 5,000.
const std::string settings =
    " --quiet --threads 1 --set time.step=2e-9 --set checkpoint.interval=1e-5 ";

/// A run that gets a signal in its middle, after several checkpoints.
Said stopped_by(const Folder& folder, int signal, const std::string& arguments = "") {
    return run_until(folder, "run " + chain70 + settings + arguments + " -o cut.h5", "100000",
                     signal);
}

/// Leaves a checkpoint and its history in the folder.
void make_checkpoint(const Folder& folder) {
    REQUIRE(stopped_by(folder, SIGTERM).status == 1);
}

/// The message of resume for a checkpoint with this content. It must not write anything.
std::string refusal(const Folder& folder, const std::string& content) {
    write_file(folder / "bad.checkpoint.h5", content);
    const std::string history = read_file(folder / "cut.h5");
    const Said said = shell(folder, "beadwave resume bad.checkpoint.h5");
    CHECK(said.status == 2);
    CHECK(read_file(folder / "cut.h5") == history);
    CHECK(!std::filesystem::exists(folder / "cut.running.h5"));
    CHECK(said.err.starts_with("beadwave: bad.checkpoint.h5: "));
    return said.err;
}

std::string replaced(std::string text, const std::string& old, const std::string& with) {
    const std::size_t place = text.find(old);
    REQUIRE(place != std::string::npos);
    return text.replace(place, old.size(), with);
}

}  // namespace

TEST_CASE(
    "a terminated run prints how to continue, and the resumed history is bitwise that of the "
    "whole run") {
    for (const std::string law :
         {"--set law.name=hertz", "--set law.name=flores --set law.restitution=0.7",
          "--set law.name=ma-liu --set segment.1.disorder=0.02 --set segment.1.seed=7"}) {
        CAPTURE(law);
        const Folder folder;
        REQUIRE(shell(folder, "beadwave run " + chain70 + settings + law + " -o whole.h5").status ==
                0);
        const Said cut = stopped_by(folder, SIGTERM, law);
        CHECK(cut.status == 1);
        CHECK(cut.err.find("interrupted at t = ") != std::string::npos);
        CHECK(cut.err.find("continue with: beadwave resume cut.h5.checkpoint.h5\n") !=
              std::string::npos);
        const Said resumed =
            shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet --threads 2");
        CHECK_MESSAGE(resumed.status == 0, resumed.err);
        CHECK(!std::filesystem::exists(folder / "cut.h5.checkpoint.h5"));
        check_same_histories(folder);
    }
}

TEST_CASE("a killed run is continued into another history, twice, and its own is unchanged") {
    const Folder folder;
    REQUIRE(shell(folder, "beadwave run " + chain70 + settings + " -o whole.h5").status == 0);
    CHECK(stopped_by(folder, SIGKILL).status == 137);
    REQUIRE(shell(folder, "mkdir sub; mv cut.h5.checkpoint.h5 cut.running.h5 sub/").status == 0);
    const std::string history = read_file(folder / "sub/cut.running.h5"),
                      checkpoint = read_file(folder / "sub/cut.h5.checkpoint.h5");
    for (int time = 0; time < 2; ++time) {
        const Said resumed =
            shell(folder, "beadwave resume sub/cut.h5.checkpoint.h5 -o cut.h5 --quiet");
        REQUIRE_MESSAGE(resumed.status == 0, resumed.err);
        check_same_histories(folder);
    }
    CHECK(read_file(folder / "sub/cut.running.h5") == history);
    CHECK(read_file(folder / "sub/cut.h5.checkpoint.h5") == checkpoint);
}

TEST_CASE("a checkpoint without its history, or with another or a shorter one, is refused") {
    const Folder folder;
    make_checkpoint(folder);
    const std::string history = read_file(folder / "cut.h5");
    const auto refused = [&](const std::string& why) {
        const Said said = shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet");
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err.find(why) != std::string::npos, said.err);
        CHECK(std::ranges::count(said.err, '\n') == 1);
    };
    std::filesystem::remove(folder / "cut.h5");
    refused("cannot continue without its history: neither cut.running.h5 nor cut.h5 exists");
    REQUIRE(shell(folder, "beadwave run " + chain70 + " --quiet -o cut.h5").status == 0);
    const std::string other = read_file(folder / "cut.h5");
    refused(
        "cut.h5 is the complete history of a run; if that is the run of cut.h5.checkpoint.h5, "
        "nothing is left to do");
    CHECK(read_file(folder / "cut.h5") == other);
    write_file(folder / "cut.h5", history.substr(0, history.size() / 2));
    refused("cut.h5 is truncated");
    write_file(folder / "cut.h5", history);
    CHECK(shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet").status == 0);
}

TEST_CASE("a copy of an earlier checkpoint is refused: the history was continued since") {
    const Folder folder;
    make_checkpoint(folder);
    REQUIRE(shell(folder, "cp cut.h5.checkpoint.h5 early.checkpoint.h5").status == 0);
    REQUIRE(run_until(folder, "resume cut.h5.checkpoint.h5 --quiet --threads 1", "200000", SIGTERM)
                .status == 1);
    const std::string history = read_file(folder / "cut.h5");
    const Said early = shell(folder, "beadwave resume early.checkpoint.h5 --quiet");
    CHECK(early.status == 2);
    CHECK_MESSAGE(early.err.find("since") != std::string::npos, early.err);
    CHECK(read_file(folder / "cut.h5") == history);
    CHECK(shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet").status == 0);
}

TEST_CASE("a checkpoint holds nothing of the history: the tenth is as large as the first") {
    const Folder folder;
    std::vector<double> bytes;
    HeldRun run(folder,
                "run " + chain70 +
                    " --quiet --threads 1 --set time.step=1e-9 --set sensors.interval=1e-9 "
                    "--set checkpoint.interval=1e-5 -o cut.h5",
                "15000,100000,300000,500000,695000");
    do {
        bytes.push_back(
            static_cast<double>(std::filesystem::file_size(folder / "cut.h5.checkpoint.h5")));
    } while (run.next());
    CHECK(run.end().status == 0);
    REQUIRE(bytes.size() == 5);
    const double history = static_cast<double>(std::filesystem::file_size(folder / "cut.h5"));
    CHECK(history > 2e7);
    CHECK(*std::ranges::max_element(bytes) < 6e5);
}

TEST_CASE("runs that are killed at random moments and resumed have the same history") {
    const std::string kills = sanitised ? "2" : "5";
    const Folder folder;
    const Said said =
        shell(folder, BEADWAVE_PYTHON " " + scripts +
                          "kill_and_resume.py' '" BEADWAVE_PROGRAM "' " + kills + " --seed 1");
    CHECK_MESSAGE(said.status == 0, said.out, said.err);
}

TEST_CASE("a finished run leaves no checkpoint") {
    const Folder folder;
    REQUIRE(shell(folder,
                  "beadwave run " + chain70 + " --quiet -o out.h5 --set checkpoint.interval=1e-5")
                .status == 0);
    CHECK(shell(folder, "ls -A").out == ".err\n.out\nout.h5\n");
}

TEST_CASE("a checkpoint that is truncated at any place is refused") {
    const Folder folder;
    make_checkpoint(folder);
    const std::string whole = read_file(folder / "cut.h5.checkpoint.h5");
    const std::size_t size = whole.size();
    for (const std::size_t bytes :
         {std::size_t{10}, std::size_t{40}, std::size_t{511}, std::size_t{512}, std::size_t{600},
          std::size_t{4096}, size / 3, size / 2, size - 1}) {
        CAPTURE(bytes);
        const std::string why = refusal(folder, whole.substr(0, bytes));
        // The last bytes may be a page that was added later.
        CHECK((why.find("truncated") != std::string::npos ||
               why.find("was continued since") != std::string::npos));
    }
    CHECK(refusal(folder, "").find("is not a checkpoint") != std::string::npos);
}

TEST_CASE("damage anywhere, another format or version, and files of other kinds are refused") {
    const Folder folder;
    make_checkpoint(folder);
    const std::string whole = read_file(folder / "cut.h5.checkpoint.h5");
    CHECK(refusal(folder, replaced(whole, "youngs_modulus = 193", "youngs_modulus = 194"))
              .find("is damaged") != std::string::npos);
    for (std::size_t place = 512; place < whole.size(); place += whole.size() / 23) {
        CAPTURE(place);
        std::string flipped = whole;
        flipped[place] = static_cast<char>(flipped[place] ^ 0x10);
        CHECK(refusal(folder, flipped).find("damaged") != std::string::npos);
    }
    CHECK(refusal(folder, replaced(whole, "format 7,", "format 3,")) ==
          "beadwave: bad.checkpoint.h5: was written by an earlier version (format 3, this is 7), "
          "which saved other names or states; run the scenario again\n");
    // The states of mechanisms are longer than in format 5.
    CHECK(refusal(folder, replaced(whole, "format 7,", "format 5,")) ==
          "beadwave: bad.checkpoint.h5: was written by an earlier version (format 5, this is 7), "
          "which saved other names or states; run the scenario again\n");
    // The states of sensors are longer than in format 6.
    CHECK(refusal(folder, replaced(whole, "format 7,", "format 6,")) ==
          "beadwave: bad.checkpoint.h5: was written by an earlier version (format 6, this is 7), "
          "which saved other names or states; run the scenario again\n");
    CHECK(refusal(folder, replaced(whole, "format 7,", "format 9,")) ==
          "beadwave: bad.checkpoint.h5: was written by a newer version (format 9, this is 7)\n");
    CHECK(refusal(folder, replaced(whole, "format 7,", "format x,"))
              .find("is damaged: its first line has no format") != std::string::npos);
    CHECK(refusal(folder, replaced(whole, "version 0", "version 9"))
              .find("was written by beadwave 9") != std::string::npos);
    CHECK(refusal(folder, "[time]\nend = 1\n").find("is not a checkpoint") != std::string::npos);
    CHECK(shell(folder, "beadwave resume nowhere.h5").err ==
          "beadwave: nowhere.h5: no such file\n");
    CHECK(shell(folder, "beadwave resume .").status == 2);
    CHECK(shell(folder, "beadwave resume cut.h5.checkpoint.h5 -o cut.h5.checkpoint.h5").status ==
          2);
    CHECK(read_file(folder / "cut.h5.checkpoint.h5") == whole);
    // A history is no checkpoint, and neither replaces what is not its own kind.
    REQUIRE(shell(folder, "beadwave run " + chain70 + " --quiet -o out.h5").status == 0);
    CHECK(shell(folder, "beadwave resume out.h5").err ==
          "beadwave: out.h5: is not a checkpoint of beadwave\n");
    CHECK(shell(folder, "mv out.h5 x.h5.checkpoint.h5; beadwave run " + chain70 + " -o x.h5")
              .status == 2);
}

TEST_CASE("a full disk ends the run, and the previous checkpoint is valid") {
    const Folder folder;
    const std::string arguments = settings + "--set checkpoint.interval=3e-5 ";
    REQUIRE(shell(folder, "beadwave run " + chain70 + arguments + " -o whole.h5").status == 0);
    const Said full =
        shell(folder, "(ulimit -f 4000; beadwave run " + chain70 + arguments + " -o cut.h5)");
    CHECK(full.status == 1);
    CHECK_MESSAGE(full.err.find("File too large") != std::string::npos, full.err);
    CHECK(full.err.find("continue with: beadwave resume cut.h5.checkpoint.h5\n") !=
          std::string::npos);
    CHECK(shell(folder, BEADWAVE_PYTHON
                " -c \"import h5py; h5py.File('cut.h5')['observables/sensor_force/value'][()]\"")
              .status == 0);
    CHECK(shell(folder, "ls -A | grep -c -e partial -e running").out == "0\n");
    REQUIRE(shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet").status == 0);
    check_same_histories(folder);
}

TEST_CASE("if only the checkpoint cannot be written, the run ends and its history is kept") {
    const Folder folder;
    // With much memory per contact and no snapshots, the checkpoint is larger than the history.
    REQUIRE(shell(folder, "sed '/^.snapshots/,+1d' " + chain70 + " > plain.toml").status == 0);
    const std::string run =
        "(ulimit -f 2000; beadwave run plain.toml --quiet --set law.name=thornton "
        "--set segment.1.beads=20000 --set time.step=1e-7 --set time.end=5e-5 "
        "--set checkpoint.interval=1e-5 -o cut.h5)";
    const auto stopped = [&](const std::string& history, const std::string& files) {
        const Said full = shell(folder, run);
        CHECK(full.status == 1);
        CHECK_MESSAGE(full.err.find(": no checkpoint could be written: cut.h5.checkpoint.h5: ") !=
                          std::string::npos,
                      full.err);
        CHECK(shell(folder, "ls -A | grep '^[^.]\\|partial'").out == files);
        CHECK(shell(folder, BEADWAVE_PYTHON " -c \"import h5py; h5py.File('" + history +
                                "')['observables/kinetic_energy/value'][()]\"")
                  .status == 0);
        return full.err;
    };
    CHECK(stopped("cut.h5", "cut.h5\nplain.toml\n").find("holds") == std::string::npos);

    REQUIRE(shell(folder, "beadwave run plain.toml --quiet -o cut.h5").status == 0);
    const std::string earlier = read_file(folder / "cut.h5");
    CHECK(stopped("cut.running.h5", "cut.h5\ncut.running.h5\nplain.toml\n")
              .ends_with("; cut.running.h5 holds the history up to there\n"));
    CHECK(read_file(folder / "cut.h5") == earlier);
}

TEST_CASE(
    "a run can be resumed from any folder, even if the files that its scenario named are gone") {
    const std::string indentation =
        "'" BEADWAVE_SOURCE_DIR "/validation/physics/indentation_example.csv'";
    for (const std::string law :
         {"name = \"hertz\"", "name = \"tabulated\"\nfile = \"tables/indentation.csv\""}) {
        CAPTURE(law);
        const Folder folder;
        // The files are named relative to the scenario's folder; the run starts in another one.
        REQUIRE(shell(folder,
                      "mkdir -p made/tables; cp " + indentation + " made/tables/indentation.csv")
                    .status == 0);
        write_file(folder / "made/piston.csv",
                   "time_s,displacement_m\n0,0\n5e-5,1e-5\n20e-5,2e-5\n60e-5,9e-5\n");
        write_file(
            folder / "made/driven.toml",
            "[material.steel]\nyoungs_modulus = 193e9\npoisson_ratio = 0.3\n"
            "yield_stress = 900e6\ndensity = 7970\n[[segment]]\nbeads = 70\n"
            "radius = 2.38e-3\nmaterial = \"steel\"\n[law]\n" +
                law +
                "\n[boundary]\nleft = { kind = \"driven\", file = \"piston.csv\" }\n"
                "right = { kind = \"driven\", frequency = 2e4, amplitude = 1e-7, cycles = 9 }\n"
                "[time]\nend = 700e-6\nstep = " +
                (sanitised ? "8e-9" : "1e-9") +
                "\n[sensors]\nbeads = [3, 69]\ninterval = 1e-6\n[checkpoint]\ninterval = 1e-5\n");
        REQUIRE(
            shell(folder, "beadwave run made/driven.toml --quiet --threads 1 -o whole.h5").status ==
            0);
        REQUIRE(run_until(folder, "run made/driven.toml --quiet --threads 1 -o cut.h5", "50000",
                          SIGKILL)
                    .status == 137);
        REQUIRE(shell(folder, "rm -r made; mkdir elsewhere").status == 0);
        const Said resumed =
            shell(folder, "(cd elsewhere && beadwave resume ../cut.h5.checkpoint.h5 --quiet)");
        CHECK_MESSAGE(resumed.status == 0, resumed.err);
        check_same_histories(folder);
        const Said kept =
            shell(folder, BEADWAVE_PYTHON
                  " -c \"import h5py; f = h5py.File('cut.h5')['parameters/files']; "
                  "print(','.join(f), f['boundary.left.file'][()].decode().split()[0])\"");
        CHECK(kept.out == (law.size() > 20 ? "boundary.left.file,law.file time_s,displacement_m\n"
                                           : "boundary.left.file time_s,displacement_m\n"));
    }
}

TEST_CASE("every output has its own checkpoint, whatever its extension") {
    const Folder folder;
    const std::vector<std::string> names = {"e0.65", "e0.75", "out", "out.h5", "out.hdf5"};
    for (const std::string& name : names) {
        // "out" and "out.h5" grow under the same name, so the runs follow each other.
        REQUIRE(run_until(folder, "run " + chain70 + settings + "-o " + name, "20000", SIGTERM)
                    .status == 1);
    }
    for (const std::string& name : names) {
        CAPTURE(name);
        const Said resumed = shell(folder, "beadwave resume " + name + ".checkpoint.h5 --quiet");
        CHECK_MESSAGE(resumed.status == 0, resumed.err);
        CHECK(!std::filesystem::exists(folder / (name + ".checkpoint.h5")));
    }
}

TEST_CASE("a checkpoint with the name of earlier versions, OUT.checkpoint.h5, can be resumed") {
    const Folder folder;
    make_checkpoint(folder);
    const Said resumed = shell(
        folder,
        "mv cut.h5.checkpoint.h5 cut.checkpoint.h5; beadwave resume cut.checkpoint.h5 --quiet");
    CHECK_MESSAGE(resumed.status == 0, resumed.err);
    CHECK(std::filesystem::exists(folder / "cut.h5"));
}

TEST_CASE("a run with more sensors than an attribute can hold continues from its checkpoint") {
    const Folder folder;
    std::string list;
    for (int bead = 0; bead < 8500; ++bead)
        list += (bead == 0 ? "[" : ", ") + std::to_string(bead);
    std::string scenario = read_file(BEADWAVE_SOURCE_DIR "/configs/chain70.toml");
    scenario = replaced(scenario, "beads    = 70", "beads    = 9000");
    scenario = replaced(scenario, "[9, 16, 24, 31, 40, 50, 56, 63]", list + "]");
    write_file(folder / "many.toml", scenario);
    REQUIRE(run_until(folder,
                      "run many.toml --quiet --set time.end=2e-5 --set checkpoint.interval=2e-6 "
                      "--set sensors.interval=1e-6 --set snapshots.interval=1e-5 --threads 1 "
                      "--set time.step=1e-9 -o cut.h5",
                      "10000", SIGKILL)
                .status == 137);
    const Said resumed = shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet");
    CHECK_MESSAGE(resumed.status == 0, resumed.err);
    const Said count =
        shell(folder, BEADWAVE_PYTHON
              " -c \"import h5py; f = h5py.File('cut.h5')['observables/sensor_force']; "
              "print(f['beads'].shape, f['value'].shape[1])\"");
    CHECK(count.out == "(8500,) 8500\n");
}

TEST_CASE("a setting that is not UTF-8 is refused, because its checkpoint could not be resumed") {
    const Folder folder;
    for (const std::string setting :
         {"title=\"a\\377b\"", "title=a\\377b", "law.n\\355\\240\\200=1"}) {
        CAPTURE(setting);
        const Said said = shell(
            folder, "beadwave run " + chain70 + " -o x.h5 --set \"$(printf '" + setting + "')\"");
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err.find(": must be text in UTF-8\n") != std::string::npos, said.err);
    }
}

}  // namespace beadwave::validation::resume_test

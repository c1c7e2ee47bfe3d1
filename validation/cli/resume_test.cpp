// Interrupted runs and `beadwave resume`, as a person uses them. kill_and_resume.py does the same
// at random.

#include "program.hpp"
#include "sanitized.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

using namespace beadwave::validation;

namespace {

const std::string scripts = "'" BEADWAVE_SOURCE_DIR "/validation/cli/";
const std::string chain70 = "'" BEADWAVE_SOURCE_DIR "/configs/chain70.toml'";
/// About a second, with a checkpoint early on.
const std::string settings =
    " --quiet --threads 1 --set time.step=2e-10 --set checkpoint.interval=1e-5 ";

/// Starts a run, sends it a signal once its first checkpoint is there, and waits for its end.
std::string stopped_by(const std::string& signal, const std::string& arguments) {
    return "'" BEADWAVE_PROGRAM "' run " + chain70 + settings + arguments +
           " -o cut.h5 & p=$!; while kill -0 $p && [ ! -e cut.h5.checkpoint.h5 ]; do sleep 0.01; "
           "done "
           "2>/dev/null; "
           "kill -" +
           signal + " $p; wait $p";
}

Said compare(const Folder& folder) {
    return shell(folder, BEADWAVE_PYTHON " " + scripts + "compare_histories.py' whole.h5 cut.h5");
}

/// Leaves a checkpoint in the folder, and its history.
void make_checkpoint(const Folder& folder) {
    REQUIRE(shell(folder, stopped_by("TERM", "")).status == 1);
}

/// What resume says of a checkpoint with this content; it must have written nothing.
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
    "a terminated run says how to continue, and the resumed history is the whole run's to the "
    "bit") {
    for (const std::string law :
         {"--set law.name=hertz", "--set law.name=flores --set law.restitution=0.7",
          "--set law.name=ma-liu --set segment.1.disorder=0.02 --set segment.1.seed=7"}) {
        CAPTURE(law);
        const Folder folder;
        REQUIRE(shell(folder, "beadwave run " + chain70 + settings + law + " -o whole.h5").status ==
                0);
        const Said cut = shell(folder, stopped_by("TERM", law));
        CHECK(cut.status == 1);
        CHECK(cut.err.find("interrupted at t = ") != std::string::npos);
        CHECK(cut.err.find("continue with: beadwave resume cut.h5.checkpoint.h5\n") !=
              std::string::npos);
        const Said resumed =
            shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet --threads 2");
        CHECK_MESSAGE(resumed.status == 0, resumed.err);
        CHECK(!std::filesystem::exists(folder / "cut.h5.checkpoint.h5"));
        const Said same = compare(folder);
        CHECK_MESSAGE(same.status == 0, same.out, same.err);
    }
}

TEST_CASE("a killed run goes on into another history, and its own stays as it was, twice") {
    const Folder folder;
    REQUIRE(shell(folder, "beadwave run " + chain70 + settings + " -o whole.h5").status == 0);
    CHECK(shell(folder, stopped_by("KILL", "")).status == 137);
    REQUIRE(shell(folder, "mkdir sub; mv cut.h5.checkpoint.h5 cut.running.h5 sub/").status == 0);
    const std::string history = read_file(folder / "sub/cut.running.h5"),
                      checkpoint = read_file(folder / "sub/cut.h5.checkpoint.h5");
    for (int time = 0; time < 2; ++time) {
        const Said resumed =
            shell(folder, "beadwave resume sub/cut.h5.checkpoint.h5 -o cut.h5 --quiet");
        REQUIRE_MESSAGE(resumed.status == 0, resumed.err);
        const Said same = compare(folder);
        CHECK_MESSAGE(same.status == 0, same.out, same.err);
    }
    CHECK(read_file(folder / "sub/cut.running.h5") == history);
    CHECK(read_file(folder / "sub/cut.h5.checkpoint.h5") == checkpoint);
}

TEST_CASE("without its history, or with another one or a shorter one, a checkpoint says so") {
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
    refused("cannot go on without its history: neither cut.running.h5 nor cut.h5 is there");
    REQUIRE(shell(folder, "beadwave run " + chain70 + " --quiet -o cut.h5").status == 0);
    const std::string other = read_file(folder / "cut.h5");
    refused("cut.h5 is not the history that cut.h5.checkpoint.h5 goes on from");
    CHECK(read_file(folder / "cut.h5") == other);
    write_file(folder / "cut.h5", history.substr(0, history.size() / 2));
    refused("cut.h5 is truncated");
    write_file(folder / "cut.h5", history);
    CHECK(shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet").status == 0);
}

TEST_CASE("a copy of an earlier checkpoint is refused: the history has gone on since") {
    const Folder folder;
    make_checkpoint(folder);
    REQUIRE(shell(folder,
                  "cp cut.h5.checkpoint.h5 early.checkpoint.h5; "
                  "'" BEADWAVE_PROGRAM
                  "' resume cut.h5.checkpoint.h5 --quiet --threads 1 & p=$!; sleep 0.3; "
                  "kill -TERM $p; wait $p")
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
    const std::string sizes =
        " & p=$!; for i in $(seq 2000); do stat -c %s cut.h5.checkpoint.h5 2>/dev/null; kill -0 "
        "$p 2>/dev/null || break; sleep 0.01; done";
    const Said said =
        shell(folder, "'" BEADWAVE_PROGRAM "' run " + chain70 +
                          " --quiet --threads 1 --set time.step=1e-9 --set sensors.interval=1e-9 "
                          "--set checkpoint.interval=1e-5 -o cut.h5" +
                          sizes);
    std::istringstream lines(said.out);
    std::vector<double> bytes{std::istream_iterator<double>(lines), {}};
    REQUIRE(bytes.size() > 3);
    const double history = static_cast<double>(std::filesystem::file_size(folder / "cut.h5"));
    CHECK(history > 2e7);
    CHECK(*std::ranges::max_element(bytes) < 6e5);
}

TEST_CASE("runs killed at random moments end as if nothing had happened") {
    const std::string kills = sanitized ? "2" : "5";
    const Folder folder;
    const Said said =
        shell(folder, BEADWAVE_PYTHON " " + scripts +
                          "kill_and_resume.py' '" BEADWAVE_PROGRAM "' " + kills + " --seed 1");
    CHECK_MESSAGE(said.status == 0, said.out, said.err);
}

TEST_CASE("a finished run leaves no checkpoint, and asks for none without [checkpoint]") {
    const Folder folder;
    REQUIRE(shell(folder,
                  "beadwave run " + chain70 + " --quiet -o out.h5 --set checkpoint.interval=1e-5")
                .status == 0);
    CHECK(shell(folder, "ls -A").out == ".err\n.out\nout.h5\n");
}

TEST_CASE("a truncated checkpoint is refused, wherever it was cut") {
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
               why.find("has gone on since") != std::string::npos));
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
    CHECK(refusal(folder, replaced(whole, "format 3,", "format 9,")).find("of format 9") !=
          std::string::npos);
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

TEST_CASE("a disk that is full ends the run; the checkpoint before is good") {
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
    const Said same = compare(folder);
    CHECK_MESSAGE(same.status == 0, same.out, same.err);
}

TEST_CASE("a checkpoint that alone cannot be written ends the run; the history before it stays") {
    const Folder folder;
    // Beads that remember much, and no snapshots: the checkpoint is larger than the history.
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
    "a run goes on wherever it is resumed, though the files that its scenario named are gone") {
    const std::string indentation =
        "'" BEADWAVE_SOURCE_DIR "/validation/physics/indentation_example.csv'";
    for (const std::string law :
         {"name = \"hertz\"", "name = \"tabulated\"\nfile = \"tables/indentation.csv\""}) {
        CAPTURE(law);
        const Folder folder;
        // Named from the scenario's folder, run from another.
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
                (sanitized ? "8e-9" : "1e-9") +
                "\n[sensors]\nbeads = [3, 69]\ninterval = 1e-6\n[checkpoint]\ninterval = 1e-5\n");
        REQUIRE(
            shell(folder, "beadwave run made/driven.toml --quiet --threads 1 -o whole.h5").status ==
            0);
        const std::string cut =
            "'" BEADWAVE_PROGRAM
            "' run made/driven.toml --quiet --threads 1 -o cut.h5 & p=$!; "
            "while kill -0 $p && [ ! -e cut.h5.checkpoint.h5 ]; do sleep 0.01; done 2>/dev/null; "
            "kill -KILL $p; wait $p";
        REQUIRE(shell(folder, cut).status == 137);
        REQUIRE(shell(folder, "rm -r made; mkdir elsewhere").status == 0);
        const Said resumed =
            shell(folder, "(cd elsewhere && beadwave resume ../cut.h5.checkpoint.h5 --quiet)");
        CHECK_MESSAGE(resumed.status == 0, resumed.err);
        const Said same = compare(folder);
        CHECK_MESSAGE(same.status == 0, same.out, same.err);
        const Said kept =
            shell(folder, BEADWAVE_PYTHON
                  " -c \"import h5py; f = h5py.File('cut.h5')['parameters/files']; "
                  "print(','.join(f), f['boundary.left.file'][()].decode().split()[0])\"");
        CHECK(kept.out == (law.size() > 20 ? "boundary.left.file,law.file time_s,displacement_m\n"
                                           : "boundary.left.file time_s,displacement_m\n"));
    }
}

TEST_CASE("every output has a checkpoint of its own, whatever its ending") {
    const Folder folder;
    const std::vector<std::string> names = {"e0.65", "e0.75", "out", "out.h5", "out.hdf5"};
    for (const std::string& name : names) {
        // "out" and "out.h5" grow under one name, so one after the other.
        REQUIRE(
            shell(folder, "'" BEADWAVE_PROGRAM "' run " + chain70 + settings + "-o " + name +
                              " & p=$!; while kill -0 $p && [ ! -e " + name +
                              ".checkpoint.h5 ]; do sleep 0.01; done 2>/dev/null; kill -TERM $p; "
                              "wait $p")
                .status == 1);
    }
    for (const std::string& name : names) {
        CAPTURE(name);
        const Said resumed = shell(folder, "beadwave resume " + name + ".checkpoint.h5 --quiet");
        CHECK_MESSAGE(resumed.status == 0, resumed.err);
        CHECK(!std::filesystem::exists(folder / (name + ".checkpoint.h5")));
    }
}

TEST_CASE("a checkpoint under its earlier name goes on") {
    const Folder folder;
    make_checkpoint(folder);
    const Said resumed = shell(
        folder,
        "mv cut.h5.checkpoint.h5 cut.checkpoint.h5; beadwave resume cut.checkpoint.h5 --quiet");
    CHECK_MESSAGE(resumed.status == 0, resumed.err);
    CHECK(std::filesystem::exists(folder / "cut.h5"));
}

TEST_CASE("a run with more sensors than an attribute can name goes on from its checkpoint") {
    const Folder folder;
    std::string list;
    for (int bead = 0; bead < 8500; ++bead)
        list += (bead == 0 ? "[" : ", ") + std::to_string(bead);
    std::string scenario = read_file(BEADWAVE_SOURCE_DIR "/configs/chain70.toml");
    scenario = replaced(scenario, "beads    = 70", "beads    = 9000");
    scenario = replaced(scenario, "[9, 16, 24, 31, 40, 50, 56, 63]", list + "]");
    write_file(folder / "many.toml", scenario);
    const std::string run =
        " run many.toml --quiet --set time.end=2e-5 --set checkpoint.interval=2e-6 --set "
        "sensors.interval=1e-6 --set snapshots.interval=1e-5 ";
    const Said cut = shell(
        folder, "'" BEADWAVE_PROGRAM "'" + run +
                    "--threads 1 --set time.step=1e-9 -o cut.h5 & p=$!; while kill -0 $p && [ ! -e "
                    "cut.h5.checkpoint.h5 ]; do sleep 0.01; done 2>/dev/null; kill "
                    "-KILL $p; wait $p");
    REQUIRE(cut.status == 137);
    const Said resumed = shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet");
    CHECK_MESSAGE(resumed.status == 0, resumed.err);
    const Said count =
        shell(folder, BEADWAVE_PYTHON
              " -c \"import h5py; f = h5py.File('cut.h5')['observables/sensor_force']; "
              "print(f['beads'].shape, f['value'].shape[1])\"");
    CHECK(count.out == "(8500,) 8500\n");
}

TEST_CASE("a setting that is not UTF-8 is refused: its checkpoint could not go on") {
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

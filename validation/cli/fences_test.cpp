// Hostile input: crafted and damaged files, pipes and devices, extreme numbers, histories that no
// disk can hold. validation/attack does the same at random.

#include "held_run.hpp"
#include "program.hpp"
#include "sanitised.hpp"

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

namespace beadwave::validation::fences_test {

namespace {

const std::string configs = "'" BEADWAVE_SOURCE_DIR "/configs/";
const std::string chain70 = configs + "chain70.toml'";
/// A command that may use 20 s of processor time, which a busy machine does not shorten. It needs a
/// small part of them.
const std::string in_20_s = "ulimit -t 20; beadwave ";
const std::string forge = BEADWAVE_PYTHON " '" BEADWAVE_SOURCE_DIR "/validation/cli/forge.py' ";

void make_history(const Folder& folder) {
    const Said run =
        shell(folder, "beadwave run " + chain70 +
                          " --quiet -o out.h5 --set time.step=5e-8 --set sensors.interval=1e-6");
    REQUIRE_MESSAGE(run.status == 0, run.err);
}

/// Writes inner/cut.h5.checkpoint.h5, of a run that is terminated.
void make_checkpoint(const Folder& folder) {
    shell(folder, "mkdir inner");
    run_until(folder, "run " + chain70 + " --quiet -o inner/cut.h5", "30000", SIGTERM);
    REQUIRE(std::filesystem::exists(folder / "inner/cut.h5.checkpoint.h5"));
}

void forged(const Folder& folder, const std::string& arguments) {
    const Said said = shell(folder, forge + arguments);
    REQUIRE_MESSAGE(said.status == 0, said.err);
}

bool one_sentence(const Said& said) {
    return said.err.starts_with("beadwave: ") && std::ranges::count(said.err, '\n') == 1;
}

}  // namespace

TEST_CASE(
    "a checkpoint whose history is in another folder is refused, though its checksum is right") {
    const Folder folder;
    make_checkpoint(folder);
    write_file(folder / "x.h5", "a person's\n");
    for (const std::string name : {"../x.h5", "/tmp/beadwave-x.h5", "..", "sub/x.h5"}) {
        CAPTURE(name);
        forged(folder, "inner/cut.h5.checkpoint.h5 history " + name);
        const Said said = shell(folder, "beadwave resume inner/cut.h5.checkpoint.h5 --quiet");
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err.find("history is not the name of a file") != std::string::npos,
                      said.err);
        CHECK(read_file(folder / "x.h5") == "a person's\n");
        CHECK(shell(folder, "ls inner").out == "cut.h5\ncut.h5.checkpoint.h5\n");
    }
    forged(folder, "inner/cut.h5.checkpoint.h5 history cut.h5");  // the right name
    CHECK(run_until(folder, "resume inner/cut.h5.checkpoint.h5 --quiet", "40000", SIGTERM)
              .err.find("interrupted at t = ") != std::string::npos);
}

TEST_CASE(
    "only files of beadwave's form are read: no links, no external storage, compression or holes") {
    const Folder folder;
    make_history(folder);
    make_checkpoint(folder);
    write_file(folder / "secret.txt", "the secret token, 32 bytes long.");
    for (const std::string how : {"external-storage secret.txt", "external-link", "soft-link",
                                  "virtual", "packed", "sparse"}) {
        CAPTURE(how);
        shell(folder, "cp out.h5 bad.h5; cp inner/cut.h5.checkpoint.h5 bad.checkpoint.h5");
        forged(folder, "bad.h5 " + how);
        forged(folder, "bad.checkpoint.h5 " + how);
        for (const std::string command :
             {"report bad.h5", "watch bad.h5", "resume bad.checkpoint.h5 -o on.h5"}) {
            CAPTURE(command);
            const Said said = shell(folder, "beadwave " + command);
            CHECK(said.status == (command == "watch bad.h5" ? 1 : 2));
            CHECK_MESSAGE(one_sentence(said), said.err);
            CHECK(said.err.find("does not have the form of beadwave's files") != std::string::npos);
        }
        CHECK_FALSE(std::filesystem::exists(folder / "on.h5"));
        CHECK_FALSE(std::filesystem::exists(folder / "bad.html"));
    }
}

TEST_CASE("a checkpoint without its observers is damaged, though its checksum is right") {
    const Folder folder;
    make_checkpoint(folder);
    forged(folder, "inner/cut.h5.checkpoint.h5 no-observers");
    const Said said = shell(folder, "beadwave resume inner/cut.h5.checkpoint.h5 --quiet");
    CHECK(said.status == 2);
    CHECK_MESSAGE(one_sentence(said), said.err);
    CHECK_MESSAGE(said.err.find("cut.h5.checkpoint.h5: is damaged: ") != std::string::npos,
                  said.err);
}

TEST_CASE("report and watch refuse a history of wrong structure in one sentence") {
    const Folder folder;
    make_history(folder);
    for (const std::string how :
         {"no-columns", "no-rows", "no-version", "no-energy", "steps", "radius", "law"}) {
        CAPTURE(how);
        shell(folder, "cp out.h5 bad.h5");
        forged(folder, "bad.h5 " + how);
        const bool both_need = how == "no-columns" || how == "no-rows";
        for (const std::string command : {"report", "watch"}) {
            if (sanitised && command == "report" && !both_need) continue;  // Python reads it
            CAPTURE(command);
            const Said said = shell(folder, "beadwave " + command + " bad.h5");
            if (both_need) CHECK(said.status != 0);
            if (how == "no-version" && command == "report") {
                CHECK(said.status == 2);
                CHECK(said.err.starts_with(
                    "beadwave: bad.h5: is damaged, or is not a history that beadwave wrote"));
            }
            if (said.status == 0) continue;  // the command does not read this part
            if (both_need && command == "watch") CHECK(said.status == 1);
            CHECK((said.status == 1 || said.status == 2));
            CHECK_MESSAGE(one_sentence(said), said.err);
            CHECK(said.err.find("bad.h5") != std::string::npos);
        }
    }
    CHECK(shell(folder, "ls -A | grep partial").out.empty());
}

TEST_CASE("one damaged byte in the history of a killed run is found immediately, not after hours") {
    const Folder folder;
    REQUIRE(run_until(folder, "run " + chain70 + " --quiet -o cut.h5", "30000", SIGKILL).status ==
            137);
    REQUIRE(std::filesystem::exists(folder / "cut.running.h5"));
    const std::string whole = read_file(folder / "cut.running.h5");
    int found = 0;
    for (std::size_t at = whole.find("OHDR"); at != std::string::npos;
         at = whole.find("OHDR", at + 1)) {
        if (++found % 7 != 3) continue;  // not all of them
        CAPTURE(at);
        std::string damaged = whole;
        damaged[at + 9] = static_cast<char>(damaged[at + 9] ^ 4);
        write_file(folder / "cut.running.h5", damaged);
        for (const std::string command : {"watch cut.h5", "report cut.running.h5"}) {
            const Said said = shell(folder, in_20_s + command);
            CHECK((said.status == 1 || said.status == 2));
            CHECK_MESSAGE(one_sentence(said), said.err);
            CHECK(said.err.find("checksum") != std::string::npos);
        }
    }
    CHECK(found > 7);
}

TEST_CASE("a report that is interrupted ends in one sentence and leaves nothing half-written") {
    const Folder folder;
    make_history(folder);
    // A python3 that draws, signals that it has drawn, and does not end by itself.
    REQUIRE(shell(folder, "mkdir slow").status == 0);
    write_file(folder / "slow/python3",
               "#!/bin/sh\n'" BEADWAVE_PYTHON "' \"$@\"\necho >&9\nexec sleep infinity\n");
    REQUIRE(shell(folder, "chmod +x slow/python3; mkfifo drawn").status == 0);
    for (const std::string how : {"HUP", "TERM"}) {  // a shell's background jobs ignore INT
        const Said said =
            shell(folder, "exec 9<>drawn; PATH=\"$PWD/slow:$PATH\" '" BEADWAVE_PROGRAM
                          "' report out.h5 --png out.png & p=$!; read -r line <&9; kill -" +
                              how + " $p; wait $p");
        CHECK(said.status == 1);
        // If python3 is a script, it may print other lines before.
        CHECK(said.err.ends_with("beadwave: interrupted; nothing was written\n"));
        CHECK(said.err.find("Traceback") == std::string::npos);
        CHECK(shell(folder, "ls -A").out == ".err\n.out\ndrawn\nout.h5\nslow\n");
    }
}

TEST_CASE("report makes a page for a history whose file name is not UTF-8") {
    const Folder folder;
    make_history(folder);
    const Said said =
        shell(folder, "mv out.h5 $(printf 'bad\\377').h5; beadwave report bad*.h5 --svg x.svg");
    CHECK_MESSAGE(said.status == 0, said.err);
    CHECK(read_file(folder / "x.svg").find("<svg") != std::string::npos);
    CHECK(shell(folder, "cat bad*.html").out.find("bad?.h5") != std::string::npos);
}

TEST_CASE("pipes, devices and sockets are refused without waiting") {
    const Folder folder;
    make_history(folder);
    shell(folder, "mkfifo pipe.h5 grows.running.h5");
    for (const std::string command :
         {"watch pipe.h5", "report pipe.h5", "resume pipe.h5", "watch grows.h5", "watch /dev/zero",
          "report /dev/zero", "resume /dev/zero"}) {
        CAPTURE(command);
        const Said said = shell(folder, "beadwave " + command);
        CHECK((said.status == 1 || said.status == 2));
        CHECK_MESSAGE(said.err.find("is not a regular file") != std::string::npos, said.err);
        CHECK(one_sentence(said));
    }
    const Said grows = shell(folder, "beadwave run " + chain70 + " --quiet -o grows.h5");
    CHECK(grows.status == 2);
    CHECK(one_sentence(grows));
    const Said measured =
        shell(folder, in_20_s + "compare " + chain70 + " --laws hertz --measured /dev/zero");
    CHECK(measured.status == 2);
    CHECK(measured.err == "beadwave: /dev/zero: is a binary file, not CSV\n");
    const Said endless = shell(folder, "ulimit -t 20; yes 1,2 | beadwave compare " + chain70 +
                                           " --laws hertz --measured /dev/stdin");
    CHECK(endless.status == 2);
    CHECK(one_sentence(endless));
}

TEST_CASE("a collision with extreme parameters ends, with or without a result") {
    const Folder folder;
    write_file(folder / "case.toml",
               "speed = 1.0\n[contact]\nstiffness = 1e9\neffective_mass = 1e-3\n"
               "effective_radius = 5e-3\nyield_stress = 1e8\n[law]\nname = \"hertz\"\n");
    struct Case {
        std::string law, key, value;
    };
    const std::vector<Case> cases = {
        {"hooke", "impact_speed", "1e300"},   {"kelvin-voigt", "stiffness", "1e300"},
        {"ristow", "damping_rate", "1e300"},  {"falcon", "damping", "1e300"},
        {"flores", "restitution", "1e-300"},  {"schwager-poschel", "damping", "1e300"},
        {"flores", "impact_speed", "1e-300"}, {"alternative", "exponent", "1000"}};
    for (const Case& tried : cases) {
        CAPTURE(tried.law);
        const std::string restitution =
            tried.key == "restitution" ? "" : " --set law.restitution=0.7";
        const Said said =
            shell(folder, in_20_s + "collide case.toml --set law.name=" + tried.law +
                              " --set law." + tried.key + "=" + tried.value + restitution);
        CHECK_MESSAGE(said.status <= 2, said.err);
    }
}

TEST_CASE(
    "a run whose history the disk cannot hold does not start, and the message gives its size") {
    struct Endless {
        std::string config, settings;
    };
    const std::vector<Endless> endless = {
        {"chain70.toml", "--set time.end=1e7 --set time.step=1e-8 --set snapshots.interval=1e-4"},
        {"chain70.toml", "--set time.end=1e6 --set sensors.interval=1e-9 --set time.step=1e-9"},
        {"hexagonal_crystal.toml",
         "--set time.end=1e6 --set time.step=1e-8 "
         "--set snapshots.interval=1e-5"},
        {"slider_crank.toml", "--set time.interval=1e-17"}};
    for (const Endless& tried : endless) {
        CAPTURE(tried.config);
        CAPTURE(tried.settings);
        const Folder folder;
        const std::string run =
            "run " + configs + tried.config + "' --quiet --yes -o out.h5 " + tried.settings;
        const Said said = shell(folder, "beadwave " + run);
        CHECK(said.status == 2);
        CHECK_MESSAGE(one_sentence(said), said.err);
        CHECK(said.err.starts_with("beadwave: out.h5: the history"));
        CHECK(said.err.find(" free: ") != std::string::npos);
        CHECK(said.err.find("--ignore-disk-space") != std::string::npos);
        CHECK(shell(folder, "ls -A").out == ".err\n.out\n");
        const Said forced = run_until(folder, run + " --ignore-disk-space", "1", SIGTERM);
        CHECK(forced.status != 2);
        CHECK_MESSAGE(forced.err.find("warning: the history") != std::string::npos, forced.err);
    }
}

TEST_CASE(
    "a checkpoint with a damaged page of its history is refused, though its checksum is right") {
    const Folder folder;
    REQUIRE(run_until(folder,
                      "run " + chain70 +
                          " --quiet --threads 1 --set snapshots.interval=1e-5 --set "
                          "checkpoint.interval=1e-4 -o cut.h5",
                      "40000", SIGKILL)
                .status == 137);
    for (const std::string signature : {"EAHD", "EAIB"}) {
        for (const int number : {0, 4, 9}) {
            CAPTURE(signature);
            CAPTURE(number);
            shell(folder, "rm -rf copy; mkdir copy; cp cut.h5.checkpoint.h5 cut.running.h5 copy/");
            forged(folder,
                   "copy/cut.h5.checkpoint.h5 byte " + signature + " " + std::to_string(number));
            const Said said = shell(folder, "beadwave resume copy/cut.h5.checkpoint.h5 --quiet");
            CHECK(said.status == 2);
            CHECK_MESSAGE(
                said.err.find("is damaged: cannot find the chunks of ") != std::string::npos,
                said.err);
            CHECK(one_sentence(said));
        }
    }
}

}  // namespace beadwave::validation::fences_test

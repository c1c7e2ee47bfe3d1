// `beadwave report`: the page holds every panel, loads nothing, and shows the correct wave speed.

#include "held_run.hpp"
#include "program.hpp"
#include "sanitised.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

namespace beadwave::validation::report_test {

namespace {

const std::string chain70 = "'" BEADWAVE_SOURCE_DIR "/configs/chain70.toml'";
const std::string check =
    BEADWAVE_PYTHON " '" BEADWAVE_SOURCE_DIR "/validation/cli/check_report.py' ";

/// Runs chain70 with these settings into `name`.h5 and makes its report.
Said report_of(const Folder& folder, const std::string& name, const std::string& settings) {
    const Said run =
        shell(folder, "beadwave run " + chain70 + " --quiet -o " + name + ".h5 " + settings);
    REQUIRE_MESSAGE(run.status == 0, run.err);
    return shell(folder, "beadwave report " + name + ".h5");
}

void check_page(const Folder& folder, const std::string& arguments) {
    const Said said = shell(folder, check + arguments);
    CHECK_MESSAGE(said.status == 0, said.err);
}

std::ptrdiff_t files_in(const Folder& folder) {
    return std::distance(std::filesystem::directory_iterator(folder.path()), {});
}

}  // namespace

TEST_CASE("the report of a run holds every panel, loads nothing, and fits the correct wave speed") {
    const Folder folder;
    const Said said = report_of(folder, "out", "--set law.name=hertz");
    CHECK(said.status == 0);
    CHECK(said.out == "out.html\n");
    CHECK(said.err.empty());
    check_page(
        folder,
        "out.html --holds '70 stainless-steel beads' --holds '10 ns' --tolerance 1e-5 --speed "
        "$(" BEADWAVE_PYTHON " '" BEADWAVE_SOURCE_DIR "/validation/cli/hertz_wave_speed.py')");
}

TEST_CASE("several histories share one page and one static figure" * doctest::skip(sanitised)) {
    const Folder folder;
    REQUIRE(shell(folder, "beadwave run " + chain70 + " --quiet -o a.h5").status == 0);
    REQUIRE(shell(folder, "beadwave run " + chain70 +
                              " --quiet -o b.h5 --set law.name=hertz --set 'sensors.beads=[20,9]'")
                .status == 0);
    const Said said = shell(
        folder,
        "beadwave report a.h5 b.h5 -o both.html --svg both.svg --png both.png --contacts 5,20");
    CHECK_MESSAGE(said.status == 0, said.err);
    CHECK(said.out == "both.html\nboth.svg\nboth.png\n");
    check_page(
        folder,
        "both.html --holds a.h5 --holds b.h5 --holds ma-liu --holds 'contact 20, beads 19 and 20'");
    CHECK(read_file(folder / "both.png").starts_with("\x89PNG"));
    CHECK(read_file(folder / "both.svg").find("<svg") != std::string::npos);
    CHECK(files_in(folder) == 7);  // with .out and .err: nothing half-written is left
}

TEST_CASE("the report shows external work and sleep loss apart from the energy error" *
          doctest::skip(sanitised)) {
    const Folder folder;
    REQUIRE(shell(folder,
                  "beadwave run '" BEADWAVE_SOURCE_DIR "/configs/piston.toml' --quiet -o piston.h5")
                .status == 0);
    REQUIRE(shell(folder, "beadwave report piston.h5").status == 0);
    check_page(folder, "piston.html --holds ' pJ at most; external work 3.618 mJ'");
    // The same history twice on one page.
    CHECK(shell(folder, "beadwave report piston.h5 piston.h5 -o twice.html").status == 0);
    REQUIRE(report_of(folder, "sleepy",
                      "--set law.name=flores --set law.restitution=0.5 "
                      "--set time.sleep_speed=0.05 --set segment.1.beads=2000 "
                      "--set time.end=3e-3 --set time.step=5e-8")
                .status == 0);
    check_page(folder, "sleepy.html --holds ' removed by the sleep speed'");
}

TEST_CASE("the page of a history without sensors or snapshots shows what to add to the scenario" *
          doctest::skip(sanitised)) {
    const Folder folder;
    write_file(folder / "bare.toml", R"(
title = "<b>bare</b> </pre><script>alert(1)</script>"
[material.steel]
youngs_modulus = 193e9
poisson_ratio  = 0.3
density        = 7970
[[segment]]
beads = 1
radius = 2e-3
material = "steel"
velocity = 1.0
[[segment]]
beads = 2
radius = 2e-3
material = "steel"
[law]
name = "hertz"
[time]
end = 1e-4
)");
    REQUIRE(shell(folder, "beadwave run bare.toml --quiet").status == 0);
    const Said said = shell(folder, "beadwave report bare.h5 --svg bare.svg");
    CHECK_MESSAGE(said.status == 0, said.err);
    check_page(
        folder,
        "bare.html --missing "
        "traces,space-time,peaks,speed-force,loops,wave-spectrum,sensor-spectrum,spectrogram,"
        "pulse --holds "
        "'[snapshots] interval = 1e-6'");
    CHECK(read_file(folder / "bare.html").find("<script>alert") == std::string::npos);
}

TEST_CASE("one sensor, snapshots alone, and a single snapshot are drawn as far as possible" *
          doctest::skip(sanitised)) {
    const Folder folder;
    CHECK(report_of(folder, "one", "--set 'sensors.beads=[20]' --set snapshots.interval=1e-5")
              .status == 0);
    check_page(folder, "one.html --missing pulse");
    CHECK(report_of(folder, "first", "--set snapshots.interval=1").status == 0);
    check_page(folder, "first.html --missing speed-force,wave-spectrum");
}

TEST_CASE("an interrupted run is drawn up to its last time, and the page states this") {
    const Folder folder;
    REQUIRE(run_until(
                folder,
                "run " + chain70 + " --set time.step=1e-9 --set snapshots.interval=1e-5 -o out.h5",
                "300000", SIGTERM)
                .status == 1);
    CHECK(shell(folder, "beadwave report out.h5").status == 0);
    check_page(folder, "out.html --holds 'stopped early'");
}

TEST_CASE("every number that the file for ParaView refers to exists, in any folder" *
          doctest::skip(sanitised)) {
    const Folder folder;
    const std::string run =
        "beadwave run " + chain70 + " --quiet --set snapshots.interval=2e-5 -o ";
    REQUIRE(shell(folder, "mkdir a b; " + run + "a/out.h5").status == 0);
    const Said said = shell(folder, "beadwave report a/out.h5 --xdmf b/out.xdmf2");
    CHECK_MESSAGE(said.status == 0, said.err);
    CHECK(said.out == "a/out.html\nb/out.xdmf2\n");
    const Said checked =
        shell(folder, BEADWAVE_PYTHON " '" BEADWAVE_SOURCE_DIR
                                      "/validation/cli/check_xdmf.py' b/out.xdmf2 a/out.h5");
    CHECK_MESSAGE(checked.status == 0, checked.err);
    CHECK(read_file(folder / "b/out.xdmf2").find("../a/out.h5:/particles/beads/position/value") !=
          std::string::npos);

    REQUIRE(shell(folder,
                  "sed '/snapshots/,$d' " + chain70 + " >bare.toml; beadwave run bare.toml --quiet")
                .status == 0);
    const Said bare = shell(folder, "beadwave report bare.h5 --xdmf bare.xdmf2");
    CHECK(bare.status == 2);
    CHECK(bare.err.find("bare.h5: holds no snapshots") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder / "bare.xdmf2"));
}

TEST_CASE("a title with control characters is drawn in files that are well-formed" *
          doctest::skip(sanitised)) {
    const Folder folder;
    const Said said = shell(
        folder, "beadwave run '" BEADWAVE_SOURCE_DIR
                "/configs/chain70.toml' --quiet -o x.h5 --set time.end=5e-5 --set "
                "'title=\"a\\u0001b\\u202ec\"' && beadwave report x.h5 --svg x.svg "
                "&& " BEADWAVE_PYTHON " -c \"import xml.dom.minidom as xml; xml.parse('x.svg')\"");
    CHECK_MESSAGE(said.status == 0, said.err);
    CHECK(read_file(folder / "x.html").find("a?b?c") != std::string::npos);
}

TEST_CASE("one new file is one new panel, on the page and in the still figure" *
          doctest::skip(sanitised)) {
    const Folder folder;
    write_file(folder / "panel_end.py", R"(from .panels import Place
NAME, TITLE, PLACES = "end", "Last time", {"chain": Place(4, row=3), "packing": Place(0)}


def interactive(runs):
    return f"{runs[0].last_time:.6g} s", None


def static(figure, runs):
    figure.text(0.5, 0.5, f"{runs[0].last_time:.6g} s")
)");
    REQUIRE(shell(folder, "beadwave run " + chain70 + " --quiet -o out.h5").status == 0);
    const Said drawn = shell(folder, "cp -r '" BEADWAVE_SOURCE_DIR
                                     "/src/report' . && cp panel_end.py report && " BEADWAVE_PYTHON
                                     " -B report --page out.html --svg out.svg out.h5");
    REQUIRE_MESSAGE(drawn.status == 0, drawn.err);
    check_page(folder,
               "out.html --panels "
               "traces,space-time,peaks,speed-force,end,loops,energy,wave-spectrum,sensor-spectrum,"
               "spectrogram,"
               "pulse,scenario "
               "--missing end "
               "--holds '0.0007 s'");
    const std::string still = read_file(folder / "out.svg");
    CHECK(still.find("<!-- 0.0007 s -->") != std::string::npos);
    CHECK(still.find("<!-- f -->") != std::string::npos);  // the sixth letter
}

TEST_CASE("wrong input to report is refused in one sentence, and nothing is written") {
    const Folder folder;
    REQUIRE(shell(folder, "beadwave run " + chain70 + " --quiet -o out.h5").status == 0);
    write_file(folder / "text.h5", "no history\n");
    REQUIRE(shell(folder, BEADWAVE_PYTHON
                  " -c \"import h5py; h5py.File('other.h5', 'w', libver='latest')['x'] = 1\"")
                .status == 0);
    const std::ptrdiff_t before = files_in(folder);
    const struct {
        const char *arguments, *words;
    } wrong[] = {
        {"absent.h5", "absent.h5: no such file"},
        {"text.h5", "text.h5: is not an HDF5 file"},
        {"other.h5", "other.h5: not a history: it has no /parameters/scenario"},
        {".", ".: is a folder"},
        {"out.h5 -o none/out.html", "the folder none"},
        {"out.h5 -o out.h5", "--output out.h5: the name must end in .html"},
        {"out.h5 --png out.jpg", "--png out.jpg: the name must end in .png"},
        {"out.h5 --xdmf out.xdmf", "--xdmf out.xdmf: the name must end in .xdmf2"},
        {"out.h5 out.h5 --xdmf out.xdmf2", "--xdmf: takes one history, not several"},
        {"out.h5 --contacts 5,x", "--contacts 5,x: expected numbers of contacts"},
        {"out.h5 --contacts 71", "--contacts 71: that end of out.h5 is free"},
        {"out.h5 --contacts 99", "--contacts 99: no such contact in out.h5; allowed are 1 to 70"},
    };
    for (const auto& wrong_one : wrong) {
        const char* const arguments = wrong_one.arguments;
        const char* const words = wrong_one.words;
        CAPTURE(arguments);
        const Said said = shell(folder, std::string("beadwave report ") + arguments);
        CHECK(said.status == 2);
        CHECK(said.out.empty());
        CHECK_MESSAGE(said.err.find(words) != std::string::npos, said.err);
        CHECK(std::ranges::count(said.err, '\n') == 1);
        CHECK(files_in(folder) == before);
    }
}

}  // namespace beadwave::validation::report_test

// Failures of the disk, the folder or the pipe during a run. One line reports the failure, the
// status is 1, and earlier files are kept. full_disk.py tests the same at random points.

#include "held_run.hpp"
#include "program.hpp"

#include <unistd.h>

#include <algorithm>

namespace beadwave::validation::bad_days_test {

namespace {

const std::string chain70 = "'" BEADWAVE_SOURCE_DIR "/configs/chain70.toml'";

#ifdef __clang__
// It keeps a file in shared memory, and fails at the limit before main().
constexpr bool llvm_openmp = true;
#else
constexpr bool llvm_openmp = false;
#endif

bool one_line(const Said& said) {
    return said.err.starts_with("beadwave: ") && std::ranges::count(said.err, '\n') == 1;
}

/// A run into out/, with the command `meanwhile` in the middle of the run.
Said run_while(const Folder& folder, const std::string& settings, const std::string& meanwhile) {
    REQUIRE(shell(folder, "mkdir out").status == 0);
    return beadwave::validation::run_while(
        folder,
        "run " + chain70 + " -o out/x.h5 --quiet --threads 1 --set time.step=2e-9 " + settings,
        "100000", meanwhile);
}

}  // namespace

TEST_CASE("a disk that is full at random points keeps earlier files" * doctest::skip(llvm_openmp)) {
    const Folder folder;
    const Said said = shell(folder, BEADWAVE_PYTHON
                            " '" BEADWAVE_SOURCE_DIR
                            "/validation/cli/full_disk.py' '" BEADWAVE_PROGRAM "' 5 --seed 1");
    CHECK_MESSAGE(said.status == 0, said.out, said.err);
}

TEST_CASE("a limit on file sizes is an error from the first byte on, and no signal ends the run" *
          doctest::skip(llvm_openmp)) {
    const Folder folder;
    for (const char* blocks : {"0", "1", "8"}) {
        CAPTURE(blocks);
        // The error goes through a pipe, because the limit would apply to a file for it too.
        const Said said =
            shell(folder, std::string("(ulimit -f ") + blocks + "; beadwave run " + chain70 +
                              " -o x.h5 --quiet; echo status $?) 2>&1 | cat >&2");
        CHECK_MESSAGE(said.err.starts_with("beadwave: x.h5: "), said.err);
        CHECK(said.err.ends_with("\nstatus 1\n"));
        CHECK(std::ranges::count(said.err, '\n') == 2);
        CHECK(shell(folder, "ls -A").out == ".err\n.out\n");
    }
}

TEST_CASE("a folder that is removed during a run ends the run with a clear line") {
    for (const std::string settings : {"", "--set checkpoint.interval=1e-4"}) {
        CAPTURE(settings);
        const Folder folder;
        const Said said = run_while(folder, settings, "mv out gone && rm -r gone");
        CHECK(said.status == 1);
        CHECK_MESSAGE(one_line(said), said.err);
        CHECK(said.err.find("out/x.") != std::string::npos);
    }
}

TEST_CASE("a run fails if its results cannot be written to standard output") {
    const Folder folder;
    for (const std::string& command :
         {"run " + chain70 + " -o x.h5 --quiet --json", std::string("laws --json")}) {
        CAPTURE(command);
        const Said said = shell(folder, "beadwave " + command + " >/dev/full");
        CHECK(said.status == 1);
        CHECK_MESSAGE(one_line(said), said.err);
        CHECK(said.err.find("No space left on device") != std::string::npos);
    }
}

TEST_CASE("a checkpoint without read permission is refused" *
          doctest::skip(geteuid() == 0)) {  // root may read everything
    const Folder folder;
    const Said said = shell(
        folder, "touch x.checkpoint.h5; chmod 0 x.checkpoint.h5; beadwave resume x.checkpoint.h5");
    CHECK(said.status == 2);
    CHECK(said.err == "beadwave: x.checkpoint.h5: cannot be read: Permission denied\n");
}

}  // namespace beadwave::validation::bad_days_test

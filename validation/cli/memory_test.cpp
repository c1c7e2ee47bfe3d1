// Memory and threads of runs, compared with the estimate of memory before a run.

#include "program.hpp"

#include <filesystem>
#include <string>

namespace beadwave::validation::memory_test {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
constexpr bool own_memory = true;  // sanitizers need more memory than a limit allows
#else
constexpr bool own_memory = false;
#endif

}  // namespace

TEST_CASE("chains use the memory that is estimated, and threads that do not fit are not started" *
          doctest::skip(own_memory)) {
    const Folder folder;
    const Said said =
        shell(folder, BEADWAVE_PYTHON " '" BEADWAVE_SOURCE_DIR
                                      "/validation/cli/check_memory.py' '" BEADWAVE_PROGRAM
                                      "' '" BEADWAVE_SOURCE_DIR "/configs/chain70.toml'");
    CHECK_MESSAGE(said.status == 0, said.out, said.err);
}

TEST_CASE("a run that has not enough memory keeps the earlier history, and says where its own is" *
          doctest::skip(own_memory)) {
    const Folder folder;
    const std::string run = "beadwave run '" BEADWAVE_SOURCE_DIR
                            "/configs/settling_column.toml' --quiet --threads 1 -o x.h5 --set ";
    REQUIRE(shell(folder, run + "time.end=0.002").status == 0);
    const std::string earlier = read_file(folder / "x.h5");
    int begun = 0;  // runs that failed after the start of their history
    Said said{.status = 1, .out = {}, .err = {}};
    for (int limit = 40000; said.status != 0; limit += 3000) {  // [kB]
        CAPTURE(limit);
        REQUIRE(limit < 1000000);
        said = shell(folder, "ulimit -c 0; ulimit -v " + std::to_string(limit) + "; " + run +
                                 "time.end=0.02");
        if (said.status == 0) break;
        const bool loaded = said.status != 127 && said.err.find("libgomp") == std::string::npos;
        if (!loaded) continue;  // the system has no memory for the libraries
        if (said.err.find("GB of memory or more") != std::string::npos) {  // it does not begin
            CHECK(said.status == 2);
            CHECK(read_file(folder / "x.h5") == earlier);
            continue;
        }
        CHECK(said.status == 1);
        CHECK_MESSAGE(said.err.starts_with("beadwave: "), said.err);
        CHECK(read_file(folder / "x.h5") == earlier);
        const bool grew = std::filesystem::exists(folder / "x.running.h5");
        CHECK(grew == said.err.ends_with("; x.running.h5 holds the history up to there\n"));
        begun += grew ? 1 : 0;
        shell(folder, "rm -f x.running.h5");
    }
    CHECK(begun > 0);
    CHECK(read_file(folder / "x.h5") != earlier);
}

}  // namespace beadwave::validation::memory_test

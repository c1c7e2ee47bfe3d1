// Output to standard output and standard error that are closed, full or gone.

#include "program.hpp"

#include <nlohmann/json.hpp>

namespace beadwave::validation::streams_test {

using nlohmann::json;

namespace {

const std::string chain70 = "'" BEADWAVE_SOURCE_DIR "/configs/chain70.toml'";
/// The run prints a warning, because this time step is coarse.
const std::string with_a_warning = "run " + chain70 + " -o x.h5 --set time.step=1e-6 ";

bool is_whole_history(const Folder& folder, const std::string& name) {
    return shell(folder, "beadwave watch " + name + " --once").status == 0;
}

}  // namespace

TEST_CASE("closed standard streams do not become the files that a run opens") {
    const Folder with_streams;
    const Said said = shell(with_streams, "beadwave " + with_a_warning);
    REQUIRE(said.status == 0);
    REQUIRE(said.err.find("beadwave: warning: ") != std::string::npos);
    for (const std::string closed : {"2>&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"}) {
        CAPTURE(closed);
        const Folder folder;
        const bool output = closed.find(">&- ") == std::string::npos;
        // It is a failure if results cannot be printed, but not if warnings cannot be printed.
        CHECK(shell(folder, "beadwave " + with_a_warning + closed).status == (output ? 0 : 1));
        CHECK(is_whole_history(folder, "x.h5"));
        const std::string history = read_file(folder / "x.h5");
        CHECK(history.starts_with("\x89HDF"));
        CHECK(history.find("beadwave: warning") == std::string::npos);
    }
}

TEST_CASE("an error that cannot be printed on standard error still gives its status") {
    const Folder folder;
    for (const std::string taken : {"2>&-", "2>/dev/full"}) {
        CAPTURE(taken);
        CHECK(shell(folder, "beadwave run missing.toml " + taken).status == 2);
        CHECK(shell(folder, "beadwave nope " + taken).status == 2);
        CHECK(shell(folder, "beadwave laws --json >/dev/full " + taken).status == 1);
        CHECK(shell(folder, "beadwave " + with_a_warning + "--json --overwrite " + taken).status ==
              0);
    }
}

TEST_CASE("if the reader of its output is gone, a run writes its history and fails") {
    const Folder folder;
    shell(folder, "mkfifo pipe; : <pipe & exec 5>pipe; wait; beadwave run " + chain70 +
                      " -o x.h5 >&5; echo $? >status");
    CHECK(read_file(folder / "status") == "1\n");
    CHECK(is_whole_history(folder, "x.h5"));
}

TEST_CASE("a title cannot control the terminal") {
    const Folder folder;
    const Said said =
        shell(folder, "beadwave run " + chain70 +
                          " -o x.h5 --set "
                          "'title=\"a\\u001b]0;owned\\u0007b\\u009b31mc\\u202ed\\u2066e\"'");
    CHECK(said.status == 0);
    for (const std::string& text : {said.out, said.err}) {
        CHECK(text.find_first_of("\x1b\x07\x7f") == std::string::npos);
        CHECK(text.find("\xc2\x9b") == std::string::npos);
    }
    CHECK(said.out.find("a?]0;owned?b?31mc?d?e") != std::string::npos);
}

TEST_CASE("--json is UTF-8 for any name of a file") {
    const Folder folder;
    const Said said =
        shell(folder, "beadwave run " + chain70 + " --json --quiet -o \"$(printf 'x\\377.h5')\"");
    CHECK_MESSAGE(said.status == 0, said.err);
    CHECK(json::parse(said.out).contains("energy"));
    const Said look = shell(folder, "beadwave watch \"$(printf 'x\\377.h5')\" --json --once");
    CHECK_MESSAGE(look.status == 0, look.err);
    CHECK(json::parse(look.out).at("state") == "finished");
}

}  // namespace beadwave::validation::streams_test

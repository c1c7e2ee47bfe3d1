// Packings in the program: their histories read by Python, runs that are interrupted, and scenarios
// with one mistake each.
#pragma once

#include "held_run.hpp"

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

namespace beadwave::validation {

/// The command of a script, in which SOURCE is the folder of the program's Python.
inline std::string python(const std::string& script) {
    return BEADWAVE_PYTHON " -c 'SOURCE = \"" BEADWAVE_SOURCE_DIR "/src\"\n" + script + "'";
}

/// Runs NAME.toml into whole.h5, and again into cut.h5 with an interruption at the step, after
/// which both are equal to the bit.
inline void check_interrupted(const Folder& folder, const std::string& name,
                              const std::string& step) {
    const std::string run = "run " + name + " --quiet --set checkpoint.interval=2e-4 -o ";
    const Said whole = shell(folder, "beadwave " + run + "whole.h5");
    REQUIRE_MESSAGE(whole.status == 0, whole.err);
    REQUIRE(run_until(folder, run + "cut.h5", step, SIGTERM).status == 1);
    const Said resumed = shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet");
    CHECK_MESSAGE(resumed.status == 0, resumed.err);
    check_same_histories(folder);
}

/// What replaces what in a scenario, and what the program then says.
struct Wrong {
    std::string old, with, message;
};

/// Checks that each is refused in one sentence. `more` is a file of the folder, and its text.
inline void check_refused(const std::string& right, const std::vector<Wrong>& all,
                          const std::string& more = "more.csv", const std::string& text = "") {
    for (const Wrong& wrong : all) {
        const Folder folder;
        std::string changed = right;
        const std::size_t place = changed.find(wrong.old);
        REQUIRE(place != std::string::npos);
        write_file(folder / "packing.toml", changed.replace(place, wrong.old.size(), wrong.with));
        write_file(folder / more, text);
        const Said said = shell(folder, "beadwave run packing.toml");
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err.find(wrong.message) != std::string::npos, said.err, wrong.message);
        CHECK_MESSAGE(std::count(said.err.begin(), said.err.end(), '\n') == 1, said.err);
    }
}

}  // namespace beadwave::validation

// The signals with which terminals, people and queues end a run.

#include "program.hpp"

using namespace beadwave::validation;

namespace {

const std::string chain70 = "'" BEADWAVE_SOURCE_DIR "/configs/chain70.toml'";
const std::string long_run = "'" BEADWAVE_PROGRAM "' run " + chain70 +
                             " --quiet --threads 1 --set time.step=2e-10 -o cut.h5";

/// Starts a run behind `before`, sends it a signal once it has begun, and waits for its end.
Said signalled(const Folder& folder, const std::string& before, const std::string& signal) {
    return shell(folder,
                 "(" + before + "exec " + long_run +
                     ") & p=$!; while kill -0 $p && [ ! -s cut.running.h5 ]; do sleep 0.01; done "
                     "2>/dev/null; sleep 0.1; kill -" +
                     signal + " $p; wait $p");
}

}  // namespace

TEST_CASE("whatever ends a run leaves a checkpoint from which it goes on") {
    for (const char* signal : {"TERM", "HUP", "XCPU", "USR1", "USR2"}) {
        CAPTURE(signal);
        const Folder folder;
        const Said said = signalled(folder, "", signal);
        CHECK(said.status == 1);
        CHECK_MESSAGE(said.err.find("continue with: beadwave resume cut.h5.checkpoint.h5\n") !=
                          std::string::npos,
                      said.err);
        CHECK(shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet").status == 0);
    }
}

TEST_CASE("a signal that was ignored when the run began stays ignored") {
    for (const char* signal : {"INT", "HUP", "TERM", "USR1"}) {
        CAPTURE(signal);
        const Folder folder;
        const Said said = signalled(folder, std::string("trap '' ") + signal + "; ", signal);
        CHECK_MESSAGE(said.status == 0, said.err);
    }
}

TEST_CASE("a command that still waits for its input ends at once") {
    const Folder folder;
    for (const std::string command :
         {"compare " + chain70 + " --laws hertz --measured pipe.csv",
          "fit " + chain70 + " --measured pipe.csv --vary law.psi=2:4"}) {
        CAPTURE(command);
        const Said said =
            shell(folder,
                  "[ -p pipe.csv ] || mkfifo pipe.csv; timeout -s TERM -k 10 0.5 '" BEADWAVE_PROGRAM
                  "' " +
                      command);
        CHECK(said.status == 124);  // by that signal, not killed ten seconds later
    }
}

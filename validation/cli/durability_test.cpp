// What a run leaves behind when it is killed, or when the system refuses a write: complete files or
// an error, and always something from which the run can be continued.

#include "held_run.hpp"
#include "program.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace beadwave::validation::durability_test {

namespace {

const std::string configs = BEADWAVE_SOURCE_DIR "/configs/";

}  // namespace

TEST_CASE("a run that was resumed and killed, several times, continues from the same checkpoint") {
    struct Case {
        std::string arguments;  ///< after "run"
        std::string stop;       ///< the step at which the run is interrupted
        std::vector<std::string> kills;
    };
    const Folder folder;
    REQUIRE(shell(folder, "sed '/^.snapshots/,/^$/d' '" + configs +
                              "settling_column.toml' >packing.toml; sed '/^.sensors/,/^$/d' '" +
                              configs + "chain70.toml' >chain.toml")
                .status == 0);
    for (const Case& each : {
             Case{"'" + configs + "slider_crank_guide.toml'", "500", {"501", "501", "700", "503"}},
             Case{"packing.toml --threads 1 --set particles.0.random=200 --set "
                  "'particles.0.upper=[0.02,0.02,0.02]' --set time.end=0.03",
                  "3000",
                  {"3001", "3001", "4000"}},
             Case{"chain.toml --threads 1 --set time.step=2e-8 --set time.end=4e-4",
                  "10000",
                  {"10001", "10001", "14000"}},
         }) {
        CAPTURE(each.arguments);
        REQUIRE(shell(folder, "beadwave run " + each.arguments + " --quiet -o whole.h5").status ==
                0);
        REQUIRE(
            run_until(folder, "run " + each.arguments + " --quiet -o cut.h5", each.stop, SIGTERM)
                .status == 1);
        for (const std::string& step : each.kills) {
            CAPTURE(step);
            REQUIRE(
                run_until(folder, "resume cut.h5.checkpoint.h5 --quiet", step, SIGKILL).status ==
                137);
        }
        const Said resumed = shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet");
        CHECK_MESSAGE(resumed.status == 0, resumed.err);
        check_same_histories(folder);
    }
}

}  // namespace beadwave::validation::durability_test

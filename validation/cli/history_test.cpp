// Histories as other programs read them: the energy ledger balances from the file alone, and
// MDAnalysis opens the file.

#include "program.hpp"
#include "sanitised.hpp"

namespace beadwave::validation::history_test {

namespace {

const std::string configs = "'" BEADWAVE_SOURCE_DIR "/configs/";
const std::string scripts = BEADWAVE_PYTHON " '" BEADWAVE_SOURCE_DIR "/validation/cli/";

/// Runs configs/NAME.toml with these settings, and check_history.py with these arguments.
void check_run(const std::string& name, const std::string& settings, const std::string& arguments) {
    CAPTURE(name);
    const Folder folder;
    const Said run =
        shell(folder, "beadwave run " + configs + name + ".toml' --quiet -o out.h5 " + settings);
    REQUIRE_MESSAGE(run.status == 0, run.err);
    const Said said = shell(folder, scripts + "check_history.py' out.h5 " + arguments);
    CHECK_MESSAGE(said.status == 0, said.err);
}

}  // namespace

TEST_CASE("the ledger of a driven chain balances from the history alone, with and without loss") {
    check_run("driven", "", "300 8 301 --moves external_work --balance 1e-11");
    check_run("driven",
              "--set law.name=flores --set law.restitution=0.8 --set law.impact_speed=1e-4",
              "300 8 301 --moves external_work --moves dissipated_energy --balance 1e-11");
}

TEST_CASE("the ledger of a column under its weight balances from the history alone") {
    check_run("gravity_column", "", "100 8 146 --moves external_work --balance 1e-13");
}

TEST_CASE(
    "the ledger of a chain whose slow beads are put to sleep balances from the history alone") {
    // 1e-5: the error of the time step of 50 ns.
    check_run("chain70",
              "--set law.name=flores --set law.restitution=0.5 --set time.sleep_speed=0.05 "
              "--set segment.1.beads=2000 --set time.end=3e-3 --set time.step=5e-8 "
              "--set snapshots.interval=1e-3",
              "2001 8 4 --moves sleep_loss_energy --moves dissipated_energy --balance 1e-5");
}

TEST_CASE("MDAnalysis reads positions, velocities, times and the ledger of a history" *
          doctest::skip(sanitised)) {
    const Folder folder;
    REQUIRE(shell(folder, "beadwave run " + configs +
                              "driven.toml' --quiet -o out.h5 --set energy.interval=1e-5")
                .status == 0);
    const Said said = shell(folder, scripts + "check_mdanalysis.py' out.h5");
    if (said.status == 77) {
        MESSAGE("skipped: " << said.out);
        return;
    }
    CHECK_MESSAGE(said.status == 0, said.err);
}

TEST_CASE("a name has one unit and one definition in chains, packings and mechanisms") {
    const Folder folder;
    const auto run = [&](const std::string& name, const std::string& settings) {
        const Said said = shell(folder, "beadwave run " + configs + name + ".toml' --quiet -o " +
                                            name + ".h5 " + settings);
        REQUIRE_MESSAGE(said.status == 0, said.err);
    };
    run("chain70",
        "--set law.name=flores --set law.restitution=0.5 --set time.sleep_speed=0.05 "
        "--set segment.1.beads=400 --set time.end=2e-3 --set time.step=5e-8");
    run("settling_column",
        "--set particles.0.random=300 --set 'particles.0.upper=[0.02,0.02,0.03]' --set "
        "time.end=0.06 --set snapshots.interval=3e-3 --set energy.interval=1e-3 --set "
        "rolling.coefficient=0.1");
    run("slider_crank", "--set contact.0.friction.coefficient=0.1 --set time.end=4e-3");
    const Said said =
        shell(folder, scripts +
                          "check_names.py' chain70.h5 settling_column.h5 "
                          "slider_crank.h5 '" BEADWAVE_SOURCE_DIR "/docs/HISTORY.md'");
    CHECK_MESSAGE(said.status == 0, said.err);
}

}  // namespace beadwave::validation::history_test

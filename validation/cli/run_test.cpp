// `beadwave run` on the command line and in scripts.

#include "held_run.hpp"
#include "program.hpp"
#include "relative.hpp"

#include <nlohmann/json.hpp>

namespace beadwave::validation::run_test {

using nlohmann::json;

namespace {

const std::string chain70 = "'" BEADWAVE_SOURCE_DIR "/configs/chain70.toml'";

}  // namespace

TEST_CASE("run --json prints one object with all documented names, and nothing else") {
    const Folder folder;
    const Said said =
        shell(folder, "beadwave run " + chain70 + " --json --set 'sensors.beads=[1,9,24,50]'");
    REQUIRE(said.status == 0);
    const json result = json::parse(said.out);
    CHECK(result.at("beads") == 71);
    CHECK(result.at("steps") == 70000);
    CHECK(result.at("time_step") == 1e-8);
    CHECK(result.at("wall_seconds") > 0.0);
    CHECK(result.at("bead_steps_per_second") > 0.0);
    for (const char* key :
         {"initial", "kinetic", "stored", "dissipated", "broken", "external_work", "sleep_loss",
          "energy_error", "relative_energy_error", "largest_relative_energy_error"}) {
        CHECK(result.at("energy").at(key).is_number());
    }
    CHECK_RELATIVE(result.at("momentum").get<double>(), 0.45e-3 * 1.77, 1e-13);
    REQUIRE(result.at("sensors").size() == 4);
    const json& sensor = result.at("sensors").at(1);
    CHECK(sensor.at("bead") == 9);
    CHECK_RELATIVE(sensor.at("peak_force").get<double>(), 35.727, 5e-4);
    CHECK_RELATIVE(sensor.at("arrival_time").get<double>(), 67.48e-6, 1e-3);
    CHECK_RELATIVE(sensor.at("peak_velocity").get<double>(), 0.73891, 5e-4);
    CHECK(said.err.find("peak force") != std::string::npos);  // the summary
    CHECK(std::filesystem::exists(folder / "chain70.h5"));
}

TEST_CASE("the summary shows sensors, ledger, momentum, time step and speed") {
    const Folder folder;
    const Said said = shell(folder, "beadwave run " + chain70 + " -o here.h5 --set law.name=hertz");
    REQUIRE(said.status == 0);
    for (const char* word : {"peak force", "arrival", "peak velocity", "wave speed", "kinetic",
                             "stored", "dissipated", "external work", "energy error", "momentum",
                             "time step", "shortest contact", "bead-steps/s", "here.h5"}) {
        CAPTURE(word);
        CHECK(said.out.find(word) != std::string::npos);
    }
    // Parameters of another law are no error, but give a warning.
    CHECK(said.err.find("law.psi") != std::string::npos);
    CHECK(std::filesystem::exists(folder / "here.h5"));
}

TEST_CASE("the summary keeps the digits of a weak tap") {
    const Folder folder;
    const Said said =
        shell(folder, "beadwave run '" BEADWAVE_SOURCE_DIR "/configs/gravity_column.toml'");
    REQUIRE(said.status == 0);
    CHECK(said.out.find("0.4239") != std::string::npos);
    CHECK(said.out.find("4.1611e-06") != std::string::npos);
}

TEST_CASE("no progress bar if standard error is not a terminal, and --quiet prints nothing") {
    const Folder folder;
    const Said said = shell(folder, "beadwave run " + chain70 + " --quiet");
    CHECK(said.status == 0);
    CHECK(said.out.empty());
    CHECK(said.err.empty());
    CHECK(shell(folder, "beadwave run " + chain70).err.find('\r') == std::string::npos);
}

TEST_CASE("a progress bar on a terminal shows percent, time, speed and remaining time") {
    const Folder folder;
    const Said said = shell(folder, "script -qec \"'" BEADWAVE_PROGRAM "' run " + chain70 +
                                        " --set time.step=1e-9\" /dev/null </dev/null");
    CHECK(said.status == 0);
    for (const char* word : {" %", "t = ", "bead-steps/s", "left"})
        CHECK(said.out.find(word) != std::string::npos);
}

TEST_CASE("the history opens in h5py and follows H5MD and the documented layout") {
    const Folder folder;
    REQUIRE(shell(folder, "beadwave run " + chain70 + " --quiet -o out.h5").status == 0);
    const Said said =
        shell(folder, BEADWAVE_PYTHON " '" BEADWAVE_SOURCE_DIR
                                      "/validation/cli/check_history.py' out.h5 71 8 701");
    CHECK_MESSAGE(said.status == 0, said.out, said.err);
}

TEST_CASE("an interrupted run closes its history, reports the interruption and exits with 1") {
    const Folder folder;
    const Said said = run_until(folder, "run " + chain70 + " -o out.h5", "30000", SIGTERM);
    CHECK(said.status == 1);
    CHECK(said.err.find("interrupted at t = ") != std::string::npos);
    const Said opened = shell(folder, BEADWAVE_PYTHON
                              " -c \"import h5py; f = h5py.File('out.h5'); "
                              "print(len(f['observables/sensor_force/time']))\"");
    REQUIRE(opened.status == 0);
    CHECK(std::stoi(opened.out) > 0);
}

TEST_CASE("a new run replaces an old history") {
    const Folder folder;
    REQUIRE(shell(folder, "beadwave run " + chain70 + " --quiet -o out.h5").status == 0);
    CHECK(shell(folder, "beadwave run " + chain70 + " --quiet -o out.h5 --set law.name=hertz")
              .status == 0);
    const Said law = shell(folder, BEADWAVE_PYTHON
                           " -c \"import h5py; f = h5py.File('out.h5'); "
                           "print(f['parameters/law'][()].decode())\"");
    CHECK(law.out == "hertz\n");
}

TEST_CASE("one, two and three threads write the same numbers") {
    const Folder folder;
    const std::string run =
        "beadwave run " + chain70 +
        " --json --quiet --set segment.1.beads=12999 --set time.step=1e-7 --set time.end=5e-5 ";
    std::string first;
    for (const char* threads : {"1", "2", "3"}) {
        json result = json::parse(shell(folder, run + "--threads " + threads).out);
        const std::string numbers = result.at("sensors").dump() + result.at("energy").dump();
        if (first.empty()) first = numbers;
        CHECK(numbers == first);
    }
}

}  // namespace beadwave::validation::run_test

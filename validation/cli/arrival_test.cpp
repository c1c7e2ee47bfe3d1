// All commands print the same arrival of the same wave.

#include "program.hpp"
#include "relative.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

namespace beadwave::validation::arrival_test {

using nlohmann::json;

namespace {

/// A steady wave whose force has two equal humps at every bead.
const char* const two_humps = R"(
[material.steel]
youngs_modulus = 193e9
poisson_ratio  = 0.3
density        = 7850
[[segment]]
beads = 1
radius = 5e-3
material = "steel"
velocity = 1.0
[[segment]]
beads = 139
radius = 5e-3
material = "steel"
[law]
name = "power-law"
exponent = 3
stiffness = 1e17
[time]
end = 2.6e-3
step = 2e-8
[sensors]
beads = [100, 105, 110, 115, 120, 125]
interval = 1e-6
[snapshots]
interval = 2e-6
)";

json parsed(const Said& said) {
    REQUIRE_MESSAGE(said.status == 0, said.err);
    return json::parse(said.out);
}

/// The cells of a table's only row, by the names in its header.
json only_row(const std::string& csv) {
    std::istringstream file(csv), names, cells;
    std::string line, name, cell;
    std::getline(file, line);
    names.str(line);
    std::getline(file, line);
    cells.str(line);
    json row;
    while (std::getline(names, name, ',') && std::getline(cells, cell, ','))
        row[name] = cell;
    return row;
}

}  // namespace

TEST_CASE("run, sweep, compare, measured traces and report agree on a wave of two equal humps") {
    const Folder folder;
    write_file(folder / "wave.toml", two_humps);
    const Said ran = shell(folder, "beadwave run wave.toml --json --quiet -o wave.h5");
    const json sensors = parsed(ran).at("sensors");
    REQUIRE(sensors.size() == 6);
    const double speed = sensors[1].at("wave_speed");
    for (std::size_t s = 1; s < 6; ++s)
        CHECK_RELATIVE(sensors[s].at("wave_speed").get<double>(), speed, 1e-3);

    REQUIRE(shell(folder, "beadwave sweep wave.toml --vary law.exponent=3 --quiet").status == 0);
    const json row = only_row(read_file(folder / "wave.sweep.csv"));

    write_file(folder / "run.json", ran.out);
    const Said report =
        shell(folder, BEADWAVE_PYTHON " '" BEADWAVE_SOURCE_DIR
                                      "/validation/cli/check_arrivals.py' '" BEADWAVE_SOURCE_DIR
                                      "/src/report' wave.h5 run.json lab.csv");
    CHECK_MESSAGE(report.status == 0, report.err);

    const Said compare =
        shell(folder, "beadwave compare wave.toml --laws power-law --measured lab.csv --json");
    const json compared = parsed(compare).at("laws")[0].at("sensors");
    for (std::size_t s = 0; s < 6; ++s) {
        const double arrival = sensors[s].at("arrival_time");
        const std::string column = "arrival_time_" + sensors[s].at("bead").dump() + "_s";
        CAPTURE(column);
        CHECK(std::stod(row.at(column).get<std::string>()) == arrival);
        CHECK(compared[s].at("arrival_time") == arrival);
        CHECK(std::abs(compared[s].at("arrival_error").get<double>()) < 0.1e-6);
    }
}

namespace {

/// 40 beads struck at 1 m/s: the pulse passes bead 5 in 100 us, and does not reach bead 39.
const char* const forty_beads = R"(
[material.steel]
youngs_modulus = 193e9
poisson_ratio  = 0.3
density        = 7850
[[segment]]
beads = 1
radius = 5e-3
material = "steel"
velocity = 1.0
[[segment]]
beads = 39
radius = 5e-3
material = "steel"
[law]
name = "hertz"
[time]
end = 1e-4
step = 1e-7
[sensors]
beads = [2, 5, 39]
interval = 1e-7
)";

}  // namespace

TEST_CASE("where no wave arrived there is a dash, null or nan, and not zero") {
    const Folder folder;
    write_file(folder / "wave.toml", forty_beads);
    const json sensors =
        parsed(shell(folder, "beadwave run wave.toml --json --quiet -o wave.h5")).at("sensors");
    CHECK(sensors[1].at("arrival_time").get<double>() > 2e-5);
    CHECK(sensors[2].at("arrival_time").is_null());
    CHECK_FALSE(sensors[2].contains("wave_speed"));
    CHECK(sensors[2].at("peak_velocity_time").is_null() ==
          (sensors[2].at("peak_velocity").get<double>() == 0.0));
    const std::string table = shell(folder, "beadwave run wave.toml -o table.h5").out;
    const auto row = table.find("\n      39 ");
    REQUIRE(row != std::string::npos);
    CHECK(table.substr(row + 24, 15) == "              -");

    REQUIRE(shell(folder, "beadwave sweep wave.toml --vary law.name=hertz --quiet").status == 0);
    CHECK(only_row(read_file(folder / "wave.sweep.csv")).at("arrival_time_39_s") == "nan");
    const std::string compare = "beadwave compare wave.toml --laws hertz";
    const json compared = parsed(shell(folder, compare + " --json")).at("laws")[0].at("sensors");
    CHECK(compared[2].at("arrival_time").is_null());
    CHECK(compared[2].at("arrival_difference").is_null());
    CHECK(shell(folder, compare).out.find(" nan") == std::string::npos);
}

TEST_CASE(
    "an arrival by threshold is where the recorded force crosses it, in run, compare and report") {
    const Folder folder;
    std::string text = forty_beads;
    text.insert(text.find("interval = 1e-7"), "arrival_threshold = 20.0\n");
    write_file(folder / "wave.toml", text);
    const Said ran = shell(folder, "beadwave run wave.toml --json --quiet -o wave.h5");
    const json sensors = parsed(ran).at("sensors");
    CHECK(sensors[2].at("arrival_time").is_null());
    write_file(folder / "run.json", ran.out);
    // Every step is a sample: the crossing on straight lines, from the file alone.
    write_file(folder / "crossing.py", R"(
import sys
sys.path.insert(0, sys.argv[1])
import h5py, json
import numpy as np
from pathlib import Path
from report import arrivals
from report.run import Run
run = json.load(open("run.json"))
with h5py.File("wave.h5") as file:
    force, time = file["observables/sensor_force/value"][:], file["observables/sensor_force/time"][:]
for s, sensor in enumerate(run["sensors"][:2]):
    k = int(np.argmax(force[:, s] > 20.0))
    crossing = np.interp(20.0, force[k - 1:k + 1, s], time[k - 1:k + 1])
    print(sensor["arrival_time"] - crossing)
    print(sensor["arrival_time"] - arrivals.sensor_peaks(Run(Path("wave.h5"))).time[s])
np.savetxt("lab.csv", np.column_stack([time + 3e-3, force[:, :2], force[:, 1]]), delimiter=",",
           header="time (s),bead 2,bead 5,bead 39", comments="", fmt="%.17g")
)");
    const Said python = shell(folder, BEADWAVE_PYTHON " crossing.py '" BEADWAVE_SOURCE_DIR "/src'");
    REQUIRE_MESSAGE(python.status == 0, python.err);
    std::istringstream numbers(python.out);
    int count = 0;
    for (double off = 0.0; numbers >> off; ++count)
        CHECK_ABSOLUTE(off, 0.0, 1e-15);  // rounding of 1e-4 s, over a slope
    CHECK(count == 4);
    const json compared =
        parsed(shell(folder, "beadwave compare wave.toml --laws hertz --measured lab.csv --json"))
            .at("laws")[0]
            .at("sensors");
    CHECK_ABSOLUTE(compared[1].at("arrival_error").get<double>(), 0.0, 1e-12);
    CHECK(compared[2].at("arrival_error").is_null());
    const Said fit = shell(folder,
                           "beadwave fit wave.toml --measured lab.csv --target arrivals "
                           "--bounds material.steel.youngs_modulus=1e11:3e11");
    CHECK(fit.status == 2);
    CHECK(fit.err ==
          "beadwave: wave.toml: sensors.arrival_threshold: --target arrivals fits the times of the "
          "first maxima; leave the key out\n");
}

}  // namespace beadwave::validation::arrival_test

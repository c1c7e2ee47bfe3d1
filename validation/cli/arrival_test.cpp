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

}  // namespace beadwave::validation::arrival_test

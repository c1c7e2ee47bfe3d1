// `beadwave sweep` on the command line and in scripts.

#include "held_run.hpp"
#include "program.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <sstream>
#include <vector>

namespace beadwave::validation::sweep_test {

using nlohmann::json;

namespace {

const std::string chain70 = "'" BEADWAVE_SOURCE_DIR "/configs/chain70.toml'";
const std::string sweep =
    "beadwave sweep " + chain70 + " --set time.end=2e-4 --set time.step=5e-8 ";
const std::string two_keys = sweep + "--vary law.psi=2.6:3.0:3 --vary segment.0.velocity=0.5,1.77 ";

using Row = std::map<std::string, std::string>;

std::vector<Row> table(const std::filesystem::path& path) {
    const auto cells_of = [](const std::string& line) {
        std::vector<std::string> cells;
        std::istringstream stream(line + ",");
        for (std::string cell; std::getline(stream, cell, ',');)
            cells.push_back(cell);
        return cells;
    };
    std::istringstream file(read_file(path));
    std::string line;
    std::getline(file, line);
    const std::vector<std::string> header = cells_of(line);
    std::vector<Row> rows;
    while (std::getline(file, line)) {
        const std::vector<std::string> cells = cells_of(line);
        for (std::size_t i = 0; i < header.size(); ++i)
            (i == 0 ? rows.emplace_back() : rows.back())[header[i]] = cells.at(i);
    }
    return rows;
}

/// The message with which a sweep is refused. Also checks that the sweep leaves no file.
std::string refusal(const std::string& options) {
    const Folder folder;
    const Said said = shell(folder, sweep + options);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    CHECK(!std::filesystem::exists(folder / "chain70.sweep.h5"));
    CHECK(!std::filesystem::exists(folder / "chain70.sweep.csv"));
    return said.err;
}

bool refused_with(const std::string& options, const std::string& expected) {
    const std::string found = refusal(options);
    CHECK_MESSAGE(found.starts_with("beadwave: " + expected), found, expected);
    return found.starts_with("beadwave: " + expected);
}

}  // namespace

TEST_CASE("the rows of a sweep equal single runs to the bit, in the order of the product") {
    const Folder folder;
    REQUIRE(shell(folder, two_keys + "--quiet").status == 0);
    const std::vector<Row> rows = table(folder / "chain70.sweep.csv");
    REQUIRE(rows.size() == 6);
    std::size_t number = 0;
    for (const char* psi : {"2.6", "2.8", "3.0"}) {
        for (const char* velocity : {"0.5", "1.77"}) {
            const Row& row = rows[number];
            CHECK(row.at("run") == std::to_string(number++));
            CHECK(row.at("status") == "done");
            CHECK(row.at("law.psi") == psi);
            CHECK(row.at("segment.0.velocity") == velocity);
            const Said said = shell(folder, "beadwave run " + chain70 +
                                                " --json --quiet -o one.h5 --set time.end=2e-4 " +
                                                "--set time.step=5e-8 --set law.psi=" + psi +
                                                " --set segment.0.velocity=" + velocity);
            REQUIRE(said.status == 0);
            const json run = json::parse(said.out);
            const auto same = [&](const std::string& column, const json& value) {
                CAPTURE(column);
                // What did not happen is null here and nan there.
                if (value.is_null())
                    CHECK(row.at(column) == "nan");
                else
                    CHECK(std::stod(row.at(column)) == value.get<double>());
            };
            for (const json& sensor : run.at("sensors")) {
                const std::string bead = sensor.at("bead").dump();
                same("peak_force_" + bead + "_N", sensor.at("peak_force"));
                same("arrival_time_" + bead + "_s", sensor.at("arrival_time"));
                same("peak_velocity_" + bead + "_m_per_s", sensor.at("peak_velocity"));
            }
            for (const char* name : {"initial", "kinetic", "stored", "dissipated"}) {
                same(name + std::string("_energy_J"), run.at("energy").at(name));
            }
            same("external_work_J", run.at("energy").at("external_work"));
            same("sleep_loss_energy_J", run.at("energy").at("sleep_loss"));
            same("energy_error_J", run.at("energy").at("energy_error"));
            same("relative_energy_error", run.at("energy").at("relative_energy_error"));
            same("momentum_kg_m_per_s", run.at("momentum"));
            same("steps", run.at("steps"));
            same("time_step_s", run.at("time_step"));
        }
    }
}

TEST_CASE("a sweep's table does not depend on threads") {
    const Folder folder;
    std::string first;
    for (const char* threads : {"1", "2", "5"}) {
        REQUIRE(shell(folder, two_keys + "--quiet --threads " + threads).status == 0);
        const std::string csv = read_file(folder / "chain70.sweep.csv");
        if (first.empty()) first = csv;
        CHECK(csv == first);
    }
}

TEST_CASE("a sweep's two files hold the same table, as h5py and Python's csv read it") {
    const Folder folder;
    const std::string check =
        BEADWAVE_PYTHON " '" BEADWAVE_SOURCE_DIR "/validation/cli/check_sweep.py' ";
    REQUIRE(shell(folder,
                  two_keys +
                      "--vary law.name=hertz,\\\"ma-liu\\\" --vary segment.1.beads=70,75 --quiet")
                .status == 0);
    const Said said = shell(folder, check + "chain70.sweep.h5 chain70.sweep.csv 24 8");
    CHECK_MESSAGE(said.status == 0, said.out, said.err);
    REQUIRE(shell(folder, two_keys + "--quiet -o out.h5 --csv other.csv --set 'sensors.beads=[3]'")
                .status == 0);
    const Said one = shell(folder, check + "out.h5 other.csv 6 1");
    CHECK_MESSAGE(one.status == 0, one.out, one.err);
}

TEST_CASE("sweep --json prints one object, and --quiet alone prints nothing") {
    const Folder folder;
    const Said said = shell(folder, two_keys + "--json -o out.h5");
    REQUIRE(said.status == 0);
    const json result = json::parse(said.out);
    CHECK(result.at("runs") == 6);
    CHECK(result.at("done") == 6);
    CHECK(result.at("failed") == 0);
    CHECK(result.at("wall_seconds") > 0.0);
    CHECK(result.at("bead_steps_per_second") > 0.0);
    CHECK(result.at("files").at("hdf5") == "out.h5");
    CHECK(result.at("files").at("csv") == "out.csv");
    const Said quiet = shell(folder, two_keys + "--quiet");
    CHECK(quiet.status == 0);
    CHECK(quiet.out + quiet.err == "");
}

TEST_CASE("a sweep with one wrong value runs nothing and names key and value") {
    CHECK(refused_with("--vary segment.0.velocity=1,2 --vary law.psi=2,-1",
                       "--vary law.psi = -1: must be a number"));
    CHECK(refused_with("--vary law.name=hertz,flores",
                       "with --vary law.name = flores: " BEADWAVE_SOURCE_DIR
                       "/configs/chain70.toml:23: law.restitution: missing"));
    CHECK(refused_with("--set law.name=flores --vary law.restitution=0.5,2",
                       "--vary law.restitution = 2: must be"));
    CHECK(
        refused_with("--vary law.pssi=2,3", "--vary law.pssi: unknown key; did you mean \"psi\"?"));
    CHECK(refused_with("--vary lwa.psi=2,3", "--vary lwa: unknown key; did you mean \"law\"?"));
    CHECK(refused_with("--vary law.name=hertz,ma-lui",
                       "--vary law.name = \"ma-lui\": no such law; did you mean \"ma-liu\"?"));
    CHECK(refused_with("--vary segment.2.velocity=1",
                       "--vary segment.2.velocity = 1: there is no segment.2"));
    CHECK(refused_with("--vary segment[0].velocity=1,fast",
                       "--vary segment.0.velocity = \"fast\": must be a number"));
    // An error that does not come from --vary names its own place.
    CHECK(refused_with("--set law.xxi=2 --vary law.psi=2,3",
                       "with --vary law.psi = 2: --set law.xxi: unknown key"));
}

TEST_CASE("malformed, conflicting and too many --vary are refused") {
    CHECK(refused_with("--vary law.psi", "--vary law.psi: must be key=values"));
    CHECK(refused_with("--vary law.psi=", "--vary law.psi = : gives no value"));
    CHECK(refused_with("--vary law.psi=2,,3", "--vary law.psi = 2,,3: has an empty value"));
    for (const char* range : {"2:3", "2:3:0", "2:3:1.5", "2:x:3", "2:3:4:5", ":3:4", "2:inf:4"}) {
        CHECK(refused_with(
            std::string("--vary law.psi=") + range,
            std::string("--vary law.psi = ") + range + ": a range must be first:last:count"));
    }
    CHECK(refused_with("--vary law.psi=2:3:1",
                       "--vary law.psi = 2:3:1: one value cannot reach both ends"));
    CHECK(refused_with("--vary law.psi=2,2.0", "--vary law.psi = 2,2.0: gives 2.0 twice"));
    CHECK(refused_with("--vary law.psi=2 --vary law.psi=3", "--vary law.psi: is given twice"));
    CHECK(refused_with("--vary law.psi=2 --set law.psi=3",
                       "--vary law.psi: clashes with --set law.psi"));
    CHECK(refused_with("--vary sensors.beads=[1],[2]",
                       "--vary sensors.beads = [1],[2]: a sweep varies numbers"));
    CHECK(refused_with("--vary sensors.beads.0=1,2",
                       "--vary sensors.beads.0: all runs of a sweep have the same sensors"));
    CHECK(refused_with("--vary law.psi=2:3:2000 --vary law.xi=12:13:2000",
                       "--vary: the values make 4000000 runs"));
    CHECK(refused_with("--vary law.psi=2 -o out.csv",
                       "out.csv: the HDF5 and the CSV table would be the same file"));
    CHECK(refused_with("--vary law.psi=2 -o missing/out.h5",
                       "missing/out.h5: the folder missing does not exist"));
}

TEST_CASE("ranges may run downwards, hold one value, and mix with lists") {
    const Folder folder;
    REQUIRE(shell(folder, sweep + "--quiet --vary law.psi=2.9:2.6:4,3:3:1,2.5").status == 0);
    std::string found;
    for (const Row& row : table(folder / "chain70.sweep.csv"))
        found += row.at("law.psi") + " ";
    CHECK(found == "2.9 2.8 2.7 2.6 3 2.5 ");
}

TEST_CASE("only earlier tables are replaced") {
    const Folder folder;
    write_file(folder / "notes.csv", "time,force\n");
    const Said said = shell(folder, two_keys + "--csv notes.csv");
    CHECK(said.status == 2);
    CHECK(said.err ==
          "beadwave: notes.csv: exists and is not the CSV table of a sweep; refusing to overwrite "
          "it without --overwrite\n");
    CHECK(read_file(folder / "notes.csv") == "time,force\n");
    CHECK(!std::filesystem::exists(folder / "chain70.sweep.h5"));
    CHECK(shell(folder, two_keys + "--quiet").status == 0);
    CHECK(shell(folder, two_keys + "--quiet").status == 0);
}

TEST_CASE("a failed run gets NaN and the reason, and the other runs are kept") {
    const Folder folder;
    // At this speed the overlap is beyond the range of numbers.
    const Said said =
        shell(folder, sweep + "--vary segment.0.velocity=1,1e200,2,1e201 --json --quiet");
    CHECK(said.status == 1);
    CHECK(said.err.starts_with(
        "beadwave: 2 of 4 runs failed, first run 1 (segment.0.velocity = 1e200): "));
    const std::vector<Row> rows = table(folder / "chain70.sweep.csv");
    REQUIRE(rows.size() == 4);
    CHECK(rows[1].at("status") == "failed");
    CHECK(rows[1].at("error") != "");
    CHECK(rows[1].at("arrival_time_9_s") == "nan");
    CHECK(rows[2].at("status") == "done");
    CHECK(std::stod(rows[2].at("arrival_time_9_s")) > 0.0);
    const json result = json::parse(said.out);
    CHECK(result.at("failed") == 2);
    CHECK(result.at("first_failed").at("run") == 1);
    const Said checked =
        shell(folder, BEADWAVE_PYTHON
              " '" BEADWAVE_SOURCE_DIR
              "/validation/cli/check_sweep.py' chain70.sweep.h5 chain70.sweep.csv 4 8");
    CHECK_MESSAGE(checked.status == 0, checked.out, checked.err);
}

TEST_CASE("an interrupted sweep writes the finished runs, marks the others and exits with 1") {
    const Folder folder;
    const Said said =
        run_until(folder, "sweep " + chain70 + " --vary time.end=1e-6,1e3,2e3,3e3", "1", SIGTERM);
    CHECK(said.status == 1);
    CHECK(said.err.find("interrupted: 3 of 4 runs not run") != std::string::npos);
    CHECK(said.err.find("the same command continues, from chain70.sweep.h5.rows\n") !=
          std::string::npos);
    const std::vector<Row> rows = table(folder / "chain70.sweep.csv");
    REQUIRE(rows.size() == 4);
    CHECK(rows[0].at("status") == "done");
    CHECK(rows[3].at("status") == "not_run");
    CHECK(rows[3].at("peak_force_9_N") == "nan");
}

TEST_CASE("a killed sweep continues with the same command, to the same table") {
    const Folder folder;
    const std::string runs = " --vary segment.0.velocity=0.5:2.5:41 --threads 2 ";
    const std::string slow = sweep + "--set time.step=2e-9" + runs;
    REQUIRE(shell(folder, slow + "--quiet -o whole.h5").status == 0);
    CHECK(!std::filesystem::exists(folder / "whole.h5.rows"));
    // Killed with some rows in the journal.
    REQUIRE(run_until(folder, slow.substr(std::string("beadwave ").size()) + "--quiet -o cut.h5",
                      "5", SIGKILL)
                .status == 137);
    CHECK(!std::filesystem::exists(folder / "cut.csv"));
    CHECK(shell(folder, "printf '41,done,2' >>cut.h5.rows").status == 0);  // in the middle of a row
    const Said other = shell(folder, slow + "--set law.xi=12 -o cut.h5");
    CHECK(other.status == 2);
    CHECK(other.err.starts_with("beadwave: cut.h5.rows: holds rows of another unfinished sweep"));
    const Said on = shell(folder, slow + "--quiet -o cut.h5");
    CHECK(on.status == 0);
    CHECK_MESSAGE(on.err.starts_with("beadwave: warning: continues after "), on.err);
    CHECK(read_file(folder / "cut.csv") == read_file(folder / "whole.csv"));
    CHECK(!std::filesystem::exists(folder / "cut.h5.rows"));
}

TEST_CASE("a sweep of many runs prints that it checks them") {
    const Folder folder;
    const Said said = shell(
        folder, "mkfifo said; '" BEADWAVE_PROGRAM "' sweep " + chain70 +
                    " --set segment.1.beads=300000 --vary segment.1.disorder=1e-3:2e-3:100000 "
                    "--threads 1 2>said & p=$!; exec 3<said; IFS= read -r line <&3; "
                    "echo \"$line\" >&2; kill -TERM $p; wait $p");
    CHECK_MESSAGE(said.err.find("beadwave: checking 100000 runs") != std::string::npos, said.err);
}

TEST_CASE("tables are not written over files of others, nor over histories") {
    const Folder folder;
    REQUIRE(shell(folder, "beadwave run " + chain70 + " --quiet -o out.h5").status == 0);
    const std::string history = read_file(folder / "out.h5");
    const Said said = shell(folder, two_keys + "-o out.h5");
    CHECK(said.status == 2);
    CHECK(
        said.err ==
        "beadwave: out.h5: exists and is not the table of a sweep that beadwave wrote; refusing to "
        "overwrite it without --overwrite\n");
    CHECK(read_file(folder / "out.h5") == history);
    CHECK(shell(folder, two_keys + "--quiet -o out.h5 --overwrite").status == 0);
    CHECK(shell(folder, "beadwave run " + chain70 + " --quiet -o out.h5").status == 2);
    write_file(folder / "out.h5.rows", "mine\n");
    CHECK(shell(folder, two_keys + "--quiet -o out.h5").status == 2);
    CHECK(read_file(folder / "out.h5.rows") == "mine\n");
}

TEST_CASE("a sweep of a collision case has in each row what collide gives for its values") {
    const Folder folder;
    const std::string spheres = "'" BEADWAVE_SOURCE_DIR "/validation/figures/cases/spheres.toml'";
    const Said said = shell(folder, "beadwave sweep " + spheres +
                                        " --vary law.name=flores,hunt-crossley --vary "
                                        "law.restitution=0.3:0.9:3 --vary speed=0.2,1 --json");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    CHECK(json::parse(said.out).contains("collisions_per_second"));
    const std::vector<Row> rows = table(folder / "spheres.sweep.csv");
    REQUIRE(rows.size() == 12);
    for (const Row& row : rows) {
        std::string sets;
        for (const char* key : {"law.name", "law.restitution", "speed"})
            sets += std::string(" --set ") + key + "=" + row.at(key);
        const json hit =
            json::parse(shell(folder, "beadwave collide " + spheres + " --json" + sets).out);
        CHECK(std::stod(row.at("restitution")) == hit.at("restitution").get<double>());
        CHECK(std::stod(row.at("max_force_N")) == hit.at("max_force").get<double>());
        CHECK(std::stod(row.at("duration_s")) == hit.at("duration").get<double>());
        CHECK(std::stod(row.at("dissipated_energy_J")) ==
              hit.at("dissipated_energy").get<double>());
    }
}

TEST_CASE("a collision case is refused by run, and a law that does not fit it by its sweep") {
    const Folder folder;
    const std::string pin = "'" BEADWAVE_SOURCE_DIR "/validation/figures/cases/pin_in_hole.toml'";
    const Said run = shell(folder, "beadwave run " + pin);
    CHECK(run.status == 2);
    CHECK(run.err.find("body: makes this a collision case, for `beadwave collide` and `beadwave "
                       "sweep`") != std::string::npos);
    const Said sweep_of_pin =
        shell(folder, "beadwave sweep " + pin + " --vary law.name=johnson,flores");
    CHECK(sweep_of_pin.status == 2);
    CHECK(sweep_of_pin.err.find("law.name = \"flores\": is not a law of line contacts") !=
          std::string::npos);
}

}  // namespace beadwave::validation::sweep_test

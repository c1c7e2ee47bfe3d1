// `beadwave fit` with bad measurements and options: a correct answer, or one sentence.

#include "program.hpp"
#include "relative.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

namespace beadwave::validation::fit_input_test {

using nlohmann::json;

namespace {

const std::string chain = "'" BEADWAVE_SOURCE_DIR
                          "/configs/chain70.toml' --set segment.1.beads=30 --set time.end=250e-6 "
                          "--set 'sensors.beads=[5,10,15,20]' ";
const std::string bounds = "--bounds law.psi=2:4 --bounds segment.0.velocity=1.2:2.5 ";

using Rows = std::vector<std::vector<double>>;

/// A measurement of a chain with psi = 2.7, with deterministic noise of 0.3 N.
Rows measure(const Folder& folder) {
    const Said run = shell(folder, "beadwave run " + chain + "--set law.psi=2.7 --quiet -o lab.h5");
    REQUIRE_MESSAGE(run.status == 0, run.err);
    const Said lab =
        shell(folder, BEADWAVE_PYTHON " '" BEADWAVE_SOURCE_DIR
                                      "/validation/fit/laboratory.py' lab.h5 lab.csv --noise 0.3");
    REQUIRE_MESSAGE(lab.status == 0, lab.err);
    std::istringstream csv(read_file(folder / "lab.csv"));
    Rows rows;
    std::string line;
    std::getline(csv, line);
    while (std::getline(csv, line)) {
        rows.emplace_back();
        std::istringstream cells(line);
        for (std::string cell; std::getline(cells, cell, ',');)
            rows.back().push_back(std::stod(cell));
    }
    return rows;
}

void write_csv(const Folder& folder, const Rows& rows, std::string header = "") {
    std::ostringstream csv;
    csv.precision(12);
    csv << header;
    for (const std::vector<double>& row : rows) {
        for (std::size_t c = 0; c < row.size(); ++c)
            csv << (c == 0 ? "" : ",") << row[c];
        csv << '\n';
    }
    write_file(folder / "bad.csv", csv.str());
}

/// The columns, multiplied by factors, from row `first` on.
Rows changed(const Rows& rows, const std::vector<std::size_t>& columns, double times = 1.0,
             double forces = 1.0, std::size_t first = 0) {
    Rows result;
    for (std::size_t i = first; i < rows.size(); ++i) {
        result.emplace_back();
        for (const std::size_t c : columns)
            result.back().push_back(rows[i][c] * (c == 0 ? times : forces));
    }
    return result;
}

Said try_fit(const Folder& folder, const std::string& options = "") {
    return shell(folder,
                 "beadwave fit " + chain + bounds + "--measured bad.csv --json --quiet " + options);
}

void check_right(const Said& said) {
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const json parameters = json::parse(said.out).at("laws")[0].at("parameters");
    const double truths[] = {2.7, 1.77};
    for (std::size_t k = 0; k < 2; ++k) {
        const double error = parameters[k].at("standard_error");
        CHECK_ABSOLUTE(parameters[k].at("value").get<double>(), truths[k], 4.0 * error);
        CHECK(error < 0.01);
    }
}

void check_refused(const Said& said, const std::string& sentence) {
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    CHECK(said.err == "beadwave: bad.csv" + sentence + "\n");
}

}  // namespace

TEST_CASE("a bad measurement is refused in one sentence, or fitted correctly") {
    const Folder folder;
    const Rows rows = measure(folder);
    const std::vector<std::size_t> all{0, 1, 2, 3, 4};

    write_csv(folder, changed(rows, {0, 1, 2, 3}));  // a column is missing
    check_refused(try_fit(folder),
                  ":1: 4 columns; expected 5: the time in s and one force in N for each of 4 "
                  "sensors, or a header that names the sensors of the columns, such as \"time, "
                  "bead 9, bead 16\"");
    write_csv(folder, changed(rows, {0, 2, 4}), "t, bead 10, bead 21\n");
    check_refused(try_fit(folder),
                  ":1: column 3 is \"bead 21\"; the scenario has its sensors at 5, 10, 15, 20");
    write_csv(folder, changed(rows, {0, 2, 4, 4}), "t, bead 10, bead 20, bead 20\n");
    check_refused(try_fit(folder), ":1: sensor 20 has two columns");
    write_csv(folder, changed(rows, all, 1e3));
    check_refused(try_fit(folder),
                  ": the times span 0.25, but the run lasts 0.00025 s; expected times in s");
    write_csv(folder, changed(rows, all, 1.0, -1.0));
    CHECK(try_fit(folder).err.ends_with("; expected positive forces in compression\n"));
    for (const double unit : {1e3, 1e-3}) {
        write_csv(folder, changed(rows, all, 1.0, unit));
        const Said said = try_fit(folder);
        CHECK(said.status == 2);
        CHECK(said.err.starts_with("beadwave: bad.csv: the largest force is "));
        CHECK(said.err.find(" N in a run at the start of the fit; expected forces in N, and a ") !=
              std::string::npos);
    }
    Rows not_a_number = rows;
    not_a_number[100][3] = std::nan("");
    write_csv(folder, not_a_number);
    check_refused(try_fit(folder),
                  ":101: column 4 is \"nan\"; expected a finite number; leave out a row "
                  "without one of its numbers");
    write_csv(folder, changed(rows, all, 1.0, 1.0, rows.size() - 3));
    CHECK(try_fit(folder).status == 2);

    Rows saturated = rows;
    for (std::vector<double>& row : saturated)
        row[1] = std::min(row[1], 20.0);
    write_csv(folder, saturated);
    const Said clipped = try_fit(folder);
    check_right(clipped);
    CHECK(clipped.err.find("sensor 5 is saturated at 20 N") != std::string::npos);
    CHECK(json::parse(clipped.out)
              .at("laws")[0]
              .at("sensors")[0]
              .at("measured_peak_force")
              .is_null());

    write_csv(folder, changed(rows, all, 1.0, 1.0, 1000));  // from 100 us on
    const Said late = try_fit(folder, "--overwrite");
    check_right(late);
    CHECK(late.err.find("the wave passes sensor 5, 10 outside the measured time") !=
          std::string::npos);
    write_csv(folder, changed(rows, {0, 4, 2}), "t, bead 20, bead 10\n");  // fewer, in any order
    check_right(try_fit(folder));
}

TEST_CASE("a fit refuses wrong options in one sentence and does not overwrite other files") {
    const Folder folder;
    measure(folder);
    const auto error = [&](const std::string& options) {
        const Said said = shell(folder, "beadwave fit " + chain + "--measured lab.csv " + options);
        CHECK_MESSAGE(said.status == 2, options);
        CHECK(said.out.empty());
        return said.err;
    };
    CHECK(error("--bounds law.psi=2.9:4") ==
          "beadwave: --bounds law.psi=2.9:4: the start, 2.84, is outside these bounds; widen them, "
          "or choose another start with --set law.psi=VALUE\n");
    CHECK(error("--bounds law.psii=2:4") ==
          "beadwave: --bounds law.psii: unknown key; did you mean \"psi\"?\n");
    CHECK(error("--bounds law.psi=4:2") ==
          "beadwave: --bounds law.psi=4:2: the lower bound, 4, must be less than the upper bound, "
          "2\n");
    CHECK(error("--bounds law.psi=2") ==
          "beadwave: --bounds law.psi=2: must be key=low:high, as in --bounds law.psi=2:4\n");
    CHECK(error("--bounds law.psi=2:4 --bounds law.psi=2:3") ==
          "beadwave: --bounds law.psi: is given twice; give its bounds once\n");
    CHECK(error("--bounds law.psi=-3:4") ==
          "beadwave: --bounds law.psi = -3.0: must be a number from 1 to 10\n");
    CHECK(error("--bounds law.name=1:2").find("is not a number in the scenario") !=
          std::string::npos);
    CHECK(error("--bounds time.step=1e-9:2e-8").find("a fit varies physical numbers") !=
          std::string::npos);
    CHECK(error("--bounds sensor.gain.6=0.9:1.1").find("one of the measured sensors") !=
          std::string::npos);
    CHECK(error("--bounds law.psi=2:4 --target peak") ==
          "beadwave: --target peak: there is no \"peak\"; did you mean \"peaks\"?\n");
    CHECK(error("--bounds law.psi=2:4 --target traces,peaks")
              .find("give traces, or peaks,arrivals") != std::string::npos);
    CHECK(error("--bounds law.psi=2:4 --noise -1").find("expected numbers above 0, in N") !=
          std::string::npos);
    CHECK(
        error("--bounds law.psi=2:4 --noise 1,2").find("expected one, or one for each of the 4") !=
        std::string::npos);
    CHECK(error("--bounds law.psi=2:4 --profile-likelihood law.xi") ==
          "beadwave: --profile-likelihood law.xi: is not a free parameter; give its --bounds\n");
    CHECK(error("--bounds law.psi=2:4 --laws ma-liu,thrnton").find("did you mean \"thornton\"?") !=
          std::string::npos);

    write_file(folder / "mine.toml", "title = \"mine\"\n");
    CHECK(error("--bounds law.psi=2:4 -o mine.h5").find("mine.toml") != std::string::npos);
    CHECK(error("--bounds law.psi=2:4 -o lab.h5").find("lab.h5") != std::string::npos);
    CHECK(read_file(folder / "mine.toml") == "title = \"mine\"\n");
    const std::string own = "own.toml" + chain.substr(chain.find("' ") + 1);
    const Said copy =
        shell(folder, "cp '" BEADWAVE_SOURCE_DIR "/configs/chain70.toml' own.toml; beadwave fit " +
                          own + "--measured lab.csv --bounds law.psi=2:4 -o own.h5 --overwrite");
    CHECK(copy.status == 2);
    CHECK(copy.err.find("is an input of this fit") != std::string::npos);
}

}  // namespace beadwave::validation::fit_input_test

// `beadwave compare`.

#include "program.hpp"
#include "relative.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace beadwave::validation::compare_test {

using nlohmann::json;

namespace {

const std::string compare =
    "beadwave compare '" BEADWAVE_SOURCE_DIR
    "/configs/chain70.toml'"
    " --set time.end=2e-4 --set 'sensors.beads=[9,16]' --set law.restitution=0.65 ";

}  // namespace

TEST_CASE("compare runs one scenario under several laws and compares each with the first") {
    const Folder folder;
    const Said said = shell(folder, compare + "--laws hertz,ma-liu,flores --json");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const json laws = json::parse(said.out).at("laws");
    REQUIRE(laws.size() == 3);
    CHECK(laws[0].at("relative_cost") == 1.0);
    CHECK(laws[0].at("dissipated_energy") == 0.0);
    CHECK(laws[0].at("sensors")[0].at("peak_force_difference") == 0.0);
    const json& ma_liu = laws[1].at("sensors")[0];
    CHECK_RELATIVE(laws[0].at("sensors")[0].at("peak_force").get<double>(), 66.115, 5e-4);
    CHECK_RELATIVE(ma_liu.at("peak_force").get<double>(), 35.727, 5e-4);
    CHECK_RELATIVE(ma_liu.at("peak_force_difference").get<double>(), 35.727 / 66.115 - 1.0, 5e-4);
    CHECK_RELATIVE(ma_liu.at("arrival_difference").get<double>(), 67.48e-6 - 62.58e-6, 5e-3);
    CHECK(laws[2].at("dissipated_energy") > 0.0);
    CHECK(laws[2].at("nanoseconds_per_bead_step") > 0.0);
    CHECK(!std::filesystem::exists(folder / "chain70.h5"));
}

TEST_CASE("compare finds the error at each sensor of measured traces") {
    const Folder folder;
    // Two parabolas with known peaks. Their clock starts 1 ms before that of the run.
    std::string csv = "time,bead 9,bead 16\n";
    for (int i = 0; i < 400; ++i) {
        const double t = 1e-3 + i * 1e-6;
        const auto hump = [&](double height, double at) {
            return std::max(0.0, height * (1.0 - std::pow((t - 1e-3 - at) / 20e-6, 2)));
        };
        csv += std::to_string(t) + "," + std::to_string(hump(40.0, 67.5e-6)) + "," +
               std::to_string(hump(25.0, 122.5e-6)) + "\n";
    }
    write_file(folder / "lab.csv", csv);
    const Said said = shell(folder, compare + "--laws ma-liu --measured lab.csv --json");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const json sensors = json::parse(said.out).at("laws")[0].at("sensors");
    CHECK_RELATIVE(sensors[0].at("peak_force_error").get<double>(), (40.0 - 35.727) / 40.0, 2e-3);
    CHECK_RELATIVE(sensors[1].at("peak_force_error").get<double>(), (26.536 - 25.0) / 25.0, 5e-3);
    CHECK(sensors[0].at("arrival_error") == 0.0);
    CHECK_ABSOLUTE(sensors[1].at("arrival_error").get<double>(), (119.952 - 67.479 - 55.0) * 1e-6,
                   0.02e-6);
}

TEST_CASE("compare refuses wrong laws and wrong traces in one sentence") {
    const Folder folder;
    write_file(folder / "short.csv", "0,1,1\n1e-6,2,2\n");
    write_file(folder / "narrow.csv", "time,force\n0,1\n");
    write_file(folder / "back.csv", "0,1,1\n2e-6,2,2\n1e-6,2,2\n");
    write_file(folder / "word.csv", "time,a,b\n0,1,1\n1e-6,two,2\n");
    const auto error = [&](const std::string& options) {
        const Said said = shell(folder, compare + options);
        CHECK(said.status == 2);
        CHECK(said.out.empty());
        return said.err;
    };
    CHECK(error("--laws hertz,florse") ==
          "beadwave: --laws: there is no law \"florse\"; did you mean \"flores\"? (beadwave laws "
          "lists "
          "all)\n");
    CHECK(error("--laws hertz --measured none.csv") == "beadwave: none.csv: no such file\n");
    CHECK(error("--laws hertz --measured short.csv") ==
          "beadwave: short.csv: 2 rows of numbers; expected at least 3\n");
    CHECK(error("--laws hertz --measured narrow.csv") ==
          "beadwave: narrow.csv:2: 2 columns; expected 3: the time in s and one force in N for "
          "each of 2 sensors\n");
    CHECK(error("--laws hertz --measured back.csv") ==
          "beadwave: back.csv:3: time 1e-06 s does not come after 2e-06 s; expected increasing "
          "times\n");
    CHECK(error("--laws hertz --measured word.csv") ==
          "beadwave: word.csv:3: column 2 is \"two\"; expected a finite number\n");
    CHECK(error("--laws hertz,flores --set law.restitution=2").find("under law flores: ") !=
          std::string::npos);
}

}  // namespace beadwave::validation::compare_test

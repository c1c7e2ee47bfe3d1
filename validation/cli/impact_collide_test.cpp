// `beadwave collide` with [impact]: rigid bodies with friction.

#include "program.hpp"
#include "relative.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace beadwave::validation::impact_collide_test {

using nlohmann::json;

namespace {

const std::string oblique_sphere = R"(speed = 2.0
[impact]
restitution = 0.6
friction = 0.1
slip_speed = 5.0
[impact.a]
shape = "sphere"
mass = 0.3
radius = 0.05
angular_velocity = 4.0
[impact.b]
shape = "plane"
)";

Said collide(const std::string& text, const std::string& options = "") {
    const Folder folder;
    write_file(folder / "case.toml", text);
    return shell(folder, "beadwave collide case.toml " + options);
}

std::vector<std::string> words(const std::string& row) {
    std::vector<std::string> cells;
    std::istringstream in(row);
    for (std::string cell; std::getline(in, cell, ',');)
        cells.push_back(cell);
    return cells;
}

}  // namespace

TEST_CASE("collide computes an oblique sphere under the three definitions") {
    const Said said = collide(oblique_sphere, "--json");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const json impacts = json::parse(said.out).at("impacts");
    REQUIRE(impacts.size() == 3);
    for (const char* definition : {"newton", "poisson", "stronge"}) {
        const json& row = impacts.at(definition);
        CHECK_RELATIVE(row.at("separation_speed").get<double>(), 1.2, 1e-12);
        CHECK_RELATIVE(row.at("slip_speed").get<double>(), 5.0 - 3.5 * 0.1 * 1.6 * 2.0, 1e-12);
        CHECK_RELATIVE(row.at("impulse_ratio").get<double>(), -0.1, 1e-12);
        CHECK_RELATIVE(row.at("stronge_restitution").get<double>(), 0.6, 1e-12);
        CHECK(row.at("phases") == json::array({"slip"}));
        // The friction turns the sphere: 5/2 of the change of speed over the radius.
        CHECK_RELATIVE(row.at("bodies")[0].at("angular_velocity").get<double>(),
                       4.0 - 2.5 * 0.1 * 1.6 * 2.0 / 0.05, 1e-12);
        CHECK(row.at("bodies")[1].at("velocity_change") == json::array({0.0, 0.0}));
    }
    const Said text = collide(oblique_sphere);
    CHECK(text.status == 0);
    for (const char* words : {"newton", "poisson", "stronge", "impulse ratio", "newton: slip"})
        CHECK(text.out.find(words) != std::string::npos);
}

TEST_CASE("collide says jam, reverse slip, and energy that Newton's definition creates") {
    const std::string rod = R"(speed = 1.0
[impact]
restitution = 1.0
friction = 1.6
slip_speed = -1.0
[impact.a]
shape = "rod"
mass = 1.0
length = 1.0
angle = 1.1071487177940904
[impact.b]
shape = "plane"
)";
    const Said jam = collide(rod);
    CHECK(jam.status == 0);
    CHECK(jam.out.find("poisson: jam, stick") != std::string::npos);
    const Said turns = collide(rod, "--set impact.friction=0.1 --set impact.slip_speed=0.05");
    CHECK(turns.out.find("stronge: slip, reverse slip") != std::string::npos);
    const Said creates = collide(rod, "--set impact.friction=0.5 --set impact.slip_speed=0.5");
    CHECK(creates.out.find("newton: slip, stick; creates energy") != std::string::npos);
}

TEST_CASE("collide refuses impacts that cannot be") {
    const auto refused = [](const std::string& options, const std::string& words) {
        const Said said = collide(oblique_sphere, options);
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err.find(words) != std::string::npos, said.err);
    };
    refused("--set impact.a.shape=plane", "at least one body must move");
    refused("--set impact.a.shape=rod", "impact.a.length");
    refused("--set impact.restitution=1.2", "impact.restitution");
    refused("--set law.name=hertz", "given together with [impact]");
    refused("--trajectory out.csv", "takes no time");
}

TEST_CASE("a sweep over an impact of rigid bodies has each definition's numbers") {
    // The sphere sticks below a slip of 3.5 mu (1 + e) v = 1.12 m/s, and keeps the rest above it.
    const Folder folder;
    write_file(folder / "case.toml", oblique_sphere);
    const Said said = shell(
        folder, "beadwave sweep case.toml --vary impact.slip_speed=1,5 -o out.h5 --json --quiet");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const std::string csv = read_file(folder / "out.csv");
    const std::vector<std::string> header = words(csv.substr(0, csv.find('\n')));
    for (const std::string definition : {"newton", "poisson", "stronge"}) {
        const auto column = std::ranges::find(header, definition + "_slip_speed_m_per_s");
        REQUIRE(column != header.end());
        const std::size_t k = static_cast<std::size_t>(column - header.begin());
        std::istringstream lines(csv.substr(csv.find('\n') + 1));
        std::string sticks, slips;
        std::getline(lines, sticks);
        std::getline(lines, slips);
        CHECK(std::stod(words(sticks).at(k)) == 0.0);
        CHECK_RELATIVE(std::stod(words(slips).at(k)), 5.0 - 3.5 * 0.1 * 1.6 * 2.0, 1e-12);
    }
}

}  // namespace beadwave::validation::impact_collide_test

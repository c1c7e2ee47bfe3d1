// Chains of ellipsoids as a person runs them: what all chains can do, and one sentence for wrong
// input.
#include "held_run.hpp"
#include "laboratory.hpp"
#include "program.hpp"
#include "relative.hpp"
#include "table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <sstream>
#include <string>
#include <vector>

namespace beadwave::validation::ellipsoid_chains_test {
namespace {

const std::string material =
    "[material.glass]\nyoungs_modulus = 70e9\npoisson_ratio = 0.25\ndensity = 2500\n";
const std::string tail =
    "[law]\nname = \"hertz\"\n[sensors]\nbeads = [6, 10]\n[time]\nend = 3e-4\n";

std::string segment(int beads, const std::string& keys) {
    return fmt::format("[[segment]]\nbeads = {}\nmaterial = \"glass\"\n{}\n", beads, keys);
}

const std::string body = "shape = \"ellipsoid\"\nsemi_axes = [2e-3, 8e-3, 2e-3]\nangle = 0.8\n";
const std::string struck =
    material + segment(1, body + "velocity = 0.05") + segment(15, body) + tail;

std::string refusal(const std::string& text, const std::string& more = "") {
    const Folder folder;
    write_file(folder / "row.toml", text);
    write_file(folder / "beads.csv",
               "a_m,b_m,c_m,qw,qx,qy,qz\n2e-3,3e-3,4e-3,1,0,0,0\n2e-3,3e-3,4e-3,0.9,0,0,0.1\n");
    const Said said = shell(folder, "beadwave run row.toml -o out.h5 --quiet " + more);
    CHECK(said.status == 2);
    CHECK(!std::filesystem::exists(folder / "out.h5"));
    CHECK(std::ranges::count(said.err, '\n') == 1);
    return said.err;
}

}  // namespace

TEST_CASE(
    "disordered ellipsoids under a load over time run to the same bits after an interruption") {
    const std::string disordered = body + "disorder = 0.05\nseed = 4\n";
    const std::string text =
        material + segment(1, body) +
        segment(30, disordered +
                        "pattern = [{ angle = 0.3 }, { orientation = [0.9, 0.4358898943540674, "
                        "0.0, 0.0], angle = -0.2 }]") +
        "[[load]]\nbead = 0\nfile = \"push.csv\"\n[law]\nname = \"flores\"\nrestitution = "
        "0.8\nimpact_speed = 0.1\n"
        "[precompression]\nforce = 5.0\n[boundary]\nright = \"wall\"\n[snapshots]\ninterval = "
        "2e-5\n[time]\nend = 2e-4\nstep = 2e-8\n[checkpoint]\ninterval = 2e-5\n[sensors]\nbeads = "
        "[5, 20]\n";
    const Folder folder;
    write_file(folder / "row.toml", text);
    write_file(folder / "push.csv", "time_s,force_N\n0,0\n2e-5,10\n5e-5,0\n");
    REQUIRE(shell(folder, "beadwave run row.toml --quiet --threads 1 -o whole.h5").status == 0);
    const Said cut =
        run_until(folder, "run row.toml --quiet --threads 1 -o cut.h5", "4000", SIGTERM);
    CHECK(cut.status == 1);
    const Said resumed = shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet");
    CHECK_MESSAGE(resumed.status == 0, resumed.err);
    check_same_histories(folder);
}

TEST_CASE("a sweep over the angle of ellipsoids is a switch, and a fit finds the angle") {
    const Folder folder;
    write_file(folder / "row.toml", struck);
    const Said swept =
        shell(folder,
              "beadwave sweep row.toml --quiet --vary "
              "segment.1.angle=0,0.8,1.5707963267948966 --csv sweep.csv -o sweep.h5");
    REQUIRE_MESSAGE(swept.status == 0, swept.err);
    // The time from bead 6 to bead 10.
    std::vector<double> travel;
    std::istringstream rows(read_file(folder / "sweep.csv"));
    std::string row;
    std::getline(rows, row);
    REQUIRE(row.starts_with(
        "run,status,segment.1.angle,peak_force_6_N,peak_force_10_N,arrival_time_6_s,"
        "arrival_time_10_s,"));
    while (std::getline(rows, row)) {
        std::vector<std::string> cells;
        std::istringstream line(row);
        for (std::string cell; std::getline(line, cell, ',');)
            cells.push_back(cell);
        travel.push_back(std::stod(cells[6]) - std::stod(cells[5]));
    }
    REQUIRE(travel.size() == 3);
    CHECK(travel[1] > 1.1 * travel[0]);
    CHECK(travel[2] > 1.03 * travel[1]);
    measure(folder, "row.toml ");
    const auto fitted =
        fit(folder, "row.toml --set segment.1.angle=0.5 --bounds segment.1.angle=0.3:1.4");
    const auto parameter = fitted.at("laws")[0].at("parameters")[0];
    CHECK_RELATIVE(parameter.at("value").get<double>(), 0.8, 1e-5);
}

TEST_CASE("gradients of a chain of ellipsoids are those of differences, and a design refuses it") {
    const Folder folder;
    write_file(folder / "row.toml", struck);
    write_file(folder / "o.toml", "[[objective]]\nkind = \"peak\"\nsensor = 10\n");
    const Said said = shell(folder,
                            "beadwave gradient row.toml --objective o.toml --inputs "
                            "mass,radius,youngs_modulus --check --json --quiet");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const auto json = nlohmann::json::parse(said.out);
    CHECK(json.at("check").at("largest_deviation").get<double>() < 1e-6);
    CHECK(json.at("gradient").at("radius").size() == 16);
    // A radius scales its bead: all radii together are a length, and K grows as its root.
    double sum = 0.0;
    for (const auto& each : json.at("gradient").at("radius"))
        sum += each.get<double>() * 2e-3;
    double by_modulus = 0.0;
    for (const auto& each : json.at("gradient").at("youngs_modulus"))
        by_modulus += each.get<double>() * 70e9;
    CHECK_RELATIVE(sum, 0.5 * by_modulus, 1e-6);
    CHECK(by_modulus > 0.0);
    write_file(folder / "design.toml",
               "[design]\nscenario = \"row.toml\"\n[[variable]]\ninput = \"mass\"\nrange = [1e-4, "
               "1e-3]\n[[objective]]\nkind = \"peak\"\nsensor = 10\n");
    const Said designed = shell(folder, "beadwave design design.toml -o design.h5");
    CHECK(designed.status == 2);
    CHECK(designed.err.find("designs change spheres") != std::string::npos);
}

TEST_CASE("wrong shapes of beads in a chain are refused in one sentence") {
    const std::string few = "[law]\nname = \"hertz\"\n[time]\nend = 1e-5\nstep = 1e-8\n";
    const auto says = [&](const std::string& keys, const std::string& key,
                          const std::string& what) {
        const std::string told = refusal(material + segment(2, keys) + few);
        CAPTURE(keys);
        CAPTURE(told);
        CHECK(told.find("segment.0." + key) != std::string::npos);
        CHECK(told.find(what) != std::string::npos);
    };
    const std::string axes = "shape = \"ellipsoid\"\nsemi_axes = [2e-3, 4e-3, 3e-3]\n";
    says(axes + "orientation = [0.98, 0.0, 0.0, 0.19899748742132398]", "orientation",
         "tilts the ellipsoid by 0.401 rad from the chain: it would touch "
         "its "
         "neighbours off the axis and turn, which a chain does not compute; expected a principal "
         "axis along the chain (x), or a packing, which does: [[particles]] with shape = "
         "\"ellipsoid\"");
    says(axes + "pattern = [{ angle = 0.0 }, { orientation = [0.9, 0.1, 0.0, 0.4] }]",
         "pattern.1.orientation", "tilts the ellipsoid");
    says("shape = \"ellipsoid\"\nfile = \"beads.csv\"", "file",
         "bead 1 of this segment: tilts the ellipsoid");
    says("shape = \"ellipsoid\"", "semi_axes", "missing; give [a, b, c], in m");
    says("shape = \"ellipsoid\"\nsemi_axes = [2e-3, 0.0, 3e-3]", "semi_axes", "must be");
    says("shape = \"ellipsoid\"\nsemi_axes = [2e-3, 3e-3]", "semi_axes", "must be");
    says(axes + "orientation = [0, 0, 0, 0]", "orientation", "has zero length");
    says(axes + "radius = 2e-3", "radius", "is given, but ellipsoids have semi_axes");
    says(axes + "length = 2e-3", "length", "is given, but ellipsoids have semi_axes");
    says("radius = 2e-3\nsemi_axes = [2e-3, 4e-3, 3e-3]", "semi_axes",
         "belongs to shape = \"ellipsoid\"");
    says("shape = \"cylinder\"\nradius = 2e-3", "length", "missing");
    says("shape = \"cylinder\"\nradius = 2e-3\nlength = 5e-3\norientation = [0.7, 0.0, 0.7, 0.0]",
         "orientation",
         "End on, cylinders touch with flat ends, which have no radius of curvature");
    says("shape = \"sphere\"\nradius = 2e-3\nlength = 5e-3", "length",
         "belongs to shape = \"cylinder\"");
    says("shape = \"superellipsoid\"\nradius = 2e-3", "shape", "must be");
    says(axes + "pattern = [{ radius = 2e-3 }]", "pattern.0.radius", "is given");
    const std::string roller = "shape = \"cylinder\"\nradius = 2e-3\nlength = 5e-3\n";
    CHECK(
        refusal(material + segment(1, "shape = \"sphere\"\nradius = 2e-3") + segment(2, roller) +
                few)
            .find("bead 2 and the one before it: two cylinders side by side touch along a line") !=
        std::string::npos);
    // The tips of these bend with a radius of 5e-5 m, and the ellipsoids are 0.02 m long.
    const std::string tips = segment(2, "shape = \"ellipsoid\"\nsemi_axes = [2e-2, 1e-3, 1e-3]");
    CHECK(refusal(material + tips + few +
                  "[precompression]\nforce = 200\n[boundary]\nleft = \"wall\"\nright = "
                  "\"wall\"\n")
              .find("m with 200 N, more than a bead's radius of curvature there; expected") !=
          std::string::npos);
    // Laws of a circle do not hold on an ellipse.
    CHECK(refusal(struck, "--set law.name=thornton --set material.glass.yield_stress=1e9")
              .find("yields under the pressure on a circle") != std::string::npos);
    CHECK(refusal(struck, "--set law.name=jkr --set law.adhesion_energy=0.1")
              .find("law \"jkr\" is made for a contact on a circle; these surfaces touch on an") !=
          std::string::npos);
}

TEST_CASE("cylinders whose contact is longer than they are warn wherever their angle is given") {
    const std::string roller = "shape = \"cylinder\"\nradius = 3e-3\nlength = 12e-3\n";
    const std::string few = "[law]\nname = \"hertz\"\n[time]\nend = 1e-7\nstep = 1e-8\n";
    const Folder folder;
    for (const char* const angle : {"angle = 1e-3", "pattern = [{ angle = 1e-3 }]"}) {
        for (const std::string& first :
             {roller + "angle = 0.5\n", std::string("radius = 3e-3\n")}) {
            CAPTURE(angle);
            CAPTURE(first);
            write_file(folder / "row.toml", material + segment(1, first + "velocity = 0.05") +
                                                segment(3, roller + angle) + few);
            const Said said = shell(folder, "beadwave run row.toml -o out.h5 --overwrite");
            CHECK(said.status == 0);
            CHECK(said.err.find("warning: segment.1.angle: ") != std::string::npos);
        }
    }
}

}  // namespace beadwave::validation::ellipsoid_chains_test

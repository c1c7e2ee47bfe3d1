// Warnings about packings that are valid and would give forces that nobody expects: bodies whose
// motion is given and that meet, and hollows that particles are too large for.

#include "jobs/read_job.hpp"
#include "program.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::unfelt_contacts_test {

namespace {

const std::string head =
    "material.g = {youngs_modulus=1e7, poisson_ratio=0.3, density=2500}\n"
    "law = {name=\"hertz\"}\ntime = {end=1e-3, step=1e-6}\n";

std::string particle(const std::string& position, const std::string& more = "") {
    return "{position=" + position + ", radius=1e-3, material=\"g\"" + more + "},";
}

std::vector<std::string> warnings(const std::string& text) {
    return jobs::read_job_text(head + text, "scenario", ".", {}, {})->warnings();
}

bool warns(const std::string& text, const std::string& of) {
    const std::vector<std::string> all = warnings(text);
    for (const std::string& each : all)
        if (each.find(of) != std::string::npos) return true;
    return false;
}

/// A groove along y with flanks at 45 degrees, which a fillet of this radius [m] joins in so many
/// facets.
std::string groove(double fillet, int facets) {
    struct Corner {
        double x, z;
    };
    std::vector<Corner> line{{-0.02, 0.02}};
    for (int k = 0; k <= facets; ++k) {
        const double angle = std::numbers::pi * (-0.25 + 0.5 * k / facets);
        line.push_back({fillet * std::sin(angle), fillet * (std::sqrt(2.0) - std::cos(angle))});
    }
    line.push_back({0.02, 0.02});
    std::string stl = "solid g\n";
    const auto triangle = [&](Corner a, double y, Corner b, double v, Corner c, double w) {
        stl += fmt::format(
            "facet normal 0 0 0\nouter loop\nvertex {} {} {}\nvertex {} {} {}\n"
            "vertex {} {} {}\nendloop\nendfacet\n",
            a.x, y, a.z, b.x, v, b.z, c.x, w, c.z);
    };
    for (std::size_t k = 0; k + 1 < line.size(); ++k) {
        triangle(line[k], -0.05, line[k + 1], -0.05, line[k + 1], 0.05);
        triangle(line[k], -0.05, line[k + 1], 0.05, line[k], 0.05);
    }
    return stl + "endsolid g\n";
}

/// The warnings of a sphere above this groove.
std::vector<std::string> above(double fillet, double radius, const std::string& more = "") {
    const std::string text = fmt::format(
        "{}particles = [{{position=[0,0,{}], radius={}, material=\"g\"}}]\n"
        "wall = [{{shape=\"mesh\", mesh_file=\"g.stl\", point=[0,0,0], material=\"g\"{}}}]\n"
        "gravity = {{acceleration=[0,0,-9.81]}}\n",
        head, 3.0 * radius + fillet, radius, more);
    return jobs::read_job_text(text, "scenario", ".", {}, {{"wall.0.mesh_file", groove(fillet, 8)}})
        ->warnings();
}

}  // namespace

TEST_CASE("bodies whose motion is given and that are pushed into each other bring a warning") {
    const std::string two =
        "particles = [" + particle("[0,0,0]") + particle("[0.0021,0,0]") + "]\n";
    // At 0.3 m/s the gap of 0.1 mm closes, and after 1 ms the overlap is 0.2 mm.
    CHECK(warns(two + "drive = [{particles=[0,0],velocity=[0,0,0]},"
                      "{particles=[1,1],velocity=[-0.3,0,0]}]\n",
                "particles 0 and 1 are pushed 0.0002 m into each other until t = 0.001 s"));
    // Between the start and the end: 0.15 mm (1 - cos) at a quarter of the period.
    CHECK(warns(two + "drive = [{particles=[0,0],velocity=[0,0,0]},"
                      "{particles=[1,1],frequency=500,amplitude=[-1.5e-4,0,0]}]\n",
                "are pushed 5e-05 m into each other until t = 0.0005 s"));
    // A fixed one beside it, and a wall.
    CHECK(warns("particles = [" + particle("[0,0,0]", ", fixed=true") + particle("[0.002,0,0]") +
                    "]\ndrive = [{particles=[1,1],velocity=[-0.1,0,0]}]\n",
                "particles 0 and 1 are pushed 0.0001 m into each other"));
    CHECK(warns("particles = [" + particle("[0,0,0]") +
                    "]\nwall = [{point=[-1e-3,0,0], normal=[1,0,0], material=\"g\"}]\n"
                    "drive = [{particles=[0,0],velocity=[-0.1,0,0]}]\n",
                "particle 0 and wall 0 are pushed 0.0001 m into each other"));
}

TEST_CASE("bodies whose motion is given and that stay apart or together bring no warning") {
    const auto quiet = [](const std::string& text) { return !warns(text, "into each other"); };
    const std::string two =
        "particles = [" + particle("[0,0,0]") + particle("[0.0019,0,0]") + "]\n";
    CHECK(quiet(two + "drive = [{particles=[0,1],velocity=[0.1,0,0]}]\n"));
    CHECK(quiet(two + "drive = [{particles=[0,0],velocity=[0,0,0]},"
                      "{particles=[1,1],velocity=[0.1,0,0]}]\n"));
    // One of them is free along x, so that it feels the other.
    CHECK(quiet(two + "drive = [{particles=[0,0],velocity=[0,0,0]},"
                      "{particles=[1,1],velocity=[0,0,0],axes=[false,true,true]}]\n"));
}

TEST_CASE("a smooth hollow of a mesh that is narrower than a particle brings a warning") {
    const auto warned = [](const std::vector<std::string>& all) {
        for (const std::string& each : all)
            if (each.find("its mesh is hollow at") != std::string::npos) return true;
        return false;
    };
    CHECK(warned(above(1e-3, 5e-3)));
    CHECK(warned(above(4e-3, 5e-3)));
    CHECK_FALSE(warned(above(6e-3, 5e-3)));                         // it touches the fillet alone
    CHECK_FALSE(warned(above(1e-3, 5e-3, ", feature_angle=0.1")));  // bends of 0.196 rad
}

}  // namespace beadwave::validation::unfelt_contacts_test

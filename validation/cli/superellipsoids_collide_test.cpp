// `beadwave collide` with superellipsoids: exponents of 2 are ellipsoids, what two of them keep,
// what is refused, and what is warned of.
#include "program.hpp"
#include "relative.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::superellipsoids_collide_test {
namespace {

using nlohmann::json;
using Three = std::array<double, 3>;

const std::string material = "youngs_modulus = 3e9\npoisson_ratio = 0.35\ndensity = 1200.0\n";
const std::string law = "\n[law]\nname = \"hertz\"\n";
const std::string wall =
    "\n[[wall]]\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]\n"
    "youngs_modulus = 3e9\npoisson_ratio = 0.35\n";

std::string box(const std::string& shape, const std::string& rest) {
    return fmt::format("\n[[body]]\n{}\nsemi_axes = [8e-3, 6e-3, 5e-3]\n{}\n{}", shape, rest,
                       material);
}

const std::string cube = "shape = \"superellipsoid\"\nexponents = [4.0, 4.0]";
const std::string flying =
    "position = [0.0, 0.0, 0.03]\nvelocity = [0.1, -0.2, -1.0]\nangular_velocity = [20.0, 10.0, "
    "30.0]\norientation = [0.8, 0.4, 0.4, 0.2]";
const std::string waiting = "position = [3e-3, 1e-3, 0.0]\norientation = [0.96, 0.0, 0.28, 0.0]";

Said collide(const std::string& text, const std::string& options = "--json") {
    const Folder folder;
    write_file(folder / "case.toml", text);
    return shell(folder, "beadwave collide case.toml " + options);
}

json result_of(const std::string& text, const std::string& options = "--json") {
    const Said said = collide(text, options);
    REQUIRE_MESSAGE(said.status == 0, said.err, text);
    return json::parse(said.out);
}

Three cross(const Three& a, const Three& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Three& a, const Three& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// The matrix of a unit quaternion times a vector.
Three in_space(const std::array<double, 4>& q, const Three& v) {
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    return {
        (1 - 2 * (y * y + z * z)) * v[0] + 2 * (x * y - w * z) * v[1] + 2 * (x * z + w * y) * v[2],
        2 * (x * y + w * z) * v[0] + (1 - 2 * (x * x + z * z)) * v[1] + 2 * (y * z - w * x) * v[2],
        2 * (x * z - w * y) * v[0] + 2 * (y * z + w * x) * v[1] + (1 - 2 * (x * x + y * y)) * v[2]};
}

/// Momentum, angular momentum about the origin, energy.
struct Totals {
    Three momentum{}, angular{};
    double energy = 0.0;

    void add(const json& b, const Three& place, const Three& v, const Three& spin,
             const std::array<double, 4>& q) {
        const double mass = b.at("mass");
        const Three moments = b.at("moments_of_inertia");
        const Three turning{moments[0] * spin[0], moments[1] * spin[1], moments[2] * spin[2]};
        const Three own = in_space(q, turning), orbital = cross(place, v);
        for (std::size_t i = 0; i < 3; ++i) {
            momentum[i] += mass * v[i];
            angular[i] += mass * orbital[i] + own[i];
        }
        energy += 0.5 * mass * dot(v, v) + 0.5 * dot(turning, spin);
    }
};

}  // namespace

TEST_CASE("collide: superellipsoids with exponents of 2 are ellipsoids, to the bit") {
    const std::string two = "shape = \"superellipsoid\"\nexponents = [2.0, 2.0]";
    const std::string ellipsoid = "shape = \"ellipsoid\"";
    for (const std::string& second : {box(ellipsoid, waiting), wall}) {
        const Said known = collide(box(ellipsoid, flying) + second + law);
        const Said same = collide(box(two, flying) + second + law);
        REQUIRE_MESSAGE(known.status == 0, known.err);
        CHECK(same.out == known.out);
        CHECK(same.err == known.err);
    }
    // So do exponents that --set gives; others give other numbers.
    const std::string boxes = box(cube, flying) + box(cube, waiting) + law;
    const Said known = collide(box(ellipsoid, flying) + box(ellipsoid, waiting) + law);
    const Said set =
        collide(boxes, "--json --set body.0.exponents=[2.0,2.0] --set body.1.exponents=[2.0,2.0]");
    CHECK(set.out == known.out);
    CHECK(result_of(boxes).at("max_force") != json::parse(known.out).at("max_force"));
}

TEST_CASE("collide: superellipsoids keep momentum, angular momentum and energy") {
    const std::vector<std::pair<std::string, bool>> seconds{
        {box(cube, waiting), true},
        {box("shape = \"superellipsoid\"\nexponents = [2.5, 8.0]", waiting), true},
        {box("shape = \"ellipsoid\"", waiting), true},
        {"\n[[body]]\nshape = \"sphere\"\nradius = 6e-3\n" + waiting + "\n" + material, false}};
    for (const auto& [second, turns] : seconds) {
        const std::string text = box(cube, flying) + second + law;
        const json hit = result_of(text);
        const json& bodies = hit.at("bodies");
        Totals before, after;
        before.add(bodies.at(0), {0.0, 0.0, 0.03}, {0.1, -0.2, -1.0}, {20.0, 10.0, 30.0},
                   {0.8, 0.4, 0.4, 0.2});
        before.add(bodies.at(1), {3e-3, 1e-3, 0.0}, {}, {}, {0.96, 0.0, 0.28, 0.0});
        for (const json& b : bodies)
            after.add(b, b.at("position"), b.at("velocity"), b.at("angular_velocity"),
                      b.at("orientation"));
        const double p = std::sqrt(dot(before.momentum, before.momentum));
        const double L = std::sqrt(dot(before.angular, before.angular));
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK_ABSOLUTE(after.momentum[i], before.momentum[i], 1e-12 * p);
            CHECK_ABSOLUTE(after.angular[i], before.angular[i], 1e-11 * L);
        }
        CHECK_RELATIVE(after.energy, before.energy, 1e-11);
        CHECK_RELATIVE(hit.at("energy_before").get<double>(), before.energy, 1e-13);
        // A sphere is not turned by a force through its centre, others are.
        const Three spin = bodies.at(1).at("angular_velocity");
        CHECK((std::sqrt(dot(spin, spin)) > 1.0) == turns);
    }
}

TEST_CASE("collide: superellipsoids write a trajectory") {
    const Folder folder;
    write_file(folder / "case.toml", box(cube, flying) + box(cube, waiting) + law);
    const Said said = shell(folder, "beadwave collide case.toml --trajectory t.csv");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const std::string rows = read_file(folder / "t.csv");
    CHECK(rows.starts_with("time_s,overlap_m,approach_speed_m_per_s,force_N\n0"));
    CHECK(std::count(rows.begin(), rows.end(), '\n') > 20);
}

TEST_CASE("collide: a superellipsoid flat on a wall is refused, and one nearly so warned of") {
    const auto landing = [](const char* orientation) {
        return box(cube, fmt::format("position = [0.0, 0.0, 0.01]\nvelocity = [0.0, 0.0, "
                                     "-1.0]\norientation = {}",
                                     orientation)) +
               wall + law;
    };
    const Said flat = collide(landing("[1.0, 0.0, 0.0, 0.0]"));
    CHECK(flat.status == 2);
    CHECK(flat.out.empty());
    CHECK(flat.err ==
          "beadwave: case.toml:2: body: the bodies touch flat on flat: their relative curvatures "
          "at the point of contact are 0 and 0 1/m, and Hertz's contact exists only where both are "
          "more than 1e-6 over the size of the bodies (0.000114 1/m); expected a curved place of "
          "one body\n");
    const Said edge = collide(landing("[0.96, 0.28, 0.0, 0.0]"));
    CHECK(edge.status == 2);
    CHECK(edge.err.find("touch along a line") != std::string::npos);
    // Turned by 0.02 rad about two axes.
    const std::string near = landing("[0.9999, 0.01, 0.01, 0.0]");
    const Said warned = collide(near);
    REQUIRE_MESSAGE(warned.status == 0, warned.err);
    CHECK_MESSAGE(warned.err.find("the curvatures are not the same all over the contact ellipse") !=
                      std::string::npos,
                  warned.err);
    CHECK(json::parse(warned.out).at("warnings").back().get<std::string>().find("axis ratio") !=
          std::string::npos);
    // A gentle impact stays where the paraboloid holds.
    const Said gentle = collide(near, "--json --set body.0.velocity=[0.0,0.0,-1e-7]");
    REQUIRE_MESSAGE(gentle.status == 0, gentle.err);
    CHECK(gentle.err.find("the curvatures") == std::string::npos);
    // An ellipsoid is warned of nothing.
    CHECK(result_of(box("shape = \"ellipsoid\"", flying) + wall + law).at("warnings").empty());
}

}  // namespace beadwave::validation::superellipsoids_collide_test

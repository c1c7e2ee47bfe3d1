// Half-width and pressure of contacts of spheres and cylinders, beside Hertz's closed forms and the
// equations that the pressure must obey.

#include "beadwave/laws/contact_patch.hpp"

#include "io/scenario/case_reader.hpp"
#include "relative.hpp"
#include "tasks/collide.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace beadwave::validation::contact_patch_test {

namespace {

using std::numbers::pi;

constexpr laws::Elasticity steel{.youngs_modulus = 2.1e11, .poisson_ratio = 0.3};
constexpr double modulus = 2.1e11 / (2.0 * (1.0 - 0.09));

nlohmann::ordered_json hit(const std::string& bodies, const std::string& law,
                           std::vector<std::string>* warnings = nullptr) {
    const tasks::CollisionResult result = tasks::collide_text(
        "speed = 0.05\n" + bodies + "[law]\nname = \"" + law + "\"\n", "case.toml", {}, false);
    if (warnings != nullptr) *warnings = result.warnings();
    return result.json();
}

std::string body(const std::string& name, const std::string& shape) {
    return "[body." + name + "]\n" + shape +
           "\nmass = 0.02\nyoungs_modulus = 2.1e11\npoisson_ratio = 0.3\n";
}

}  // namespace

TEST_CASE("collide gives the contact circle of two spheres and its pressure") {
    for (const auto& [other, radius] :
         {std::pair{"radius = 0.03", 0.01 * 0.03 / 0.04}, std::pair{"flat = true", 0.01},
          std::pair{"radius = 0.03\nconcave = true", 0.01 * 0.03 / 0.02}}) {
        const auto json = hit(body("a", "radius = 0.01") + body("b", other), "hertz");
        CHECK(json.at("contact") == "point");
        const double d = json.at("max_overlap"), F = json.at("max_force");
        const double a = json.at("ellipse").at("semi_major");
        // At the turn of a Hertz contact the force is that of the overlap: a = sqrt(R d).
        CHECK_RELATIVE(a, std::sqrt(radius * d), 1e-9);
        CHECK_RELATIVE(a, std::cbrt(3.0 * F * radius / (4.0 * modulus)), 1e-12);
        CHECK(json.at("ellipse").at("semi_minor") == a);
        const double p = json.at("ellipse").at("largest_pressure");
        CHECK_RELATIVE(p, 3.0 * F / (2.0 * pi * a * a), 1e-12);
        CHECK_RELATIVE(p, 2.0 * modulus / pi * a / radius, 1e-12);
    }
}

TEST_CASE("a circle is the ellipse whose axes are equal") {
    const laws::ContactEllipse circle = laws::contact_circle(0.0075);
    const laws::ContactEllipse ellipse = laws::contact_ellipse({0.01, 0.01}, {0.03, 0.03}, 0.4);
    CHECK_RELATIVE(circle.semi_major(300.0, modulus), ellipse.semi_major(300.0, modulus), 1e-12);
    CHECK_RELATIVE(circle.largest_pressure(300.0, modulus),
                   ellipse.largest_pressure(300.0, modulus), 1e-12);
    CHECK_RELATIVE(circle.equivalent_radius, ellipse.equivalent_radius, 1e-12);
}

TEST_CASE("collide gives the strip of two cylinders and its pressure, under each law") {
    const std::string pin = "radius = 4.75e-3\nlength = 15e-3";
    for (const auto& [other, radius, law] :
         {std::tuple{"radius = 5e-3\nlength = 20e-3\nconcave = true", 4.75e-3 * 5e-3 / 0.25e-3,
                     "johnson"},
          std::tuple{"radius = 5e-3\nlength = 20e-3", 4.75e-3 * 5e-3 / 9.75e-3, "hertz"},
          std::tuple{"radius = 5e-3\nlength = 20e-3\nconcave = true", 4.75e-3 * 5e-3 / 0.25e-3,
                     "liu"}}) {
        const auto json = hit(body("a", pin) + body("b", other), law);
        const double f = json.at("max_force").get<double>() / 15e-3;
        const double a = json.at("strip").at("half_width");
        const double p = json.at("strip").at("largest_pressure");
        CHECK_RELATIVE(a, std::sqrt(4.0 * f * radius / (pi * modulus)), 1e-12);
        CHECK_RELATIVE(p, 2.0 * f / (pi * a), 1e-12);
    }
}

TEST_CASE("the pressure of a strip adds up to the force and bends the surfaces into each other") {
    const laws::LineContact contact = laws::internal_line_contact(
        {.radius = 4.75e-3, .length = 15e-3, .mass = 0.1, .elasticity = steel},
        {.radius = 5e-3, .length = 20e-3, .mass = 0.1, .elasticity = steel});
    const double force = 900.0;
    const laws::ContactStrip strip = laws::contact_strip(contact, force);
    const double a = strip.half_width;
    CHECK(strip.pressure(0.0) == strip.largest_pressure);
    CHECK(strip.pressure(1.01 * a) == 0.0);
    // At Chebyshev's points sums are integrals of a root times a polynomial: x = a cos(theta).
    constexpr int n = 64;
    const auto node = [&](int k) { return std::cos(pi * k / (n + 1)); };
    const auto weight = [&](int k) { return pi / (n + 1) * std::sin(pi * k / (n + 1)); };
    double sum = 0.0;
    for (int k = 1; k <= n; ++k)
        sum += weight(k) * a * strip.pressure(a * node(k));
    CHECK_RELATIVE(sum * contact.length, force, 1e-12);
    // The slope of the gap closes: (2/(pi E*)) PV int p(s)/(x - s) ds = x/R [Johnson Eq. (2.24)].
    // Between the points, at x = a cos(pi (j + 1/2)/(n + 1)), the sum is the principal value.
    for (const int j : {3, 17, 30, 50}) {
        const double x = a * std::cos(pi * (j + 0.5) / (n + 1));
        double integral = 0.0;
        for (int k = 1; k <= n; ++k)
            integral += weight(k) * a * strip.pressure(a * node(k)) / (x - a * node(k));
        CHECK_RELATIVE(2.0 / (pi * modulus) * integral, x / contact.radius, 1e-10);
    }
    CHECK_RELATIVE(laws::smaller_radius(contact), 4.75e-3, 1e-12);
    const laws::Cylinder small{.radius = 2e-3, .length = 1e-2, .mass = 0.1, .elasticity = steel};
    const laws::Cylinder large{.radius = 7e-3, .length = 1e-2, .mass = 0.1, .elasticity = steel};
    CHECK_RELATIVE(laws::smaller_radius(laws::external_line_contact(large, small)), 2e-3, 1e-12);
    CHECK_RELATIVE(laws::smaller_radius(laws::external_line_contact(large, large)), 7e-3, 1e-7);
    const laws::Cylinder flat{.radius = std::numeric_limits<double>::infinity(),
                              .length = 1e-2,
                              .mass = 0.1,
                              .elasticity = steel};
    CHECK(laws::smaller_radius(laws::external_line_contact(small, flat)) == 2e-3);
}

TEST_CASE("laws that yield or adhere, and contacts without radius, show no pressure of Hertz") {
    const std::string yields = "yield_stress = 9e8\n";
    const std::string balls =
        body("a", "radius = 0.01") + yields + body("b", "radius = 0.03") + yields;
    CHECK(hit(balls, "hertz").contains("ellipse"));
    CHECK_FALSE(hit(balls, "ma-liu").contains("ellipse"));
    CHECK_FALSE(hit(balls, "dmt\"\nadhesion_energy = 0.1 # \"").contains("ellipse"));
    const std::string stiffness = "[contact]\nstiffness = 1e9\neffective_mass = 0.01\n";
    CHECK_FALSE(hit(stiffness, "hertz").contains("ellipse"));
    CHECK(hit(stiffness + "effective_radius = 0.01\n", "hertz").contains("ellipse"));
}

TEST_CASE("a contact that is wide beside the smaller body says that its pressure does not hold") {
    const auto warnings = [&](const std::string& hole) {
        std::vector<std::string> all;
        hit(body("a", "radius = 0.01\nlength = 0.02") +
                body("b", "radius = " + hole + "\nlength = 0.02\nconcave = true"),
            "liu", &all);
        return all;
    };
    CHECK(warnings("0.011").empty());
    const auto wide = warnings("0.01000001");
    REQUIRE(wide.size() == 1);
    CHECK(wide[0].find("holds far below the radius of the smaller body (0.01 m): half-width and "
                       "pressure do not hold") != std::string::npos);
}

}  // namespace beadwave::validation::contact_patch_test

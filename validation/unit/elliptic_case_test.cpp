// Collision cases whose bodies have two radii of curvature, or are cylinders that cross.

#include "beadwave/input_error.hpp"
#include "beadwave/laws/elliptic_contact.hpp"
#include "io/scenario/case_reader.hpp"
#include "relative.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>

namespace beadwave::validation::elliptic_case_test {
namespace {

constexpr double straight = std::numeric_limits<double>::infinity();

std::string body(const std::string& name, const std::string& shape) {
    return fmt::format("[body.{}]\n{}\nmass = 0.02\nyoungs_modulus = 2e11\npoisson_ratio = 0.3\n",
                       name, shape);
}

io::CollisionCase read(const std::string& a, const std::string& b, const std::string& head = "",
                       const std::string& law = "hertz") {
    return io::read_case_text(
        "speed = 1\n" + head + body("a", a) + body("b", b) + "[law]\nname = \"" + law + "\"\n",
        "case.toml");
}

std::string error_of(const std::string& a, const std::string& b, const std::string& head = "",
                     const std::string& law = "hertz") {
    try {
        read(a, b, head, law);
        return "no error";
    } catch (const InputError& error) {
        return error.what();
    }
}

void check_same(const io::CollisionCase& c, const laws::ContactEllipse& expected) {
    REQUIRE(c.ellipse);
    CHECK(c.ellipse->equivalent_radius == expected.equivalent_radius);
    CHECK(c.contact.axis_ratio == expected.axis_ratio);
    CHECK(c.contact.radius == expected.equivalent_radius);
    CHECK_RELATIVE(c.contact.mass, 0.01, 1e-15);
    CHECK(c.warnings.empty());
}

}  // namespace

TEST_CASE("a ball in a groove, a ball on a ring and crossed cylinders have their ellipses") {
    check_same(read("radius = 0.01", "radius = 0.012\nconcave = true\nstraight = true"),
               laws::contact_ellipse({0.01, 0.01}, {-0.012, straight}, 0.0));
    check_same(read("radius = 0.01", "radius = 0.05\nsecond_radius = -0.0105"),
               laws::contact_ellipse({0.01, 0.01}, {0.05, -0.0105}, 0.0));
    const std::string roller = "radius = 0.01\nlength = 0.03";
    check_same(read(roller, roller, "angle = 0.7\n"),
               laws::contact_ellipse({0.01, straight}, {0.01, straight}, 0.7));
    CHECK(read(roller, roller, "", "johnson").line);
    CHECK_FALSE(read(roller, roller, "", "johnson").ellipse);
    CHECK_FALSE(read("radius = 0.01", "radius = 0.02").ellipse);
}

TEST_CASE("keys of curvature that contradict each other, or have no effect, are named") {
    const std::string ball = "radius = 0.01";
    CHECK(error_of(ball, "radius = 0.02\nsecond_radius = 0.0") ==
          "case.toml:9: body.b.second_radius = 0.0: must be a number other than 0, in m");
    CHECK(error_of(ball, "flat = true\nstraight = true") ==
          "case.toml:9: body.b.straight = true: a flat is straight in every direction");
    CHECK(error_of(ball, "radius = 0.02\nsecond_radius = 0.03\nstraight = true") ==
          "case.toml:10: body.b.straight = true: is given together with second_radius; give one of "
          "them");
    CHECK(
        error_of("radius = 0.01\nlength = 0.03", "radius = 0.01\nlength = 0.03\nstraight = true") ==
        "case.toml:11: body.b.straight = true: a cylinder with a length is straight along it");
    CHECK(error_of(ball, "radius = 0.02\nsecond_radius = -0.009") ==
          "case.toml:2: body: the surfaces do not fit: one would touch the other all around its "
          "hollow");
    CHECK(read(ball, ball, "angle = 0.3\n").warnings ==
          std::vector<std::string>{
              "angle has no effect: round bodies look the same from every side"});
}

TEST_CASE("laws that need a circle are refused for an ellipse by the reader") {
    CHECK(error_of("radius = 0.01", "radius = 0.02\nstraight = true\nyield_stress = 1e9", "",
                   "ma-liu")
              .starts_with("case.toml:15: law.name = \"ma-liu\": law \"ma-liu\" yields under the "
                           "pressure on a circle"));
    CHECK(error_of("radius = 0.01\nlength = 0.03", "radius = 0.01\nlength = 0.03", "angle = 0.5\n",
                   "johnson")
              .find("is a law of line contacts") != std::string::npos);
}

}  // namespace beadwave::validation::elliptic_case_test

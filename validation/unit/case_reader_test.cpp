#include "io/scenario/case_reader.hpp"

#include "bad_collisions.hpp"
#include "beadwave/input_error.hpp"
#include "program.hpp"
#include "relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::case_reader_test {
namespace {

using Overrides = std::vector<std::string>;

constexpr std::string_view ball_on_flat = R"(speed = 1
[body.a]
radius = 0.01
density = 8000
youngs_modulus = 2e11
poisson_ratio = 0.3
[body.b]
flat = true
fixed = true
mass = 5
youngs_modulus = 1e11
poisson_ratio = 0.25
yield_stress = 5e8
[law]
name = "hertz"
)";

io::CollisionCase read(std::string_view text, const Overrides& overrides = {}) {
    const Folder folder;
    write_file(folder / "case.toml", std::string(text));
    return io::read_case(folder / "case.toml", overrides);
}

std::string error_of(std::string_view text, const Overrides& overrides) {
    const Folder folder;
    const std::string path = (folder / "case.toml").string();
    write_file(path, std::string(text));
    try {
        io::read_case(path, overrides);
        return "no error";
    } catch (const InputError& error) {
        return without_path(error.what(), path);
    }
}

void check_refused(std::string_view right_text, const std::vector<BadInput>& inputs) {
    CHECK_NOTHROW(read(right_text));
    for (const BadInput& input : inputs) {
        CAPTURE(input.name);
        CHECK(error_of(spoiled(right_text, input), input.sets) == input.message);
    }
}

}  // namespace

TEST_CASE("the documented collision is a ball that hits a fixed socket") {
    const io::CollisionCase c = read(right_collision);
    CHECK(c.warnings.empty());
    CHECK(c.speed == 4.0);
    CHECK(c.law.name == "flores");
    CHECK(c.law.number("restitution") == 0.6909);
    const double modulus = 1.0 / ((1.0 - 0.33 * 0.33) / 6.5e10 + (1.0 - 0.29 * 0.29) / 2e11);
    const double radius = 2.00e-2 * 2.05e-2 / (2.05e-2 - 2.00e-2);
    CHECK_RELATIVE(c.contact.modulus, modulus, 1e-14);
    CHECK_RELATIVE(c.contact.radius, radius, 1e-13);
    CHECK_RELATIVE(c.contact.mass, 0.2614, 1e-14);
    CHECK_RELATIVE(c.contact.stiffness, 4.0 / 3.0 * modulus * std::sqrt(radius), 1e-13);
    CHECK(c.contact.yield_stress == 3.0e7);
}

TEST_CASE("which of the two bodies is the socket does not matter") {
    const std::string turned = [] {
        std::string text(right_collision);
        text.replace(text.find("[body.a]"), 8, "[body.x]");
        text.replace(text.find("[body.b]"), 8, "[body.a]");
        return text.replace(text.find("[body.x]"), 8, "[body.b]");
    }();
    CHECK(read(turned).contact.radius == read(right_collision).contact.radius);
    CHECK(read(turned).contact.stiffness == read(right_collision).contact.stiffness);
}

TEST_CASE("a ball's mass follows from its density, a flat has no curvature") {
    const io::CollisionCase c = read(ball_on_flat);
    CHECK_RELATIVE(c.contact.mass, 4.0 / 3.0 * std::numbers::pi * 1e-6 * 8000, 1e-14);
    CHECK_RELATIVE(c.contact.radius, 0.01, 1e-14);
    CHECK(c.contact.yield_stress == 5e8);
    CHECK(c.warnings == Overrides{"body.b.mass has no effect: the body is fixed"});
    CHECK(read(ball_on_flat, {"body.b.fixed=false", "body.b.density=1"}).warnings ==
          Overrides{"body.b.density has no effect: the body has a mass"});
}

TEST_CASE("a missing impact speed is the speed of the collision") {
    CHECK(read(right_collision).law.number("impact_speed") == 4.0);
    CHECK(read(right_collision, {"speed=2"}).law.number("impact_speed") == 2.0);
    CHECK(read(right_collision, {"law.impact_speed=initial"}).law.number("impact_speed") == 4.0);
    CHECK(read(right_collision, {"law.impact_speed=3"}).law.number("impact_speed") == 3.0);
    CHECK(read(right_collision, {"law.impact_speed=per-contact"})
              .law.is("impact_speed", "per-contact"));
    CHECK_FALSE(read(right_contact).law.values.contains("impact_speed"));
}

TEST_CASE("a contact may be given by stiffness and mass alone") {
    const laws::Contact contact = read(right_contact).contact;
    CHECK(contact.stiffness == 1e9);
    CHECK(contact.mass == 0.1);
    CHECK(contact.radius == 0.0);
    CHECK(contact.modulus == 0.0);
    CHECK(contact.yield_stress == 0.0);
}

TEST_CASE("radius and modulus of a contact follow from each other") {
    const laws::Contact by_radius = read(right_contact, {"contact.effective_radius=0.04"}).contact;
    CHECK_RELATIVE(by_radius.modulus, 3.75e9, 1e-14);
    const laws::Contact by_modulus =
        read(right_contact, {"contact.effective_modulus=3.75e9"}).contact;
    CHECK_RELATIVE(by_modulus.radius, 0.04, 1e-14);
    const laws::Contact by_both = read(right_contact, {"contact.effective_radius=0.04",
                                                       "contact.effective_modulus=3750000001"})
                                      .contact;
    CHECK(by_both.modulus == 3750000001.0);
    CHECK_NOTHROW(read(right_contact, {"law.name=ma-liu", "contact.yield_stress=1e9",
                                       "contact.effective_radius=0.04"}));
}

TEST_CASE("a wrong collision case is refused in one clear sentence") {
    check_refused(right_collision, bad_collisions());
    check_refused(right_contact, bad_contacts());
}

}  // namespace beadwave::validation::case_reader_test

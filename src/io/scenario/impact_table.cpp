#include "io/scenario/impact_table.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace beadwave::io {
namespace {

/// Mass [kg] and moment of inertia [kg m^2] of what does not move.
constexpr double of_plane = std::numeric_limits<double>::infinity();

// ---- shapes ----

enum class Shape { sphere, disc, rod, body, plane };

/// What the file gives of one body.
struct Given {
    Shape shape = Shape::sphere;
    std::optional<double> mass{}, radius{}, length{}, inertia{};
    double angle = 0.5 * std::numbers::pi;  ///< of a rod [rad]
    std::optional<std::array<double, 2>> contact{};
    double angular_velocity = 0.0;
};

const Key mass_key =
    named("mass", above_zero("kg").otherwise("needed, unless it is a plane"), "mass");
const Key radius_key =
    named("radius", above_zero("m").otherwise("needed for a sphere or disc"), "radius");
const Key length_key = named("length", above_zero("m").otherwise("needed for a rod"), "length");
const Key inertia_key =
    named("inertia", above_zero("kg m^2").otherwise("that of the uniform shape"),
          "moment of inertia about the centre of mass; a body needs one");
const Key contact_key =
    named("contact", vector2("m").otherwise("needed for a body"),
          "body: from the centre of mass to the contact, along tangent and normal");

/// Which keys the shapes do not have.
void check_keys(const TomlTable& table, const Given& given, Reading& reading) {
    const auto only = [&](const Key& key, bool used) {
        if (!used && table.has(key.name))
            reading.no_effect(table.key(key.name), "this shape does not use it");
    };
    const bool round = given.shape == Shape::sphere || given.shape == Shape::disc;
    only(mass_key, given.shape != Shape::plane);
    only(inertia_key, given.shape != Shape::plane);
    only(radius_key, round);
    only(length_key, given.shape == Shape::rod);
    only(plain("angle", Kind::number), given.shape == Shape::rod);
    only(contact_key, given.shape == Shape::body);
}

/// `side`: 1 for the first body, which is above the contact, and -1 for the second.
laws::PlanarBody body_of(const TomlTable& table, const Given& given, double side,
                         Reading& reading) {
    check_keys(table, given, reading);
    laws::PlanarBody body{.mass = of_plane,
                          .inertia = of_plane,
                          .contact = {},
                          .angular_velocity = given.angular_velocity};
    if (given.shape == Shape::plane) return body;
    body.mass = table.need(given.mass, mass_key);
    switch (given.shape) {
        case Shape::sphere:
        case Shape::disc: {
            const double radius = table.need(given.radius, radius_key);
            body.inertia = (given.shape == Shape::sphere ? 0.4 : 0.5) * body.mass * radius * radius;
            body.contact = {0.0, -side * radius};
            break;
        }
        case Shape::rod: {
            const double length = table.need(given.length, length_key);
            body.inertia = body.mass * length * length / 12.0;
            body.contact = {-0.5 * side * length * std::cos(given.angle),
                            -0.5 * side * length * std::sin(given.angle)};
            break;
        }
        case Shape::body:
        case Shape::plane:
            body.contact = table.need(given.contact, contact_key);
            body.inertia = table.need(given.inertia, inertia_key);
    }
    if (given.inertia) body.inertia = *given.inertia;
    return body;
}

Table<Given> planar_body_table() {
    Table<Given> t;
    t.add("shape", words({"sphere", "disc", "rod", "body", "plane"}), &Given::shape,
          "rod: uniform and thin, touches with one end; body: any, by its `inertia` and `contact`; "
          "plane: does not move; at most one of the two");
    t.add(mass_key, &Given::mass);
    t.add(radius_key, &Given::radius);
    t.add(length_key, &Given::length);
    t.add("angle", any_number("rad"), &Given::angle,
          "rod: from the tangent to the rod, seen from its end at the contact (second body: half a "
          "turn more)");
    t.add(inertia_key, &Given::inertia);
    t.add(contact_key, &Given::contact);
    return t.add("angular_velocity", any_number("rad/s"), &Given::angular_velocity,
                 "before the impact, anticlockwise; `slip_speed` contains it already");
}

}  // namespace

Table<ImpactCase> impact_table() {
    static const Table<Given> body = planar_body_table();
    const auto row = [](laws::PlanarBody ImpactCase::*place, double side) {
        return [=](const TomlTable& table, const Key& key, ImpactCase& impact, Reading& reading) {
            const TomlTable inner = table.need(table.table(key.name), key);
            Given given;
            body.read(inner, given, reading);
            impact.*place = body_of(inner, given, side, reading);
        };
    };
    Table<ImpactCase> t;
    t.add("restitution", between(0.0, 1.0).needed(), &ImpactCase::restitution,
          "coefficient of restitution, taken in each of the three definitions");
    t.add("friction", from_zero("-"), &ImpactCase::friction, "Coulomb friction coefficient mu");
    t.add("slip_speed", any_number("m/s"), &ImpactCase::slip_speed,
          "tangential speed of the first body relative to the second at the contact, before it");
    Key first = plain("a", Kind::table, "the first body, above the contact")
                    .needed("[impact.a] and [impact.b]");
    Key second = plain("b", Kind::table, "the second body, below it: takes the keys of `impact.a`")
                     .needed("[impact.a] and [impact.b]")
                     .like("a");
    first.children = second.children = body.keys();
    t.row(std::move(first), row(&ImpactCase::first, 1.0));
    t.row(std::move(second), row(&ImpactCase::second, -1.0));
    return t.rule([](const TomlTable& table, const ImpactCase& impact, const Reading&) {
        if (std::isinf(impact.first.mass) && std::isinf(impact.second.mass))
            table.fail("b.shape", "impact.a is a plane already; at least one body must move");
    });
}

}  // namespace beadwave::io

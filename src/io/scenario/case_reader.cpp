#include "io/scenario/case_reader.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/impact_limit.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "io/scenario/common_tables.hpp"
#include "io/scenario/law_reader.hpp"
#include "io/toml/toml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <tuple>
#include <utility>

namespace beadwave::io {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// ---- bodies ----

struct Body {
    double radius = infinity;               ///< [m]; infinite: a flat
    std::optional<double> mass{};           ///< [kg], given
    std::optional<double> length{};         ///< [m], of a cylinder
    std::optional<double> second_radius{};  ///< [m], below 0: hollow
    std::optional<double> density{};        ///< [kg/m^3], given or a ball's
    laws::Elasticity elasticity{};
    bool flat = false;
    bool fixed = false;
    bool concave = false;
    bool straight = false;

    /// [kg]; infinite: fixed
    double inertia() const { return fixed ? infinity : *mass; }
    /// Whether the second principal radius is another one.
    bool has_second() const { return second_radius || straight; }
    laws::PrincipalRadii radii() const {
        const double first = concave ? -radius : radius;
        return {first, straight || length ? infinity : second_radius.value_or(first)};
    }
};

/// Volume of a solid body [m^3]; no value for a flat or a socket.
std::optional<double> volume(const Body& body) {
    using std::numbers::pi;
    if (body.flat || body.concave || body.has_second()) return std::nullopt;
    if (body.length) return pi * body.radius * body.radius * *body.length;
    return 4.0 / 3.0 * pi * std::pow(body.radius, 3);
}

double mass_by_density(const TomlTable& table, const Body& body) {
    if (!body.density)
        table.fail("mass", "missing; give a number above 0, in kg, or a density, or fixed = true");
    const auto full = volume(body);
    if (!full) {
        table.fail("mass", fmt::format("missing; a density determines it only for a {}",
                                       body.length ? "full cylinder" : "ball"));
    }
    return *full * *body.density;
}

Table<Body> body_table() {
    const Key radius = named("radius", above_zero("m"), "radius")
                           .otherwise("needed, unless the body is flat")
                           .needed("a number above 0, in m, or flat = true");
    Table<Body> t;
    t.add("flat", of(Kind::flag), &Body::flat,
          "`true`: a half-space; at most one of the two bodies");
    t.add("concave", of(Kind::flag), &Body::concave,
          "`true`: a socket, or with `length` a hole; larger than the body inside; at most one of "
          "the two bodies");
    t.add("fixed", of(Kind::flag), &Body::fixed,
          "`true`: the body does not move; at most one of the two bodies");
    t.row(radius, [](const TomlTable& table, const Key& key, Body& body, const Reading&) {
        if (body.flat && table.has("radius"))
            table.fail("radius", "a flat has none; give radius or flat = true, not both");
        if (body.flat && body.concave)
            table.fail("concave", "a flat is not a socket; give one of concave and flat");
        if (!body.flat) body.radius = table.need(table.number(key), key);
    });
    t.add("length", above_zero("m"), &Body::length,
          "length of a cylinder: both bodies have one, or neither");
    t.add(
        "second_radius", any_number("m").ranges("not 0").otherwise("`radius`"),
        &Body::second_radius,
        "radius of curvature across the first, where the body touches the other; below 0: hollow");
    t.add("straight", of(Kind::flag), &Body::straight,
          "`true`: straight across the first radius, as a cylinder or a groove");
    t.add("density", above_zero("kg/m^3"), &Body::density, "density");
    t.add("mass", above_zero("kg").otherwise("mass of a ball or full cylinder of this density"),
          &Body::mass, "mass; a fixed body needs none");
    t.include(elasticity_table(), &Body::elasticity);
    return t.rule([](const TomlTable& table, Body& body, Reading& reading) {
        if (body.flat && body.length)
            table.fail("length", "a flat has none: a line contact has two cylinders");
        if (body.second_radius == 0.0)
            table.fail("second_radius", "must be a number other than 0, in m");
        for (const char* key : {"second_radius", "straight"}) {
            if (!table.has(key) || !body.has_second()) continue;
            if (body.flat) table.fail(key, "a flat is straight in every direction");
            if (body.length) table.fail(key, "a cylinder with a length is straight along it");
        }
        if (body.second_radius && body.straight)
            table.fail("straight", "is given together with second_radius; give one of them");
        if (body.fixed && body.mass) reading.no_effect(table.key("mass"), "the body is fixed");
        if (body.density && (body.fixed || body.mass)) {
            reading.no_effect(table.key("density"),
                              body.fixed ? "the body is fixed" : "the body has a mass");
        }
        if (!body.fixed && !body.mass) body.mass = mass_by_density(table, body);
        if (!body.density && !body.fixed && volume(body)) body.density = *body.mass / *volume(body);
    });
}

/// The two bodies; b is the concave one if there is one.
struct Bodies {
    Body a, b;
};

Table<Bodies> bodies_table() {
    const std::string wanted = "[body.a] and [body.b]";
    Table<Bodies> t;
    t.table(plain("a", Kind::table, "the first body").needed(wanted), &Bodies::a, body_table());
    t.table(plain("b", Kind::table, "takes the same keys as `body.a`").needed(wanted).like("a"),
            &Bodies::b, body_table());
    return t.rule([](const TomlTable& both, Bodies& bodies, const Reading&) {
        const auto& [a, b] = bodies;
        if (a.fixed && b.fixed)
            both.fail("b.fixed", "body.a is fixed already; at least one body must move");
        if (a.flat && b.flat)
            both.fail("b.flat", "body.a is flat already; at least one body must be round");
        if (a.concave && b.concave)
            both.fail("b.concave", "body.a is concave already; a socket holds a ball");
        if (a.length.has_value() != b.length.has_value()) {
            both.fail(a.length ? "b.length" : "a.length",
                      "missing; the other body has one: give both, in m, or neither");
        }
        if (!a.concave && !b.concave) return;
        const auto& [inner, hole] = a.concave ? std::tie(b, a) : std::tie(a, b);
        const std::string key = a.concave ? "a.radius" : "b.radius";
        if (inner.flat) both.fail(key, "a flat does not fit into a socket");
        if (!(hole.radius > inner.radius)) {
            both.fail(key, fmt::format("must exceed the {0}'s radius, {2} m: the {1} holds the {0}",
                                       inner.length ? "pin" : "ball",
                                       inner.length ? "hole" : "socket", inner.radius));
        }
        if (a.concave) std::swap(bodies.a, bodies.b);
    });
}

laws::Contact contact_of(const Bodies& bodies) {
    const auto& [a, b] = bodies;
    const auto contact = b.concave ? laws::socket_contact : laws::sphere_contact;
    return contact(a.radius, a.inertia(), a.elasticity, b.radius, b.inertia(), b.elasticity);
}

std::optional<laws::LineContact> line_contact_of(const Bodies& bodies) {
    if (!bodies.a.length) return std::nullopt;
    const auto cylinder = [](const Body& body) {
        return laws::Cylinder{.radius = body.radius,
                              .length = *body.length,
                              .mass = body.inertia(),
                              .elasticity = body.elasticity};
    };
    const auto contact =
        bodies.b.concave ? laws::internal_line_contact : laws::external_line_contact;
    return contact(cylinder(bodies.a), cylinder(bodies.b));
}

/// Bodies with two radii of curvature, and cylinders that cross.
bool is_elliptic(const Bodies& bodies, double angle) {
    const auto& [a, b] = bodies;
    return a.has_second() || b.has_second() || (a.length && angle != 0.0);
}

/// Sets the elliptic contact.
void read_ellipse(const TomlTable& root, const Bodies& bodies, double angle,
                  CollisionCase& collision) {
    const auto& [a, b] = bodies;
    try {
        collision.ellipse = laws::contact_ellipse(a.radii(), b.radii(), angle);
    } catch (const ArgumentError& error) {
        root.fail(root.has("angle") || a.length ? "angle" : "body", error.what());
    }
    for (const Body* body : {&a, &b}) {
        if (body->length)
            collision.shortest_length =
                std::min(collision.shortest_length.value_or(*body->length), *body->length);
    }
    collision.contact = laws::elliptic_contact(*collision.ellipse, a.inertia(), a.elasticity,
                                               b.inertia(), b.elasticity);
}

/// The smaller elastic_impact_speed() of the bodies whose density is known [m/s].
std::optional<double> impact_limit_of(const Bodies& bodies) {
    std::optional<double> least;
    for (const Body* body : {&bodies.a, &bodies.b}) {
        if (!body->density) continue;
        const double limit =
            laws::elastic_impact_speed(body->elasticity.youngs_modulus, *body->density);
        least = std::min(least.value_or(limit), limit);
    }
    return least;
}

/// The body with the lower yield stress; null if neither has one.
const Body* yielding_body(const Bodies& bodies) {
    const double a = bodies.a.elasticity.yield_stress;
    const double b = bodies.b.elasticity.yield_stress;
    if (a == 0.0 && b == 0.0) return nullptr;
    return a != 0.0 && (b == 0.0 || a <= b) ? &bodies.a : &bodies.b;
}

// ---- a contact given as such ----

Table<laws::Contact> contact_table() {
    using laws::Contact;
    Table<Contact> t;
    t.add("stiffness", above_zero("N/m^1.5").needed(), &Contact::stiffness,
          "replaces the two bodies");
    t.add("effective_mass", above_zero("kg").needed(), &Contact::mass, "effective mass");
    t.add("effective_radius", above_zero("m").otherwise("from the modulus"), &Contact::radius,
          "effective radius; elastoplastic laws need this or the modulus");
    t.add("effective_modulus", above_zero("Pa").otherwise("from the radius"), &Contact::modulus,
          "effective modulus; if both are given they must agree with K = (4/3) E sqrt(R)");
    t.add("yield_stress", above_zero("Pa").otherwise("none"), &Contact::yield_stress,
          "yield stress");
    return t.rule([](const TomlTable& table, Contact& contact, const Reading&) {
        if (contact.radius > 0.0 && contact.modulus > 0.0) {
            const double implied = laws::hertz_stiffness(contact.modulus, contact.radius);
            if (std::abs(implied - contact.stiffness) > 1e-6 * contact.stiffness) {
                table.fail("stiffness",
                           fmt::format("effective_modulus and effective_radius make it {:.9g}, by "
                                       "K = (4/3) E sqrt(R); leave out one of the three",
                                       implied));
            }
        } else if (contact.radius > 0.0) {
            contact.modulus = contact.stiffness / laws::hertz_stiffness(1.0, contact.radius);
        } else if (contact.modulus > 0.0) {
            contact.radius =
                std::pow(contact.stiffness / laws::hertz_stiffness(contact.modulus, 1.0), 2);
        }
    });
}

/// What the file gives: the bodies, or their contact.
struct Draft {
    CollisionCase collision{};
    std::optional<Bodies> bodies;
    std::optional<laws::Contact> contact;
    double angle = 0.0;  ///< [rad]
};

/// Laws with yielding need more than the stiffness and mass of the contact.
void check_can_yield(const TomlTable& root, const CollisionCase& collision) {
    if (!laws::find(collision.law.name)->needs_yield_stress) return;
    const bool bodies = root.has("body");
    if (!(collision.contact.yield_stress > 0.0)) {
        root.fail("law.name",
                  fmt::format("{} needs a yield stress; give yield_stress, in Pa, in {}",
                              collision.law.name, bodies ? "[body.a] or [body.b]" : "[contact]"));
    }
    if (!(collision.contact.radius > 0.0)) {
        root.fail("law.name",
                  fmt::format("{} needs the effective radius; give effective_radius, in m, or "
                              "effective_modulus, in Pa, in [contact]",
                              collision.law.name));
    }
}

/// A law may not apply to these cylinders, or to an elliptic contact.
void check_law(const TomlTable& root, const CollisionCase& collision) {
    try {
        if (collision.line) laws::make_line(*collision.line, collision.law, collision.speed);
        if (collision.ellipse) laws::make(collision.contact, collision.law);
    } catch (const ArgumentError& error) {
        root.fail("law.name", error.what());
    }
}

const Table<Draft>& case_table() {
    static const Table<Draft> table = [] {
        Table<Draft> t;
        t.row(title_key().under("The collision"),
              [](const TomlTable& root, const Key& key, Draft&, Reading&) { root.text(key); });
        t.add(
            "speed", above_zero("m/s").needed(),
            [](Draft& draft) -> double& { return draft.collision.speed; }, "impact speed");
        t.add("angle", any_number("rad"), &Draft::angle,
              "between the axes of two cylinders, or between the directions of the two bodies' "
              "`radius`; cylinders that cross touch in a point, on an ellipse");
        t.rule([](const TomlTable& root, const Draft&, const Reading&) {
            if (root.has("body") && root.has("contact")) {
                root.fail("contact",
                          "is given together with [body]; give the two bodies or the contact, not "
                          "both");
            }
            for (const char* key : {"body", "contact", "law"}) {
                if (root.has("impact") && root.has(key)) {
                    root.fail(key,
                              "is given together with [impact]; the impact of rigid bodies has no "
                              "contact law");
                }
            }
            if (!root.has("body") && !root.has("contact") && !root.has("impact"))
                root.fail("body", "missing; give [body.a] and [body.b], or [contact], or [impact]");
        });
        t.table(plain("body", Kind::table, "the two bodies"), &Draft::bodies, bodies_table());
        t.table(plain("contact", Kind::table, "their contact, in place of the bodies"),
                &Draft::contact, contact_table());
        t.table(
            plain("impact", Kind::table,
                  "an impact of rigid bodies with friction, in place of bodies and law"),
            [](Draft & draft) -> auto& { return draft.collision.impact; }, impact_table());
        return t.known(Key(law_key()).optional().otherwise("needed without `impact`"));
    }();
    return table;
}

CollisionCase read(const TomlDocument& document, NamedFiles files) {
    const TomlTable root = document.root();
    Draft draft;
    Reading reading{.files = std::move(files)};
    case_table().read(root, draft, reading);
    CollisionCase& collision = draft.collision;
    if (collision.impact) {
        if (root.has("angle")) reading.no_effect("angle", "an impact has its own bodies");
        collision.warnings = std::move(reading.warnings);
        return std::move(collision);
    }
    if (draft.contact) {
        collision.contact = *draft.contact;
    } else {
        if (is_elliptic(*draft.bodies, draft.angle)) {
            read_ellipse(root, *draft.bodies, draft.angle, collision);
        } else {
            collision.contact = contact_of(*draft.bodies);
            collision.line = line_contact_of(*draft.bodies);
        }
        collision.impact_limit = impact_limit_of(*draft.bodies);
        if (const Body* yielding = yielding_body(*draft.bodies)) {
            collision.poisson_ratio = yielding->elasticity.poisson_ratio;
            collision.density = yielding->density;
        }
    }
    if (root.has("angle") && draft.angle != 0.0 && !collision.ellipse)
        reading.no_effect("angle", "round bodies look the same from every side");
    if (collision.line) {
        collision.law = read_line_law(root, reading);
        if (root.table("law")->has("min_impact_speed") && !collision.law.is("damping", "none"))
            reading.no_effect("law.min_impact_speed", "the impact speed of a collision is known");
        check_law(root, collision);
    } else {
        collision.law = read_law(root, collision.speed, reading);
        check_can_yield(root, collision);
        check_law(root, collision);
        if (draft.contact && collision.law.is("poisson_ratio", "bodies")) {
            reading.warnings.push_back(
                fmt::format("[contact] has no bodies: law.poisson_ratio is assumed to be {:g}",
                            laws::assumed_poisson_ratio));
        }
    }
    collision.warnings = std::move(reading.warnings);
    collision.file_texts = reading.files.texts();
    return std::move(collision);
}

}  // namespace

bool is_case(const TomlDocument& document) {
    const TomlTable root = document.root();
    if (root.has("body")) return root.has_table("body");
    return root.has_table("contact") || root.has_table("impact");
}

CollisionCase read_case(const TomlDocument& document, NamedFiles files) {
    return read(document, std::move(files));
}

std::vector<Key> case_keys() {
    return case_table().keys();
}

CollisionCase read_case(const std::filesystem::path& file, std::span<const std::string> overrides) {
    return read(load_toml(file, overrides), NamedFiles::relative_to(file));
}

CollisionCase read_case_text(std::string text, const std::string& name,
                             const std::optional<std::filesystem::path>& folder) {
    return read(parse_toml(std::move(text), name),
                folder ? NamedFiles::relative_to(*folder / name) : NamedFiles::from_texts({}));
}

}  // namespace beadwave::io

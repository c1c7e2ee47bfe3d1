#include "io/scenario/case_reader.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "io/scenario/elasticity_reader.hpp"
#include "io/scenario/law_reader.hpp"
#include "io/scenario/named_files.hpp"
#include "io/toml/number_range.hpp"
#include "io/toml/toml_document.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace beadwave::io {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Body {
    double radius = infinity;         ///< [m]; infinite: a flat
    double mass = infinity;           ///< [kg]; infinite: fixed
    std::optional<double> length{};   ///< [m], of a cylinder
    std::optional<double> density{};  ///< [kg/m^3], given or a ball's
    laws::Elasticity elasticity{};
    bool flat = false;
    bool fixed = false;
    bool concave = false;
};

// ---- bodies ----

/// Volume of a solid body [m^3]; no value for a flat or a socket.
std::optional<double> volume(const Body& body) {
    using std::numbers::pi;
    if (body.flat || body.concave) return std::nullopt;
    if (body.length) return pi * body.radius * body.radius * *body.length;
    return 4.0 / 3.0 * pi * std::pow(body.radius, 3);
}

double read_mass(const TomlTable& table, const Body& body) {
    const auto mass = table.number("mass", above_zero("kg"));
    if (body.fixed) return infinity;
    if (mass) return *mass;
    if (!body.density)
        table.fail("mass", "missing; give a number above 0, in kg, or a density, or fixed = true");
    const auto full = volume(body);
    if (!full) {
        table.fail("mass", fmt::format("missing; a density determines it only for a {}",
                                       body.length ? "full cylinder" : "ball"));
    }
    return *full * *body.density;
}

Body read_body(const TomlTable& table, std::vector<std::string>& warnings) {
    table.allow_only({"radius", "flat", "concave", "mass", "density", "fixed", "youngs_modulus",
                      "poisson_ratio", "yield_stress", "length"});
    Body body;
    body.flat = table.flag("flat").value_or(false);
    body.concave = table.flag("concave").value_or(false);
    body.fixed = table.flag("fixed").value_or(false);
    if (body.flat && table.has("radius"))
        table.fail("radius", "a flat has none; give radius or flat = true, not both");
    if (body.flat && body.concave)
        table.fail("concave", "a flat is not a socket; give one of concave and flat");
    if (!body.flat) {
        const laws::Parameter radius = above_zero("m");
        body.radius = table.need(table.number("radius", radius), "radius",
                                 radius.allowed() + ", or flat = true");
    }
    body.length = table.number("length", above_zero("m"));
    if (body.flat && body.length)
        table.fail("length", "a flat has none: a line contact has two cylinders");
    body.density = table.number("density", above_zero("kg/m^3"));
    body.mass = read_mass(table, body);
    if (!body.density && !body.fixed && volume(body)) body.density = body.mass / *volume(body);
    body.elasticity = read_elasticity(table);
    if (body.fixed && table.has("mass")) {
        warnings.push_back(fmt::format("{} has no effect: the body is fixed", table.key("mass")));
    }
    if (table.has("density") && (body.fixed || table.has("mass"))) {
        warnings.push_back(fmt::format("{} has no effect: the body {}", table.key("density"),
                                       body.fixed ? "is fixed" : "has a mass"));
    }
    return body;
}

/// The two bodies; b is the concave one if there is one.
struct Bodies {
    Body a, b;
};

Bodies read_bodies(const TomlTable& both, std::vector<std::string>& warnings) {
    both.allow_only({"a", "b"});
    const std::string_view wanted = "[body.a] and [body.b]";
    const Body a = read_body(both.need(both.table("a"), "a", wanted), warnings);
    const Body b = read_body(both.need(both.table("b"), "b", wanted), warnings);
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
    if (!a.concave && !b.concave) return {a, b};
    const auto& [inner, hole] = a.concave ? std::tie(b, a) : std::tie(a, b);
    const std::string key = a.concave ? "a.radius" : "b.radius";
    if (inner.flat) both.fail(key, "a flat does not fit into a socket");
    if (!(hole.radius > inner.radius)) {
        both.fail(key, fmt::format("must exceed the {0}'s radius, {2} m: the {1} holds the {0}",
                                   inner.length ? "pin" : "ball", inner.length ? "hole" : "socket",
                                   inner.radius));
    }
    return {inner, hole};
}

laws::Contact contact_of(const Bodies& bodies) {
    const auto& [a, b] = bodies;
    const auto contact = b.concave ? laws::socket_contact : laws::sphere_contact;
    return contact(a.radius, a.mass, a.elasticity, b.radius, b.mass, b.elasticity);
}

std::optional<laws::LineContact> line_contact_of(const Bodies& bodies) {
    if (!bodies.a.length) return std::nullopt;
    const auto cylinder = [](const Body& body) {
        return laws::Cylinder{.radius = body.radius,
                              .length = *body.length,
                              .mass = body.mass,
                              .elasticity = body.elasticity};
    };
    const auto contact =
        bodies.b.concave ? laws::internal_line_contact : laws::external_line_contact;
    return contact(cylinder(bodies.a), cylinder(bodies.b));
}

/// The body with the lower yield stress; null if neither has one.
const Body* yielding_body(const Bodies& bodies) {
    const double a = bodies.a.elasticity.yield_stress;
    const double b = bodies.b.elasticity.yield_stress;
    if (a == 0.0 && b == 0.0) return nullptr;
    return a != 0.0 && (b == 0.0 || a <= b) ? &bodies.a : &bodies.b;
}

// ---- a contact given as such ----

laws::Contact read_contact(const TomlTable& table) {
    table.allow_only(
        {"stiffness", "effective_mass", "effective_radius", "effective_modulus", "yield_stress"});
    const double stiffness = table.needed_number("stiffness", above_zero("N/m^1.5"));
    const double mass = table.needed_number("effective_mass", above_zero("kg"));
    std::optional<double> radius = table.number("effective_radius", above_zero("m"));
    std::optional<double> modulus = table.number("effective_modulus", above_zero("Pa"));
    if (radius && modulus) {
        const double implied = laws::hertz_stiffness(*modulus, *radius);
        if (std::abs(implied - stiffness) > 1e-6 * stiffness) {
            table.fail(
                "stiffness",
                fmt::format("effective_modulus and effective_radius make it {:.9g}, by K = (4/3) E "
                            "sqrt(R); leave out one of the three",
                            implied));
        }
    } else if (radius) {
        modulus = stiffness / laws::hertz_stiffness(1.0, *radius);
    } else if (modulus) {
        radius = std::pow(stiffness / laws::hertz_stiffness(*modulus, 1.0), 2);
    }
    return {.radius = radius.value_or(0.0),
            .modulus = modulus.value_or(0.0),
            .mass = mass,
            .stiffness = stiffness,
            .yield_stress = table.number("yield_stress", above_zero("Pa")).value_or(0.0)};
}

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

/// A line law may not apply to these cylinders.
void check_line_law(const TomlTable& root, const CollisionCase& collision) {
    try {
        laws::make_line(*collision.line, collision.law, collision.speed);
    } catch (const ArgumentError& error) {
        root.fail("law.name", error.what());
    }
}

CollisionCase read(const TomlDocument& document, NamedFiles files) {
    const TomlTable root = document.root();
    root.allow_only({"title", "speed", "body", "contact", "law"});
    root.text("title");
    CollisionCase collision{};
    collision.speed = root.needed_number("speed", above_zero("m/s"));
    const auto bodies = root.table("body");
    const auto contact = root.table("contact");
    if (bodies && contact)
        root.fail("contact",
                  "is given together with [body]; give the two bodies or the contact, not both");
    if (!bodies && !contact) root.fail("body", "missing; give [body.a] and [body.b], or [contact]");
    if (contact) {
        collision.contact = read_contact(*contact);
    } else {
        const Bodies pair = read_bodies(*bodies, collision.warnings);
        collision.contact = contact_of(pair);
        collision.line = line_contact_of(pair);
        if (const Body* yielding = yielding_body(pair)) {
            collision.poisson_ratio = yielding->elasticity.poisson_ratio;
            collision.density = yielding->density;
        }
    }
    if (collision.line) {
        collision.law = read_line_law(root, collision.warnings);
        check_line_law(root, collision);
    } else {
        collision.law = read_law(root, collision.speed, files, collision.warnings);
        check_can_yield(root, collision);
        if (contact && collision.law.is("poisson_ratio", "bodies")) {
            collision.warnings.push_back(
                fmt::format("[contact] has no bodies: law.poisson_ratio is assumed to be {:g}",
                            laws::assumed_poisson_ratio));
        }
    }
    return collision;
}

}  // namespace

CollisionCase read_case(const std::filesystem::path& file, std::span<const std::string> overrides) {
    return read(load_toml(file, overrides), NamedFiles::relative_to(file));
}

CollisionCase read_case_text(std::string text, const std::string& name) {
    return read(parse_toml(std::move(text), name), NamedFiles::from_texts({}));
}

}  // namespace beadwave::io

#include "subjects/shapes/shape_collision.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/impact_limit.hpp"
#include "io/scenario/law_reader.hpp"
#include "laws/tangential/make_dashpot.hpp"
#include "scenario/usual_ranges.hpp"
#include "shapes/elliptic_stiffness.hpp"
#include "shapes/first_touch.hpp"
#include "shapes/hertz_validity.hpp"
#include "shapes/superellipsoid.hpp"
#include "subjects/shapes/shape_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace beadwave::jobs {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool is_sphere(const shapes::Body& body) {
    const shapes::Vector& a = body.shape.semi_axes;
    return is_ellipsoid(body.shape) && a.x == a.y && a.y == a.z;
}

double energy_of(const shapes::Pair& pair) {
    double energy = translational_energy(pair.first) + rotational_energy(pair.first);
    if (const shapes::Body* const other = pair.other())
        energy += translational_energy(*other) + rotational_energy(*other);
    return energy;
}

laws::ContactEllipse ellipse_of(const shapes::Pair& pair) {
    if (const shapes::Body* const other = pair.other())
        return ellipse(common_normal(pair.first.shape, other->shape));
    return ellipse(contact(pair.first.shape, std::get<shapes::HalfSpace>(pair.second)));
}

/// What laws know of the contact at closing, with the mass that the impact feels. Laws that need
/// the bodies themselves have them between spheres.
laws::Contact contact_of(const shapes::Pair& pair, const shapes::Gap& closing,
                         const laws::ContactEllipse& ellipse,
                         const std::array<laws::Elasticity, 2>& materials) {
    const shapes::Body* const other = pair.other();
    const double mass_2 = other != nullptr ? other->mass : infinity;
    const double radius_1 = pair.first.shape.semi_axes.x;
    laws::Contact contact{};
    if (is_sphere(pair.first) && (other == nullptr || is_sphere(*other))) {
        contact = laws::sphere_contact(radius_1, pair.first.mass, materials[0],
                                       other != nullptr ? other->shape.semi_axes.x : infinity,
                                       mass_2, materials[1]);
    } else {
        contact =
            laws::elliptic_contact(ellipse, pair.first.mass, materials[0], mass_2, materials[1]);
        constexpr double rounding = 1e-12;
        if (std::abs(contact.axis_ratio - 1.0) < rounding) contact.axis_ratio = 1.0;
    }
    contact.mass = impact_mass(pair, closing);
    return contact;
}

bool has_superellipsoid(const shapes::Pair& pair) {
    const shapes::Body* const other = pair.other();
    return !is_ellipsoid(pair.first.shape) || (other != nullptr && !is_ellipsoid(other->shape));
}

/// A warning if the curvatures of superellipsoids change along the largest contact ellipse.
/// `closing`: the bodies where they touch.
std::optional<std::string> departure_of(const ShapeCollision& c, const shapes::Pair& closing) {
    if (!has_superellipsoid(closing)) return std::nullopt;
    constexpr double large = 0.1;
    const double major = c.ellipse.semi_major(c.hit.max_force, c.contact.modulus);
    const double minor = c.ellipse.semi_minor(c.hit.max_force, c.contact.modulus);
    const double departure = departure_from_paraboloid(closing, c.closing, major, minor);
    if (std::abs(departure) <= large) return std::nullopt;
    const std::string found =
        std::isfinite(departure)
            ? fmt::format("the gap there is {:.2g} of the paraboloid's", 1.0 + departure)
            : std::string("it reaches beyond the bodies");
    return fmt::format(
        "the curvatures are not the same all over the contact ellipse of {:.3g} x {:.3g} m (axis "
        "ratio {:.2g}), on which Hertz's law rests: {}; the stiffness is that of the point of "
        "first touch",
        major, minor, c.ellipse.axis_ratio, found);
}

using Watch = std::function<void(const laws::CollisionMoment&)>;

/// The impact, with friction if there is one.
void collide_under(ShapeCollision& c, const laws::Settings& law, const Watch& watch) {
    const laws::AnyLaw normal = laws::make(c.contact, law);
    const laws::Friction& friction = c.given.friction;
    if (friction.law == laws::FrictionLaw::none) {
        c.hit = collide(c.after, normal, watch);
        return;
    }
    const double shear = laws::effective_shear_modulus(c.given.materials[0], c.given.materials[1]);
    const laws::AnySlider slider =
        laws::make_slider(friction, shapes::slip_radius(c.ellipse), shear,
                          laws::make_dashpot(friction, c.contact, shear, normal, law));
    c.friction = collide(c.after, normal, slider, watch);
    c.hit = c.friction->normal;
}

/// What is wrong with the friction beside this law, at its key.
void check_friction(const io::TomlTable& root, const laws::Friction& friction,
                    const laws::Settings& law, io::Reading& reading) {
    if (std::string wrong = laws::fault_of_friction(friction, law); !wrong.empty()) {
        constexpr std::string_view key = "friction: ";  // which the message gets anyway
        root.fail("friction", wrong.starts_with(key) ? wrong.substr(key.size()) : wrong);
    }
    if (friction.law == laws::FrictionLaw::coulomb) {
        root.fail("friction.law",
                  "is that of rigid contacts; expected \"linear\", \"mindlin\" or "
                  "\"mindlin-displacement\"");
    }
    if (friction.law == laws::FrictionLaw::none) return;
    if (auto doubt = scenario::high_friction("friction.coefficient", friction.coefficient))
        reading.warnings.push_back(std::move(*doubt));
}

/// Says where more steps would still change velocities.
std::optional<std::string> coarse_friction(const ShapeCollision& c) {
    constexpr double large = 1e-6;  // of the speeds
    if (!c.friction) return std::nullopt;
    const double part = c.friction->step_difference / (c.closing.approach + c.friction->slip_speed);
    if (part <= large) return std::nullopt;
    return fmt::format(
        "the shortest steps of the friction still change the velocities by {:.1g} of those before "
        "the impact",
        part);
}

/// The smaller elastic_impact_speed() of the bodies; a wall has no density [m/s].
double impact_limit_of(const io::ShapeCase& given) {
    const auto limit = [](const shapes::Body& body, const laws::Elasticity& material) {
        const double density = body.mass / volume(body.shape);
        return laws::elastic_impact_speed(material.youngs_modulus, density);
    };
    const double first = limit(given.pair.first, given.materials[0]);
    const shapes::Body* const other = given.pair.other();
    return other == nullptr ? first : std::min(first, limit(*other, given.materials[1]));
}

void warn_of_spins(ShapeCollision& c) {
    const auto look = [&](const shapes::Body& body, const laws::Elasticity& material,
                          const char* name) {
        if (auto warning =
                laws::beyond_spin_limit(name, shapes::length(body_spin(body)), farthest(body.shape),
                                        material.youngs_modulus, body.mass / volume(body.shape)))
            c.warnings.push_back(std::move(*warning));
    };
    look(c.given.pair.first, c.given.materials[0], "the first body: a spin of");
    if (const shapes::Body* const other = c.given.pair.other())
        look(*other, c.given.materials[1], "the second body: a spin of");
}

}  // namespace

double ShapeCollision::energy_before() const {
    return energy_of(given.pair);
}
double ShapeCollision::energy_after() const {
    return energy_of(after);
}

ShapeCollision shape_collision(const io::TomlDocument& document, io::NamedFiles files,
                               bool with_trajectory) {
    const io::TomlTable root = document.root();
    io::Reading reading{.files = std::move(files)};
    const io::ShapeCase given = io::read_shape_case(root, reading);
    ShapeCollision c{.given = given,
                     .law = {},
                     .flight_time = 0.0,
                     .closing = {},
                     .point = {},
                     .ellipse = {},
                     .contact = {},
                     .hit = {},
                     .after = given.pair};
    try {
        c.flight_time = fly_to_touch(c.after);
        c.closing = gap_between(c.after);
        require_curved(c.after, c.closing);
        c.point = c.after.first.shape.centre + c.closing.arm_1;
        c.ellipse = ellipse_of(c.after);
        c.contact = contact_of(c.after, c.closing, c.ellipse, c.given.materials);
    } catch (const ArgumentError& error) {
        root.fail("body", error.what());
    }
    const shapes::Pair touching = c.after;
    const laws::Settings law = io::read_law(root, c.closing.approach, reading);
    c.law = law.name;
    check_friction(root, given.friction, law, reading);
    try {
        const auto record = [&](const laws::CollisionMoment& now) { c.trajectory.push_back(now); };
        collide_under(c, law, with_trajectory ? Watch(record) : Watch());
    } catch (const shapes::FrictionError& error) {
        root.fail("friction", error.what());
    } catch (const ArgumentError& error) {
        root.fail("law.name", error.what());
    }
    c.warnings = std::move(reading.warnings);
    warn_of_spins(c);
    if (auto warning = coarse_friction(c)) c.warnings.push_back(std::move(*warning));
    if (const auto warning = departure_of(c, touching)) c.warnings.push_back(*warning);
    if (auto warning = laws::beyond_impact_limit(c.law, false, "an impact at", c.closing.approach,
                                                 impact_limit_of(c.given)))
        c.warnings.push_back(std::move(*warning));
    return c;
}

CollisionReport collide_shapes(io::TomlDocument document, io::NamedFiles files,
                               bool with_trajectory) {
    ShapeCollision c = shape_collision(document, std::move(files), with_trajectory);
    return {.json = json_of(c),
            .text = text_of(c),
            .warnings = std::move(c.warnings),
            .trajectory = std::move(c.trajectory)};
}

}  // namespace beadwave::jobs

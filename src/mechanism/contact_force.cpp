#include "mechanism/contact_force.hpp"

#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "laws/neck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace beadwave::mechanism {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Law>
class LawForce final : public ContactForce {
  public:
    explicit LawForce(Law law) : law_(std::move(law)) {}
    /// A trial step may reach an overlap at which a line law has no force. The force is then NaN,
    /// and the step is rejected as too long.
    double force(double overlap, double approach_speed) const override {
        if constexpr (std::is_same_v<Law, laws::LineLaw>) {
            if (overlap >= law_.largest_overlap()) return std::numeric_limits<double>::quiet_NaN();
        }
        return law_.respond(overlap, approach_speed, memory_).force;
    }
    double stored_energy(double overlap, double approach_speed) const override {
        return law_.stored_energy(overlap, law_.respond(overlap, approach_speed, memory_).memory);
    }
    void commit(double overlap, double approach_speed) override {
        memory_ = law_.respond(overlap, approach_speed, memory_).memory;
    }
    void serialize(Archive& archive) override {
        if constexpr (std::is_same_v<Law, laws::AnyLaw>) {  // line laws remember nothing
            for (std::size_t k = 0; k < law_.traits().memory_numbers; ++k)
                archive(memory_[k]);
        }
    }
    bool ends_in_tension() const override { return law_.ends_in_tension(); }

  private:
    Law law_;
    typename Law::Memory memory_{};
};

/// Radii of the two surfaces [m]: infinite a flat, below 0 a socket.
std::array<double, 2> radii_of(const Contact& contact, const std::array<double, 2>& of_shapes) {
    struct Visitor {
        using Radii = std::array<double, 2>;
        const Radii& of_shapes;
        Radii operator()(const Journal& j) const {
            return {j.bearing_radius - j.clearance, -j.bearing_radius};
        }
        Radii operator()(const Prismatic& g) const { return {g.corner_radius, infinity}; }
        Radii operator()(const PointLine& t) const { return {t.radius, infinity}; }
        Radii operator()(const SphereSphere& b) const { return b.radii; }
        Radii operator()(const Shapes&) const { return of_shapes; }
    };
    return std::visit(Visitor{of_shapes}, contact.geometry);
}

laws::Contact sphere_of(const Contact& contact, double mass,
                        const std::array<double, 2>& of_shapes) {
    if (const auto* given = std::get_if<Stiffness>(&contact.materials))
        return {.radius = 0.0, .modulus = 0.0, .mass = mass, .stiffness = given->stiffness};
    const auto& elasticity = std::get<Materials>(contact.materials).elasticity;
    const auto radii = radii_of(contact, of_shapes);
    const std::size_t socket = radii[0] < 0.0 ? 0 : 1, ball = 1 - socket;
    if (radii[socket] < 0.0) {
        return laws::socket_contact(radii[ball], mass, elasticity[ball], -radii[socket], infinity,
                                    elasticity[socket]);
    }
    if (std::isinf(radii[0]) && std::isinf(radii[1]))
        throw ArgumentError("both outlines are straight where they touch; give a stiffness");
    return laws::sphere_contact(radii[0], mass, elasticity[0], radii[1], infinity, elasticity[1]);
}

laws::LineContact line_of(const Contact& contact, double mass,
                          const std::array<double, 2>& of_shapes) {
    const auto& elasticity = std::get<Materials>(contact.materials).elasticity;
    const double length = *line_length_of(contact);
    const auto radii = radii_of(contact, of_shapes);
    if (std::isinf(radii[0]) && std::isinf(radii[1])) {
        throw ArgumentError(
            "both outlines are straight where they touch: no line law has a force for two flats");
    }
    const std::size_t hole = radii[0] < 0.0 ? 0 : 1, pin = 1 - hole;
    const auto cylinder = [&](std::size_t side, double its_mass) {
        return laws::Cylinder{.radius = std::abs(radii[side]),
                              .length = length,
                              .mass = its_mass,
                              .elasticity = elasticity[side]};
    };
    const auto make = radii[hole] < 0.0 ? laws::internal_line_contact : laws::external_line_contact;
    return make(cylinder(pin, mass), cylinder(hole, infinity));
}

}  // namespace

std::optional<double> line_length_of(const Contact& contact) {
    const auto* journal = std::get_if<Journal>(&contact.geometry);
    return journal != nullptr ? journal->length : contact.line_length;
}

std::array<double, 2> radii_before_contact(const Contact& contact) {
    constexpr std::array<double, 2> any_radii{1.0, 1.0};
    const auto* pair = std::get_if<Shapes>(&contact.geometry);
    if (pair == nullptr) return any_radii;
    const std::array shapes{&pair->first, &pair->second};
    // The radius of each shape, where it is one number: below 0 in a hollow; 0: it differs from
    // place to place.
    std::array<double, 2> radii{};
    for (const std::size_t side : {0, 1}) {
        if (const auto* circle = std::get_if<shapes::Circle>(shapes[side]))
            radii[side] = circle->radius;
        else if (const auto* arc = std::get_if<shapes::Arc>(shapes[side]))
            radii[side] = arc->side == shapes::Arc::Side::inside ? -arc->radius : arc->radius;
        else if (std::holds_alternative<shapes::Segment>(*shapes[side]))
            radii[side] = infinity;
    }
    for (const std::size_t side : {0, 1}) {
        const double other = std::abs(radii[1 - side]);
        // The sides of a segment do not reach into a hollow: its round ends do.
        const auto* segment = std::get_if<shapes::Segment>(shapes[side]);
        if (radii[1 - side] < 0.0 && segment != nullptr) radii[side] = segment->radius;
        if (radii[side] == 0.0) radii[side] = radii[1 - side] < 0.0 ? 0.5 * other : 1.0;
    }
    return std::isinf(radii[0]) && std::isinf(radii[1]) ? any_radii : radii;
}

bool takes_speed_of_each_impact(const Contact& contact) {
    const auto* settings = std::get_if<laws::Settings>(&contact.law);
    if (settings == nullptr || settings->is("damping", "none")) return false;
    const auto named = settings->values.find("impact_speed");
    return named != settings->values.end() && !std::get_if<double>(&named->second);
}

std::unique_ptr<ContactForce> make_force(const Contact& contact, double mass, double impact_speed,
                                         const std::array<double, 2>& radii) {
    laws::Settings settings = std::get<laws::Settings>(contact.law);
    const double speed = std::max(impact_speed, contact.min_impact_speed);
    if (takes_speed_of_each_impact(contact)) settings.values.at("impact_speed") = speed;
    const double effective = contact.effective_mass.value_or(mass);
    if (is_line_contact(contact)) {
        return std::make_unique<LawForce<laws::LineLaw>>(
            laws::make_line(line_of(contact, effective, radii), settings, speed));
    }
    if (laws::is_adhesive(settings.name)) {
        throw ArgumentError(fmt::format(
            "law \"{}\" has adhesion, and a contact of a mechanism ends at zero overlap, where a "
            "neck may still hold; it is offered for chains, packings and collide",
            settings.name));
    }
    return std::make_unique<LawForce<laws::AnyLaw>>(
        laws::make(sphere_of(contact, effective, radii), settings));
}

}  // namespace beadwave::mechanism

// Drake: point contact (a linear spring) and hydroelastic contact (a field of pressure inside a
// body), both with the damping of Hunt and Crossley. Of a system without discrete steps.
#include "translation/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::translation {
namespace drake_models {

constexpr std::string_view manual =
    "Drake documentation, Compliant point contact, Hydroelastic contact, Dissipation";

double point(const Numbers& n, const Touch& /*touch*/, double overlap, double speed) {
    return n.stiffness * overlap * (1.0 + n.damping * speed);
}

/// The pressure in a sphere rises linearly from 0 at its surface to the modulus at its centre. Over
/// the flat disc at depth h, which cuts it: F = pi E h^2 (1 - 2 h/(3 R)).
double hydroelastic(const Numbers& n, const Touch& touch, double overlap, double speed) {
    const bool flat = std::isinf(touch.sphere_radius);
    const double radius = flat ? touch.radius : touch.sphere_radius;
    const double depth = std::min(flat ? overlap : 0.5 * overlap, radius);
    return std::numbers::pi * n.stiffness * depth * depth * (1.0 - 2.0 * depth / (3.0 * radius)) *
           (1.0 + n.damping * speed);
}

double per_speed(const Touch& touch) {
    return 1.0 / touch.speed;
}

std::vector<Key> point_keys(const Numbers& n, const Touch& /*touch*/) {
    return {{"point_contact_stiffness", 2.0 * n.stiffness, "N/m", "of both bodies"},
            {"hunt_crossley_dissipation", n.damping, "s/m", "of both bodies"}};
}

std::vector<Key> hydroelastic_keys(const Numbers& n, const Touch& touch) {
    const char* bodies = std::isinf(touch.sphere_radius)
                             ? "of the compliant sphere; the flat is rigid"
                             : "of both spheres";
    return {{"hydroelastic_modulus", n.stiffness, "Pa", bodies},
            {"hunt_crossley_dissipation", n.damping, "s/m", bodies}};
}

constexpr Model models[] = {
    {.name = "point contact",
     .formula = "max(0, k d (1 + hunt_crossley_dissipation v))",
     .source = manual,
     .force = point,
     .pulls = false,
     .hertzian = false,
     .first_stiffness = spring_of_duration,
     .strong_damping = per_speed,
     .keys = point_keys,
     .input =
         [](const Numbers& n, const Touch& /*touch*/) {
             return fmt::format(
                 "<drake:proximity_properties>\n"
                 "  <drake:point_contact_stiffness value=\"{:.9g}\"/>\n"
                 "  <drake:hunt_crossley_dissipation value=\"{:.9g}\"/>\n"
                 "</drake:proximity_properties>",
                 2.0 * n.stiffness, n.damping);
         },
     .remark = "Of a continuous system; discrete solvers dissipate more as their step grows."},
    {.name = "hydroelastic contact",
     .formula = "max(0, pi E h^2 (1 - 2h/(3R)) (1 + hunt_crossley_dissipation v)), h the depth in "
                "a sphere",
     .source = manual,
     .force = hydroelastic,
     .pulls = false,
     .hertzian = false,
     .first_stiffness =
         [](const Touch& t) { return t.mass * t.speed * t.speed / std::pow(t.overlap, 3); },
     .strong_damping = per_speed,
     .keys = hydroelastic_keys,
     .input =
         [](const Numbers& n, const Touch& /*touch*/) {
             return fmt::format(
                 "<drake:proximity_properties>\n"
                 "  <drake:compliant_hydroelastic/>\n"
                 "  <drake:hydroelastic_modulus value=\"{:.9g}\"/>\n"
                 "  <drake:hunt_crossley_dissipation value=\"{:.9g}\"/>\n"
                 "</drake:proximity_properties>",
                 n.stiffness, n.damping);
         },
     .remark = "Of a continuous system and a mesh that is fine beside the contact.",
     .describes = [](const Touch& touch) { return !std::isnan(touch.sphere_radius); }},
};

}  // namespace drake_models

extern const Program drake;
constexpr Program drake{.name = "drake", .title = "Drake", .models = drake_models::models};

}  // namespace beadwave::translation

#include "subjects/shapes/shape_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <string_view>

namespace beadwave::jobs {
namespace {

std::array<double, 3> list_of(const shapes::Vector& v) {
    return {v.x, v.y, v.z};
}

nlohmann::ordered_json body_json(const shapes::Body& body) {
    const shapes::Quaternion& q = body.shape.orientation;
    return {{"position", list_of(body.shape.centre)},
            {"orientation", {q.w, q.x, q.y, q.z}},
            {"velocity", list_of(body.velocity)},
            {"angular_velocity", list_of(body_spin(body))},
            {"angular_velocity_in_space", list_of(spin(body))},
            {"mass", body.mass},
            {"moments_of_inertia", list_of(body.moments)}};
}

nlohmann::ordered_json friction_json(const shapes::FrictionalImpact& friction) {
    return {{"slip_speed", friction.slip_speed},
            {"slip_speed_after", friction.slip_speed_after},
            {"max_force", friction.max_friction},
            {"impulse", list_of(friction.tangential_impulse)},
            {"dissipated_energy", friction.friction_work},
            {"step_difference", friction.step_difference}};
}

std::string row(std::string_view what, double value, std::string_view unit) {
    return fmt::format("  {:<22}{:>14.6g} {}\n", what, value, unit);
}
std::string row(std::string_view what, const shapes::Vector& v, std::string_view unit) {
    return fmt::format("  {:<22}{:>14.6g} {:>13.6g} {:>13.6g} {}\n", what, v.x, v.y, v.z, unit);
}

/// "first body", and its motion before and after.
std::string body_text(std::string_view which, const shapes::Body& before,
                      const shapes::Body& after) {
    return fmt::format("\n{} body\n", which) + row("velocity before", before.velocity, "m/s") +
           row("velocity after", after.velocity, "m/s") +
           row("spin before", body_spin(before), "rad/s about its axes") +
           row("spin after", body_spin(after), "rad/s about its axes");
}

}  // namespace

nlohmann::ordered_json json_of(const ShapeCollision& c) {
    const double speed = c.closing.approach, modulus = c.contact.modulus;
    nlohmann::ordered_json json{
        {"law", c.law},
        {"contact", c.contact.axis_ratio == 1.0 ? "point" : "ellipse"},
        {"flight_time", c.flight_time},
        {"speed", speed},
        {"effective_mass", c.contact.mass},
        {"effective_radius", c.contact.radius},
        {"restitution", c.hit.separation_speed / speed},
        {"rebound_speed", c.hit.separation_speed},
        {"impulse", c.hit.impulse},
        {"max_force", c.hit.max_force},
        {"max_overlap", c.hit.max_overlap},
        {"residual_overlap", c.hit.residual_overlap},
        {"duration", c.hit.duration},
        {"compression_time", c.hit.compression_time},
        {"energy_before", c.energy_before()},
        {"energy_after", c.energy_after()},
        {"dissipated_energy", c.hit.contact_work},
        {"point", list_of(c.point)},
        {"normal", list_of(c.closing.normal)},
        {"ellipse",
         {{"axis_ratio", c.ellipse.axis_ratio},
          {"mean_radius", c.ellipse.mean_radius},
          {"equivalent_radius", c.ellipse.equivalent_radius},
          {"semi_major", c.ellipse.semi_major(c.hit.max_force, modulus)},
          {"semi_minor", c.ellipse.semi_minor(c.hit.max_force, modulus)},
          {"largest_pressure", c.ellipse.largest_pressure(c.hit.max_force, modulus)}}}};
    json["bodies"] = nlohmann::ordered_json::array({body_json(c.after.first)});
    if (const shapes::Body* const other = c.after.other())
        json["bodies"].push_back(body_json(*other));
    if (c.friction) json["friction"] = friction_json(*c.friction);
    json["warnings"] = c.warnings;
    return json;
}

std::string text_of(const ShapeCollision& c) {
    const double speed = c.closing.approach, modulus = c.contact.modulus;
    std::string text = fmt::format("{} at {:g} m/s along the normal\n", c.law, speed);
    text += row("time of flight", c.flight_time, "s");
    text += row("point of contact", c.point, "m");
    text += row("normal", c.closing.normal, "");
    text += row("effective radius", c.contact.radius, "m");
    text += row("effective mass", c.contact.mass, "kg");
    text += row("restitution", c.hit.separation_speed / speed, "");
    text += row("rebound speed", c.hit.separation_speed, "m/s");
    text += row("impulse", c.hit.impulse, "N s");
    text += row("largest force", c.hit.max_force, "N");
    text += row("largest overlap", c.hit.max_overlap, "m");
    text += row("residual overlap", c.hit.residual_overlap, "m");
    text += row("duration", c.hit.duration, "s");
    text += row("greater semi-axis", c.ellipse.semi_major(c.hit.max_force, modulus), "m");
    text += row("smaller semi-axis", c.ellipse.semi_minor(c.hit.max_force, modulus), "m");
    text += row("largest pressure", c.ellipse.largest_pressure(c.hit.max_force, modulus), "Pa");
    text += row("energy before", c.energy_before(), "J");
    text += row("energy after", c.energy_after(), "J");
    text += row("dissipated energy", c.hit.contact_work, "J");
    if (c.friction) {
        text += "\nfriction\n";
        text += row("slip speed before", c.friction->slip_speed, "m/s");
        text += row("slip speed after", c.friction->slip_speed_after, "m/s");
        text += row("largest force", c.friction->max_friction, "N");
        text += row("impulse", c.friction->tangential_impulse, "N s");
        text += row("dissipated energy", c.friction->friction_work, "J");
    }
    text += body_text("first", c.given.pair.first, c.after.first);
    if (const shapes::Body* const other = c.after.other())
        text += body_text("second", *c.given.pair.other(), *other);
    return text;
}

}  // namespace beadwave::jobs

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "mechanism/contact_force.hpp"
#include "mechanism/plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::mechanism {
namespace {

[[noreturn]] void fail(const std::string& where, std::string_view what) {
    throw ArgumentError(fmt::format("{}: {}", where, what));
}

void need_above_zero(double value, const std::string& where, std::string_view name,
                     std::string_view unit) {
    if (!(value > 0.0 && std::isfinite(value)))
        fail(where, fmt::format("{} is {:g}; give a number above 0, in {}", name, value, unit));
}

void need_direction(const Vector& vector, const std::string& where, std::string_view name) {
    if (!(length(vector) > 0.0 && std::isfinite(length(vector))))
        fail(where, fmt::format("{} has no length; give a direction", name));
}

void check_pair(const std::array<std::size_t, 2>& pair, std::size_t bodies,
                const std::string& where) {
    for (const std::size_t body : pair) {
        if (body != ground && body >= bodies)
            fail(where, fmt::format("there is no body {}; there are {}", body, bodies));
    }
    if (pair[0] == pair[1]) fail(where, "both bodies are the same one");
}

void check_body(const Body& body) {
    const std::string where = fmt::format("body \"{}\"", body.name);
    need_above_zero(body.mass, where, "mass", "kg");
    need_above_zero(body.inertia, where, "inertia", "kg m^2");
}

void check_motor(const Motor& motor, const std::string& where) {
    if (motor.times.empty() || motor.times.size() != motor.speeds.size())
        fail(where, "the motor needs as many speeds as times, at least one");
    if (!std::ranges::is_sorted(motor.times, std::less_equal<>{}))
        fail(where, "the motor's times must rise");
}

struct GeometryCheck {
    const std::string& where;

    void operator()(const Journal& journal) const {
        need_above_zero(journal.bearing_radius, where, "bearing_radius", "m");
        need_above_zero(journal.clearance, where, "clearance", "m");
        if (!(journal.clearance < journal.bearing_radius))
            fail(where, "the clearance leaves no pin: it must be below bearing_radius");
        if (journal.length) need_above_zero(*journal.length, where, "length", "m");
    }
    void operator()(const Guide& guide) const {
        need_direction(guide.axis, where, "axis");
        need_above_zero(guide.length, where, "length", "m");
        need_above_zero(guide.height, where, "height", "m");
        need_above_zero(guide.clearance, where, "clearance", "m");
    }
    void operator()(const Tip& tip) const { need_direction(tip.normal, where, "normal"); }
    void operator()(const Balls& balls) const {
        for (const double radius : balls.radii)
            need_above_zero(radius, where, "radius", "m");
    }
};

void check_contact(const Contact& contact) {
    const std::string where = fmt::format("contact \"{}\"", contact.name);
    std::visit(GeometryCheck{where}, contact.geometry);
    if (const auto* impulse = std::get_if<Impulse>(&contact.law)) {
        if (!(impulse->restitution >= 0.0 && impulse->restitution <= 1.0))
            fail(where, "the restitution must lie between 0 and 1");
        if (contact.friction) fail(where, "the law \"impulse\" has no friction");
        return;
    }
    if (const auto* given = std::get_if<Stiffness>(&contact.materials)) {
        need_above_zero(given->stiffness, where, "stiffness", "N/m^1.5");
        if (is_line_contact(contact))
            fail(where, "a line contact needs the materials, not a stiffness");
    } else {
        if (const auto* guide = std::get_if<Guide>(&contact.geometry))
            need_above_zero(guide->corner_radius, where, "corner_radius", "m");
        if (const auto* tip = std::get_if<Tip>(&contact.geometry))
            need_above_zero(tip->radius, where, "radius", "m");
    }
    if (contact.effective_mass)
        need_above_zero(*contact.effective_mass, where, "effective_mass", "kg");
    need_above_zero(contact.impact_speed_floor, where, "impact_speed_floor", "m/s");
    if (const auto& friction = contact.friction) {
        if (!(friction->coefficient >= 0.0)) fail(where, "friction must not be negative");
        if (!(friction->slow >= 0.0 && friction->fast > friction->slow))
            fail(where, "friction's slip speeds must rise from 0 on");
    }
    try {  // what the law itself asks for
        make_force(contact, 1.0, 1.0);
    } catch (const ArgumentError& error) {
        fail(where, error.what());
    }
}

}  // namespace

void check(const Mechanism& mechanism) {
    const std::size_t bodies = mechanism.bodies.size();
    if (bodies == 0) throw ArgumentError("a mechanism needs at least one body");
    for (const Body& body : mechanism.bodies)
        check_body(body);
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
        const Joint& joint = mechanism.joints[j];
        const std::string where = fmt::format("joint {}", j);
        check_pair(joint.bodies, bodies, where);
        if (joint.kind == JointKind::slider) need_direction(joint.axis, where, "axis");
        if (joint.motor) check_motor(*joint.motor, where);
    }
    for (const Contact& contact : mechanism.contacts) {
        check_pair(contact.bodies, bodies, fmt::format("contact \"{}\"", contact.name));
        check_contact(contact);
    }
    need_above_zero(mechanism.end, "time", "end", "s");
    if (!(mechanism.interval >= 0.0)) fail("time", "interval must not be negative");
    if (!(mechanism.accuracy >= 1e-13 && mechanism.accuracy <= 1e-2))
        fail("integrator", "accuracy must lie between 1e-13 and 1e-2");
}

}  // namespace beadwave::mechanism

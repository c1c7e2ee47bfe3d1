#include "beadwave/argument_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "mechanism/contact_force.hpp"
#include "mechanism/plane.hpp"
#include "mechanism/sliding_friction.hpp"
#include "mechanism/time_stepping.hpp"
#include "mechanism/worn_bearing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::mechanism {
namespace {

/// A part of the mechanism: its name for messages, and its key in a scenario.
struct Part {
    std::string name, key;
};

[[noreturn]] void fail(const Part& part, std::string_view what) {
    throw PartError(part.key, fmt::format("{}: {}", part.name, what));
}

[[noreturn]] void fail(const Part& part, std::string_view name, std::string_view what) {
    fail({.name = part.name, .key = fmt::format("{}.{}", part.key, name)}, what);
}

void need_above_zero(double value, const Part& part, std::string_view name, std::string_view unit) {
    if (value > 0.0 && std::isfinite(value)) return;
    fail(part, name, fmt::format("{} is {:g}; give a number above 0, in {}", name, value, unit));
}

void need_direction(const Vector& vector, const Part& part, std::string_view name) {
    constexpr double shortest = 1e-100, longest = 1e100;  // the inverse is a number, too
    const double given = length(vector);
    if (given >= shortest && given <= longest) return;
    if (given == 0.0) fail(part, name, fmt::format("{} has zero length; give a direction", name));
    fail(part, name,
         fmt::format("{} has length {:g}; give a direction of length {:g} to {:g}", name, given,
                     shortest, longest));
}

void check_pair(const std::array<std::size_t, 2>& pair, std::size_t bodies, const Part& part) {
    for (const std::size_t body : pair) {
        if (body != ground && body >= bodies)
            fail(part, "bodies", fmt::format("there is no body {}; there are {}", body, bodies));
    }
    if (pair[0] == pair[1]) fail(part, "bodies", "both bodies are the same");
}

void check_body(const Body& body, const Part& part) {
    need_above_zero(body.mass, part, "mass", "kg");
    need_above_zero(body.inertia, part, "inertia", "kg m^2");
}

/// A joint that does what an earlier one does already has no force of its own.
void check_repeated(const std::vector<Joint>& joints, std::size_t number, const Part& part) {
    constexpr double rounding = 1e-12;
    const Joint& joint = joints[number];
    for (std::size_t j = 0; j < number; ++j) {
        const Joint& other = joints[j];
        const auto [a, b] = other.bodies;
        if (joint.kind != other.kind) continue;
        if (joint.bodies != other.bodies && joint.bodies != std::array{b, a}) continue;
        const bool same =
            joint.kind == JointKind::revolute
                ? length(joint.point - other.point) <=
                      rounding * std::max(length(joint.point), length(other.point))
                : std::abs(cross(unit_vector(joint.axis), unit_vector(other.axis))) <= rounding;
        if (same) fail(part, fmt::format("repeats joint {}; remove one of them", j));
    }
}

void check_motor(const Motor& motor, const Part& part) {
    if (motor.times.empty() || motor.times.size() != motor.speeds.size())
        fail(part, "speed", "the motor needs equal numbers of times and speeds, at least one");
    if (!motor.mean_speeds.empty() && motor.mean_speeds.size() + 1 != motor.times.size())
        fail(part, "speed", "the motor needs one mean speed between two times");
    if (!std::ranges::is_sorted(motor.times, std::less_equal<>{}))
        fail(part, "speed_file", "the times of the motor must increase");
    if (motor.times.front() < 0.0) {
        fail(part, "speed_file",
             fmt::format("the first time of the motor is {:g} s; the run starts at 0 s",
                         motor.times.front()));
    }
}

void check_friction(const Joint& joint, const Part& part) {
    const JointFriction& friction = *joint.friction;
    if (const std::string wrong = fault_of_coefficients(friction); !wrong.empty())
        fail(part, "friction", wrong);
    if (joint.kind == JointKind::revolute)
        need_above_zero(friction.radius, part, "friction.radius", "m");
    else
        need_above_zero(friction.length, part, "friction.length", "m");
    if (joint.motor)
        fail(part, "friction",
             "a motor moves this joint at its own speed, whatever its friction; "
             "leave out one of the two");
}

struct GeometryCheck {
    const Part& part;

    void operator()(const Journal& journal) const {
        need_above_zero(journal.bearing_radius, part, "bearing_radius", "m");
        need_above_zero(journal.clearance, part, "clearance", "m");
        if (!(journal.clearance < journal.bearing_radius))
            fail(part, "clearance", "the clearance must be smaller than bearing_radius");
        if (journal.length) need_above_zero(*journal.length, part, "length", "m");
    }
    void operator()(const Prismatic& guide) const {
        need_direction(guide.axis, part, "axis");
        need_above_zero(guide.length, part, "length", "m");
        need_above_zero(guide.height, part, "height", "m");
        need_above_zero(guide.clearance, part, "clearance", "m");
    }
    void operator()(const PointLine& tip) const { need_direction(tip.normal, part, "normal"); }
    void operator()(const SphereSphere& balls) const {
        for (const double radius : balls.radii)
            need_above_zero(radius, part, "radius", "m");
    }
    void operator()(const Shapes& pair) const {
        check_shape(pair.first, "first");
        check_shape(pair.second, "second");
        try {
            shapes::check(pair.first, pair.second);
        } catch (const ArgumentError& error) {
            fail(part, error.what());
        }
    }
    void check_shape(const shapes::Shape& shape, std::string_view which) const {
        try {
            shapes::check(shape);
        } catch (const ArgumentError& error) {
            fail(part, which, fmt::format("{} shape: {}", which, error.what()));
        }
    }
};

void check_wear(const Contact& contact, std::size_t bins, const Part& part) {
    const Wear& wear = *contact.wear;
    const bool journal = std::holds_alternative<Journal>(contact.geometry);
    need_above_zero(wear.law.coefficient, part, "wear.coefficient", "-");
    need_above_zero(wear.law.hardness, part, "wear.hardness", "Pa");
    if (wear.width) {
        need_above_zero(*wear.width, part, "wear.width", "m");
        if (!journal) fail(part, "wear.width", "only a journal has a width");
    }
    if (wear.pin_hardness) {
        need_above_zero(*wear.pin_hardness, part, "wear.pin_hardness", "Pa");
        if (!journal) fail(part, "wear.pin_hardness", "only a journal has a pin");
    }
    if (journal && bins > 0 && !bearing_width(contact)) {
        fail(part, "wear.width",
             "the depth of the wear needs the width of the bearing across the plane, in m; without "
             "wear.bins there is no depth");
    }
}

void check_wear_update(const Mechanism& mechanism, const Contact& contact, const Part& part) {
    if (mechanism.wear_update_depth == 0.0) return;
    const Part wear{.name = "wear", .key = "wear"};
    need_above_zero(mechanism.wear_update_depth, wear, "update_depth", "m");
    if (mechanism.wear_bins < 3) {
        fail(wear, "update_depth",
             "the shape of a bearing follows the depths of its parts: give wear.bins, 3 or more");
    }
    if (!std::holds_alternative<Journal>(contact.geometry)) return;
    if (std::holds_alternative<Impulse>(contact.law)) {
        fail(part, "law",
             "the law \"impulse\" keeps a pin at rest on the round bearing, so that its shape "
             "cannot follow the wear. Give a law with a finite force, or no wear.update_depth");
    }
    if (contact.wear->pin_hardness) {
        fail(part, "wear.pin_hardness",
             "wear.update_depth changes the shape of bearings alone, and a pin that wears would "
             "stay round. Give one of the two");
    }
}

void check_contact(const Contact& contact, const Part& part) {
    std::visit(GeometryCheck{part}, contact.geometry);
    if (contact.line_length) {
        need_above_zero(*contact.line_length, part, "line_length", "m");
        if (std::holds_alternative<Journal>(contact.geometry))
            fail(part, "line_length", "a journal takes its length in place of line_length");
    }
    if (const auto* impulse = std::get_if<Impulse>(&contact.law)) {
        if (!(impulse->restitution >= 0.0 && impulse->restitution <= 1.0))
            fail(part, "law", "the restitution must be from 0 to 1");
        if (!contact.friction) return;
        if (contact.friction->law != Friction::Law::coulomb)
            fail(part, "friction.law", "the law \"impulse\" needs friction.law = \"coulomb\"");
        if (const std::string wrong = fault_of_coefficients(*contact.friction); !wrong.empty())
            fail(part, "friction", wrong);
        return;
    }
    if (const auto* given = std::get_if<Stiffness>(&contact.materials)) {
        need_above_zero(given->stiffness, part, "stiffness", "N/m^1.5");
        if (is_line_contact(contact))
            fail(part, "stiffness", "a line contact needs materials, not a stiffness");
    } else {
        if (const auto* guide = std::get_if<Prismatic>(&contact.geometry))
            need_above_zero(guide->corner_radius, part, "corner_radius", "m");
        if (const auto* tip = std::get_if<PointLine>(&contact.geometry))
            need_above_zero(tip->radius, part, "radius", "m");
    }
    if (contact.effective_mass)
        need_above_zero(*contact.effective_mass, part, "effective_mass", "kg");
    need_above_zero(contact.min_impact_speed, part, "min_impact_speed", "m/s");
    if (const auto& friction = contact.friction) {
        if (const std::string wrong = fault_of_coefficients(*friction); !wrong.empty())
            fail(part, "friction", wrong);
        if (friction->law == Friction::Law::coulomb)
            fail(part, "friction.law", "\"coulomb\" needs the contact law \"impulse\"");
        if (friction->law == Friction::Law::linear) {
            need_above_zero(friction->stiffness, part, "friction.stiffness", "N/m");
            if (!(friction->damping >= 0.0))
                fail(part, "friction", "the damping must not be negative");
        } else if (friction->law == Friction::Law::ambrosio &&
                   !(friction->slip_tolerance >= 0.0 &&
                     friction->full_slip_speed > friction->slip_tolerance))
            fail(part, "friction",
                 "slip_tolerance must not be negative, and full_slip_speed must be larger");
    }
    try {  // the conditions of the law itself
        make_force(contact, 1.0, 1.0, radii_before_contact(contact));
    } catch (const ArgumentError& error) {
        fail(part, "law", error.what());
    }
}

}  // namespace

void check(const Mechanism& mechanism) {
    const std::size_t bodies = mechanism.bodies.size();
    if (bodies == 0) throw ArgumentError("a mechanism needs at least one body");
    for (std::size_t i = 0; i < bodies; ++i) {
        const Body& body = mechanism.bodies[i];
        check_body(body, {.name = fmt::format("body \"{}\"", body.name),
                          .key = fmt::format("body.{}", i)});
    }
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
        const Joint& joint = mechanism.joints[j];
        const Part part{.name = fmt::format("joint {}", j), .key = fmt::format("joint.{}", j)};
        check_pair(joint.bodies, bodies, part);
        if (joint.kind == JointKind::slider) need_direction(joint.axis, part, "axis");
        if (joint.motor) check_motor(*joint.motor, part);
        if (joint.friction) check_friction(joint, part);
        check_repeated(mechanism.joints, j, part);
    }
    for (std::size_t i = 0; i < mechanism.contacts.size(); ++i) {
        const Contact& contact = mechanism.contacts[i];
        const Part part{.name = fmt::format("contact \"{}\"", contact.name),
                        .key = fmt::format("contact.{}", i)};
        check_pair(contact.bodies, bodies, part);
        check_contact(contact, part);
        if (contact.wear) {
            check_wear(contact, mechanism.wear_bins, part);
            check_wear_update(mechanism, contact, part);
        }
        if (std::holds_alternative<Impulse>(contact.law) &&
            std::ranges::any_of(mechanism.joints,
                                [](const Joint& joint) { return joint.friction.has_value(); })) {
            fail(part, "law",
                 "the law \"impulse\" cannot be used with friction in a joint: an impulse would "
                 "need an impulse of this friction. Give a law with a finite force");
        }
    }
    check_force_elements(mechanism);
    const Part time{.name = "time", .key = "time"};
    need_above_zero(mechanism.end, time, "end", "s");
    if (!(mechanism.interval >= 0.0)) fail(time, "interval", "the interval must not be negative");
    if (!(mechanism.accuracy >= 1e-13 && mechanism.accuracy <= 1e-2))
        fail({.name = "integrator", .key = "integrator"}, "accuracy",
             "the accuracy must be from 1e-13 to 1e-2");
    check_stepping(mechanism);
}

}  // namespace beadwave::mechanism

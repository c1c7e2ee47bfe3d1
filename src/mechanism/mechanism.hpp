// Rigid bodies in the plane, ideal joints between them, and contacts: a mechanism as a person
// describes it. Every place and direction is given in the ground's frame at the start, where all
// angles are zero; what belongs to a body then moves with it.
#pragma once

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/settings.hpp"
#include "mechanism/plane.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace beadwave::mechanism {

struct Body {
    std::string name;
    double mass = 0.0;                 ///< [kg]
    double inertia = 0.0;              ///< about the centre of mass [kg m^2]
    Vector centre{};                   ///< centre of mass at the start [m]
    std::optional<Vector> velocity{};  ///< of the centre, at the start [m/s]
    std::optional<double> spin{};      ///< at the start, anticlockwise [rad/s]
};

/// A speed over time; between rows it changes linearly, before and after them it stays. One row: a
/// constant speed.
struct Motor {
    std::vector<double> times;   ///< [s], rising
    std::vector<double> speeds;  ///< of the second body against the first [rad/s], or [m/s]
};

enum class JointKind {
    revolute,  ///< the two bodies turn about a common point
    slider     ///< the second body slides along an axis of the first
};

/// A joint without clearance.
struct Joint {
    JointKind kind = JointKind::revolute;
    std::array<std::size_t, 2> bodies{};
    Vector point{};  ///< revolute [m]
    Vector axis{};   ///< slider: its direction, of any length
    std::optional<Motor> motor{};
};

/// A pin, which is a disc of the first body, in a hole of the second.
struct Journal {
    Vector point{};                  ///< centre of the pin and of the hole [m]
    std::optional<Vector> hole{};    ///< centre of the hole [m], where it is not the pin's
    double bearing_radius = 0.0;     ///< of the hole [m]
    double clearance = 0.0;          ///< radius of the hole less that of the pin [m]
    std::optional<double> length{};  ///< of the bearing [m]: a line contact, with a line law
};

/// A block of the first body in a straight guide of the second. Each of its four corners can touch
/// the nearer wall: 0 and 1 the wall on the left of the axis, 2 and 3 the one on the right.
struct Guide {
    Vector point{};              ///< centre of the block, midway between the walls [m]
    Vector axis{};               ///< along the guide
    double length = 0.0;         ///< of the block, along the axis [m]
    double height = 0.0;         ///< of the block, across the axis [m]
    double clearance = 0.0;      ///< on either side [m]
    double corner_radius = 0.0;  ///< for the contact's stiffness [m]
};

/// A point of the first body against an endless line of the second.
struct Tip {
    Vector point{};       ///< the tip [m]
    Vector line_point{};  ///< any point of the line [m]
    Vector normal{};      ///< from the line towards the side that is free
    double radius = 0.0;  ///< of the tip, for the contact's stiffness [m]
};

/// Two balls, or discs, side by side.
struct Balls {
    std::array<Vector, 2> centres{};  ///< [m]
    std::array<double, 2> radii{};    ///< [m]
};

/// What the bodies are made of where they touch: two materials, or a stiffness as such.
struct Materials {
    std::array<laws::Elasticity, 2> elasticity{};
};
struct Stiffness {
    double stiffness = 0.0;  ///< K [N/m^1.5]
};

/// Impacts in no time that return this part of the closing speed: the piecewise method of
/// Poursina2020 section 6.
struct Impulse {
    double restitution = 0.0;  ///< [-]
};

/// Coulomb friction, regularised as in J. A. C. Ambrosio, "Impact of rigid and flexible multibody
/// systems: deformation description and contact models", in Virtual Nonlinear Multibody Systems,
/// NATO Science Series II 103, 2003: the force is mu N against the slip v, times a factor that is 0
/// up to the slip v0, 1 from v1 on, and linear between.
struct Friction {
    double coefficient = 0.0;  ///< mu [-]
    double slow = 1e-4;        ///< v0 [m/s]
    double fast = 1e-3;        ///< v1 [m/s]
};

struct Contact {
    std::string name;
    std::array<std::size_t, 2> bodies{};
    std::variant<Journal, Guide, Tip, Balls> geometry{};
    std::variant<Materials, Stiffness> materials{};
    /// The law, all parameters given. An impact speed that is a word stands for each impact's own.
    std::variant<laws::Settings, Impulse> law{};
    /// Effective mass [kg]; else the mechanism's own along the normal, at each closing.
    std::optional<double> effective_mass{};
    /// Least impact speed of laws that divide by it [m/s].
    double impact_speed_floor = 1e-3;
    /// What a law remembers outlasts the impact. Else every impact meets an untouched place.
    bool keeps_memory = false;
    std::optional<Friction> friction{};
};

struct Mechanism {
    std::vector<Body> bodies;
    std::vector<Joint> joints;
    std::vector<Contact> contacts;
    Vector gravity{};        ///< [m/s^2]
    double accuracy = 1e-8;  ///< largest relative error of one step [-]
    double end = 0.0;        ///< [s]
    double interval = 0.0;   ///< of the history [s]; 0: none
};

/// What is wrong with one body, joint or contact. The message names it; the key says where it
/// stands in a scenario: "body.2.velocity".
class PartError : public ArgumentError {
  public:
    PartError(std::string key, const std::string& message)
        : ArgumentError(message), key_(std::move(key)) {}
    const std::string& key() const { return key_; }

  private:
    std::string key_;
};

/// Throws PartError.
void check(const Mechanism&);

}  // namespace beadwave::mechanism

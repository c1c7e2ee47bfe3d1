// Rigid bodies in the plane, ideal joints between them, and contacts: the description of a
// mechanism. Every point and direction is given in the frame of the ground at the start, where all
// angles are zero. Points and directions that belong to a body then move with it.
#pragma once

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/settings.hpp"
#include "laws/rigid_impact.hpp"
#include "laws/wear.hpp"
#include "mechanism/plane.hpp"
#include "mechanism/shapes/shape.hpp"

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
    double mass = 0.0;                         ///< [kg]
    double inertia = 0.0;                      ///< about the centre of mass [kg m^2]
    Vector centre{};                           ///< centre of mass at the start [m]
    std::optional<Vector> velocity{};          ///< of the centre, at the start [m/s]
    std::optional<double> angular_velocity{};  ///< at the start, anticlockwise [rad/s]
};

/// A speed as a function of time: constant before the first row and after the last. One row: a
/// constant speed. Between two rows it is linear, or, where mean speeds are given, the parabola
/// with this mean: positions then follow a cubic.
struct Motor {
    std::vector<double> times;   ///< [s], increasing
    std::vector<double> speeds;  ///< of the second body relative to the first [rad/s] or [m/s]
    std::vector<double> mean_speeds{};  ///< between two rows; empty: linear
};

enum class JointKind {
    revolute,  ///< the two bodies turn about a common point
    slider     ///< the second body slides along an axis of the first
};

/// Coulomb friction in a joint; see joint_friction.hpp.
struct JointFriction {
    double coefficient = 0.0;  ///< mu [-]
    double radius = 0.0;       ///< revolute: of the pin [m]
    double length = 0.0;       ///< slider: of the guided part, with the second body's centre in its
                               ///< middle [m]
    /// Static friction and the coefficient over the slip speed (sliding_friction.hpp). Empty:
    /// `coefficient`.
    std::optional<double> static_coefficient{};  ///< mu_s [-]
    double stribeck_speed = 0.0;                 ///< v_s [m/s]; 0: no curve
    double stribeck_exponent = 2.0;              ///< d [-]
    double viscous_coefficient = 0.0;            ///< c [s/m]
};

/// A joint without clearance.
struct Joint {
    JointKind kind = JointKind::revolute;
    std::array<std::size_t, 2> bodies{};
    Vector point{};  ///< revolute [m]
    Vector axis{};   ///< slider: its direction; its length does not matter
    std::optional<Motor> motor{};
    std::optional<JointFriction> friction{};
};

/// A journal bearing: a pin of the first body in a bearing of the second. Both are circles.
struct Journal {
    Vector point{};                          ///< centre of the pin [m]
    std::optional<Vector> bearing_centre{};  ///< [m]; if it is empty: that of the pin
    double bearing_radius = 0.0;             ///< inner radius of the bearing [m]
    double clearance = 0.0;                  ///< radius of the bearing minus that of the pin [m]
    std::optional<double> length{};          ///< of the bearing [m]: makes it a line contact
};

/// A prismatic pair with clearance: a block of the first body in a straight guide of the second.
/// Each of its four corners can touch the nearer wall. Corners 0 and 1 can touch the wall on the
/// left of the axis, corners 2 and 3 the wall on the right.
struct Prismatic {
    Vector point{};              ///< centre of the block, halfway between the walls [m]
    Vector axis{};               ///< along the guide
    double length = 0.0;         ///< of the block, along the axis [m]
    double height = 0.0;         ///< of the block, across the axis [m]
    double clearance = 0.0;      ///< on either side [m]
    double corner_radius = 0.0;  ///< for the stiffness of the contact [m]
};

/// A point of the first body against an infinite line of the second.
struct PointLine {
    Vector point{};       ///< the point [m]
    Vector line_point{};  ///< any point of the line [m]
    Vector normal{};      ///< from the line towards the free side
    double radius = 0.0;  ///< at the point, for the stiffness of the contact [m]
};

/// Two spheres or discs, side by side.
struct SphereSphere {
    std::array<Vector, 2> centres{};  ///< [m]
    std::array<double, 2> radii{};    ///< [m]
};

/// Any two shapes, the first fixed to the first body and the second to the second. The law gets the
/// radii of curvature where the contact closes.
struct Shapes {
    shapes::Shape first{}, second{};
};

/// The materials of the two bodies at the contact, or a stiffness in their place.
struct Materials {
    std::array<laws::Elasticity, 2> elasticity{};
};
struct Stiffness {
    double stiffness = 0.0;  ///< K [N/m^1.5]
};

/// Impacts of zero duration: the piecewise method of Poursina2020 section 6. Without friction the
/// separation speed is this fraction of the impact speed. With friction the impact is that of
/// laws/rigid_impact.hpp; contacts that close together share their impulses (see events.hpp).
struct Impulse {
    double restitution = 0.0;  ///< [-]
    laws::RestitutionDefinition definition = laws::RestitutionDefinition::stronge;
};

/// Coulomb friction, in one of four forms.
struct Friction {
    enum class Law {
        /// J. A. C. Ambrosio, "Impact of rigid and flexible multibody systems: deformation
        /// description and contact models", in Virtual Nonlinear Multibody Systems, NATO Science
        /// Series II 103, 2003: the force is mu N against the slip, times a factor. The factor is
        /// 0 up to slip_tolerance, 1 from full_slip_speed on, and linear between.
        ambrosio,
        /// The modified Coulomb law of MSC Adams, which WangLiu2022 Fig. 9 takes: the coefficient
        /// follows the slip speed. It passes through 0 at rest, is mu_s at stiction_speed and mu
        /// from dynamic_speed on, with cubics between.
        modified_coulomb,
        /// As in packings: a spring and a damper along the contact hold the bodies (stick). Their
        /// force is at most mu N; there the bodies slide, and the spring keeps this force.
        linear,
        /// For the law "impulse": no slip as long as a force of at most mu N holds the bodies (they
        /// stick exactly), otherwise mu N against the slip.
        coulomb
    } law = Law::ambrosio;
    double coefficient = 0.0;       ///< mu [-]
    double slip_tolerance = 1e-4;   ///< ambrosio [m/s]
    double full_slip_speed = 1e-3;  ///< ambrosio [m/s]
    double stiffness = 0.0;         ///< linear [N/m]
    double damping = 0.0;           ///< linear [N s/m]
    double stiction_speed = 0.0;    ///< modified_coulomb [m/s]
    double dynamic_speed = 0.0;     ///< modified_coulomb [m/s]
    /// Static friction and the coefficient over the slip speed (sliding_friction.hpp). Empty:
    /// `coefficient`.
    std::optional<double> static_coefficient{};  ///< mu_s [-]
    double stribeck_speed = 0.0;                 ///< v_s [m/s]; 0: no curve
    double stribeck_exponent = 2.0;              ///< d [-]
    double viscous_coefficient = 0.0;            ///< c [s/m]
};

/// What the contact wears off, by Archard's law.
struct Wear {
    laws::Wear law{};
    /// The width of a journal, across the plane [m]; empty: Journal::length. For the depth alone.
    std::optional<double> width{};
    /// Of the pin of a journal [Pa]: it wears with the same coefficient. Empty: it does not wear.
    std::optional<double> pin_hardness{};
    laws::Wear pin_law() const {
        laws::Wear of_pin = law;
        of_pin.hardness = pin_hardness.value();
        return of_pin;
    }
};

struct Contact {
    std::string name;
    std::array<std::size_t, 2> bodies{};
    std::variant<Journal, Prismatic, PointLine, SphereSphere, Shapes> geometry{};
    std::variant<Materials, Stiffness> materials{};
    /// The law with all its parameters. An impact speed that is a word means that each impact has
    /// its own.
    std::variant<laws::Settings, Impulse> law{};
    /// Effective mass [kg]. If it is empty, the effective mass along the normal is computed at the
    /// start of each impact.
    std::optional<double> effective_mass{};
    /// Smallest impact speed, for laws that divide by it [m/s].
    double min_impact_speed = 1e-3;
    /// Length of the contact across the plane [m]: makes it a line contact, with a line law. A
    /// journal has its own.
    std::optional<double> line_length{};
    /// The memory of the law continues from impact to impact. Otherwise every impact starts with an
    /// empty memory.
    bool persistent_history = false;
    std::optional<Friction> friction{};
    std::optional<Wear> wear{};
};

/// A factor sin(2 pi frequency t + phase); without a frequency it is 1.
struct Oscillation {
    double frequency = 0.0;  ///< [Hz]
    double phase = 0.0;      ///< [rad]
};

/// A force on a body, constant or over time: linear between the rows, constant before the first and
/// after the last.
struct Force {
    std::size_t body = 0;
    Vector point{};                ///< where it acts; the point moves with the body [m]
    bool turns_with_body = false;  ///< otherwise its direction is fixed to the ground
    std::vector<double> times{};   ///< [s], increasing; one row: constant
    std::vector<Vector> forces{};  ///< [N]
    Oscillation oscillation{};
};

/// A torque on the second body, and its opposite on the first. Over time as a Force.
struct Torque {
    std::array<std::size_t, 2> bodies{};
    std::vector<double> times{};    ///< [s], increasing; one row: constant
    std::vector<double> torques{};  ///< anticlockwise [N m]
    Oscillation oscillation{};
};

/// A spring and a damper side by side, between a point of each body. Tension is positive.
struct Spring {
    std::string name;
    std::array<std::size_t, 2> bodies{};
    std::array<Vector, 2> points{};       ///< [m]
    std::optional<double> free_length{};  ///< [m]; empty: the distance at the start
    double stiffness = 0.0;               ///< [N/m]
    double damping = 0.0;                 ///< [N s/m]
    /// A one-sided spring pulls alone (a rope) or pushes alone (a stop).
    enum class Acts { both, tension, compression } acts = Acts::both;
    /// The force over the extension, in place of a stiffness: linear between the rows, and beyond
    /// them as between the two nearest rows.
    std::vector<double> extensions{};  ///< [m], increasing
    std::vector<double> forces{};      ///< [N]
};

/// A spring and a damper against the rotation of the second body relative to the first.
struct TorsionSpring {
    std::string name;
    std::array<std::size_t, 2> bodies{};
    double stiffness = 0.0;   ///< [N m/rad]
    double free_angle = 0.0;  ///< of the second body relative to the first, since the start [rad]
    double damping = 0.0;     ///< [N m s/rad]
};

/// The time-stepping scheme of Moreau and Jean in place of the event-driven run: see
/// time_stepping.hpp.
struct TimeStepping {
    double step = 0.0;   ///< the longest [s]; steps divide the interval between samples evenly
    double theta = 0.5;  ///< weight of the end of the step, from 0.5 to 1 [-]
    /// Overlaps above it cause a warning [m]; empty: a thousandth of the size of the mechanism.
    std::optional<double> penetration_tolerance{};
};

struct Mechanism {
    std::vector<Body> bodies;
    std::vector<Joint> joints;
    std::vector<Contact> contacts;
    std::vector<Force> forces{};
    std::vector<Torque> torques{};
    std::vector<Spring> springs{};
    std::vector<TorsionSpring> torsion_springs{};
    Vector gravity{};        ///< [m/s^2]
    double accuracy = 1e-8;  ///< largest relative error of one step [-]
    double end = 0.0;        ///< [s]
    double interval = 0.0;   ///< between samples of the history [s]; 0: no samples
    /// Parts of the circle of each journal that wears, for the depth of its bearing; 0: none.
    std::size_t wear_bins = 0;
    /// The shape of a bearing follows its wear, anew whenever a part of it has become this much
    /// deeper [m]; 0: shapes stay.
    double wear_update_depth = 0.0;
    std::optional<TimeStepping> stepping{};  ///< empty: the event-driven run
};

/// An error in one body, joint or contact. The message names it. The key is its key in a scenario:
/// "body.2.velocity".
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
void check_force_elements(const Mechanism&);  ///< forces, torques and springs alone

}  // namespace beadwave::mechanism

// The settings of friction, rolling resistance and twisting resistance.
#pragma once

#include <optional>

namespace beadwave::laws {

/// The tangential law.
enum class FrictionLaw {
    none,
    linear,                ///< a spring of constant stiffness with a dashpot
    mindlin,               ///< Mindlin's no-slip stiffness, applied to increments of the force
    mindlin_displacement,  ///< the same stiffness times the whole tangential displacement
    coulomb                ///< no spring: of rigid contacts alone (laws/rigid_law.hpp)
};

/// The tangential force is limited to `coefficient` times the normal force. A dashpot acts beside
/// the spring; Mindlin's laws take one of the four dampings (dashpot.hpp), the linear law takes
/// `damping`.
struct Friction {
    FrictionLaw law = FrictionLaw::none;
    double coefficient = 0.0;  ///< mu [-], 0 or larger
    double stiffness = 0.0;    ///< of the linear law [N/m], above 0
    double damping = 0.0;      ///< [N s/m], 0 or larger
    /// Relative to the critical damping of the tangential spring with the effective mass [-]; 0 or
    /// larger.
    double damping_ratio = 0.0;
    /// Relative to the dashpot that the restitution of the normal law sets [-]; 0 or larger.
    double damping_factor = 0.0;
    /// Relative to the dashpot of the normal law [-]; 0 or larger.
    double normal_damping_factor = 0.0;
    /// Coefficient of contacts that stick [-], `coefficient` or larger; none: `coefficient`.
    std::optional<double> static_coefficient{};
    /// The coefficient over the slip speed (sliding_coefficient.hpp).
    double stribeck_speed = 0.0;       ///< v_s [m/s]; 0: `coefficient` at every speed
    double stribeck_exponent = 2.0;    ///< d [-], above 0
    double viscous_coefficient = 0.0;  ///< c [s/m], 0 or larger

    bool is_mindlin() const {
        return law == FrictionLaw::mindlin || law == FrictionLaw::mindlin_displacement;
    }
    /// Whether one of the three dampings acts that only Mindlin's laws have.
    bool has_relative_damping() const {
        return damping_ratio > 0.0 || damping_factor > 0.0 || normal_damping_factor > 0.0;
    }
};

/// The rolling torque is limited to `coefficient` times effective radius times normal force, the
/// twisting torque to `twisting_coefficient` times the same. Both 0: no torques.
struct Rolling {
    double coefficient = 0.0;           ///< [-], 0 or larger
    double twisting_coefficient = 0.0;  ///< [-], 0 or larger
    /// Relative to the critical damping of the rolling spring with the pair's effective inertia
    /// [-]; 0 or larger.
    double damping_ratio = 0.0;

    bool acts() const { return coefficient > 0.0 || twisting_coefficient > 0.0; }
};

}  // namespace beadwave::laws

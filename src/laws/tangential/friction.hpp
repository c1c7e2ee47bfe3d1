// Friction and rolling resistance as a person chooses them.
#pragma once

namespace beadwave::laws {

/// Which tangential law.
enum class FrictionLaw {
    none,
    linear,               ///< a spring of constant stiffness with a dashpot
    mindlin,              ///< Mindlin's no-slip stiffness, by increments of the force
    mindlin_displacement  ///< the same stiffness times the whole displacement
};

/// The force is cut at `coefficient` times the normal force.
struct Friction {
    FrictionLaw law = FrictionLaw::none;
    double coefficient = 0.0;  ///< mu [-], from 0
    double stiffness = 0.0;    ///< of linear [N/m], above 0
    double damping = 0.0;      ///< of linear [N s/m], from 0
};

/// The torques are cut at `coefficient` (rolling) and `twisting` times effective radius times
/// normal force; both 0: none.
struct Rolling {
    double coefficient = 0.0;  ///< [-], from 0
    double twisting = 0.0;     ///< [-], from 0
    /// Of the critical damping of the rolling spring with the pair's effective inertia [-]; from 0.
    double damping_ratio = 0.0;

    bool acts() const { return coefficient > 0.0 || twisting > 0.0; }
};

}  // namespace beadwave::laws

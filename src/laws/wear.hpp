// Wear of surfaces that slide under load.
#pragma once

namespace beadwave::laws {

enum class WearLaw { archard, finnie };

enum class WearOf { wall, triangle };

/// Archard's law of sliding, J. F. Archard, J. Appl. Phys. 24 (1953) 981, or Finnie's of impacts,
/// I. Finnie, Wear 3 (1960) 87.
struct Wear {
    WearLaw law = WearLaw::archard;
    double coefficient = 0.0;    ///< [-]
    double hardness = 0.0;       ///< Archard's: of the surface that wears [Pa]
    double flow_pressure = 0.0;  ///< Finnie's: of the surface that wears [Pa]
    WearOf per = WearOf::wall;   ///< of whole walls; also of each triangle of meshes

    /// Worn volume [m^3] after so much normal force times sliding distance, or finnie_cutting(),
    /// summed over contacts or impacts [J].
    double volume(double work) const {
        return coefficient / (law == WearLaw::archard ? hardness : flow_pressure) * work;
    }
};

/// m v^2 f(alpha) of an impact at the angle alpha to the surface [J]: Finnie's grain leaves the
/// surface again, f = sin 2 alpha - 3 sin^2 alpha, up to tan alpha = 1/3; above it stops in its
/// cut, f = cos^2 alpha / 3. mass [kg]; speeds along the normal and along the surface [m/s].
inline double finnie_cutting(double mass, double approach, double slip) {
    if (3.0 * approach <= slip) return mass * approach * (2.0 * slip - 3.0 * approach);
    return mass * slip * slip * (1.0 / 3.0);
}

}  // namespace beadwave::laws

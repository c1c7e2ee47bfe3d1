// Wear of surfaces that slide under load.
#pragma once

namespace beadwave::laws {

enum class WearLaw { archard };

/// Archard's law: J. F. Archard, J. Appl. Phys. 24 (1953) 981.
struct Wear {
    WearLaw law = WearLaw::archard;
    double coefficient = 0.0;  ///< [-]
    double hardness = 0.0;     ///< of the surface that wears [Pa]

    /// Worn volume [m^3] after so much normal force times sliding distance [J].
    double volume(double rubbing) const { return coefficient / hardness * rubbing; }
};

}  // namespace beadwave::laws

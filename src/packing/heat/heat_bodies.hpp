// What the bodies of a packing need to become warm: plain data of a Packing.
#pragma once

#include <optional>
#include <vector>

namespace beadwave::packing {

/// A wall of a fixed temperature has as much heat as it needs; another one is insulated.
struct WarmWall {
    std::optional<double> temperature{};  ///< [K]; none: insulated
    double conductivity = 0.0;            ///< [W/(m K)]
};

struct HeatBodies {
    // One per particle.
    std::vector<double> start;          ///< temperature when it is there first [K]
    std::vector<double> specific_heat;  ///< [J/(kg K)], above 0
    std::vector<double> conductivity;   ///< [W/(m K)]; 0: heat stays where it is made
    std::vector<WarmWall> walls;
};

}  // namespace beadwave::packing

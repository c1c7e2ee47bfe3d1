// Rigid contacts: bodies that do not overlap and whose impacts take no time. They have no force as
// a function of the overlap, so they are no law of the catalogue; packings have an engine for them
// (packing/rigid/rigid_backend.hpp).
#pragma once

#include "beadwave/laws/settings.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace beadwave::laws {

inline constexpr std::string_view rigid_name = "rigid";

/// The parameters of a law as the readers of scenarios take them.
struct RigidLaw {
    std::string name{rigid_name};
    std::vector<Parameter> parameters;
};

/// restitution [-], solver_tolerance [-] and solver_iterations.
const RigidLaw& rigid_law();

/// Complete settings with this restitution e [-], from 0 to 1.
Settings rigid_settings(double restitution);

inline bool is_rigid(const Settings& law) {
    return law.name == rigid_name;
}

}  // namespace beadwave::laws

// Parameters that several laws share, and how makers read them.
#pragma once

#include "beadwave/laws/settings.hpp"

#include <vector>

namespace beadwave::laws {

Parameter restitution_parameter();
Parameter impact_speed_parameter();
Parameter min_impact_speed_parameter();
/// "gap" or "force"; `standard` is what the law's own source uses.
Parameter separation_parameter(std::string_view standard);
Parameter psi_parameter();
Parameter xi_parameter();

/// restitution, impact_speed, min_impact_speed, separation = "force".
std::vector<Parameter> dashpot_parameters();

/// The force below which the law does not go: 0, or -infinity with separation = "gap" [N].
double lowest_force(const Settings& settings);

}  // namespace beadwave::laws

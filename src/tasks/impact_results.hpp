// The impact of two rigid bodies with friction, under each definition of restitution.
#pragma once

#include "io/scenario/impact_table.hpp"
#include "laws/rigid_impact.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace beadwave::tasks {

struct ImpactResult {
    std::string_view definition;  ///< newton, poisson, stronge
    laws::RigidImpact impact;
};

/// At this approach speed [m/s].
std::vector<ImpactResult> impact_results(const io::ImpactCase&, double speed);

nlohmann::ordered_json impact_json(const io::ImpactCase&, double speed,
                                   const std::vector<ImpactResult>&);
std::string impact_text(const io::ImpactCase&, double speed, const std::vector<ImpactResult>&);

}  // namespace beadwave::tasks

// The impact of two rigid bodies with friction, under each definition of restitution.
#pragma once

#include "jobs/collision_job.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace beadwave::tasks {

using jobs::ImpactResult;

nlohmann::ordered_json impact_json(const io::ImpactCase&, double speed,
                                   const std::vector<ImpactResult>&);
std::string impact_text(const io::ImpactCase&, double speed, const std::vector<ImpactResult>&);

}  // namespace beadwave::tasks

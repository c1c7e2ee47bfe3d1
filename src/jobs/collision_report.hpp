// What the collision of a subject gives: `beadwave collide` prints it as it is.
#pragma once

#include "beadwave/laws/collision.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace beadwave::jobs {

struct CollisionReport {
    nlohmann::ordered_json json;
    std::string text;
    std::vector<std::string> warnings;
    std::vector<laws::CollisionMoment> trajectory;  ///< empty unless asked for
};

}  // namespace beadwave::jobs

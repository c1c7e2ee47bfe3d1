// One collision of two bodies.
#pragma once

#include "beadwave/laws/collision.hpp"
#include "io/scenario/case_reader.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace beadwave::tasks {

/// What a restitution formula says of a collision.
struct FormulaResult {
    std::string_view name;
    double restitution;
};

struct CollisionResult {
    io::CollisionCase collided;
    laws::Collision hit;
    std::vector<FormulaResult> formulas;        ///< those whose numbers are all known
    std::vector<laws::CollisionMoment> course;  ///< empty unless asked for

    nlohmann::ordered_json json() const;
};

/// Throws ArgumentError for a law that cannot be between these bodies.
CollisionResult collide(io::CollisionCase collided, bool with_course);

}  // namespace beadwave::tasks

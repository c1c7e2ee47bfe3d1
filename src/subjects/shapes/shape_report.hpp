// A collision of two bodies in space, for people and for programs.
#pragma once

#include "subjects/shapes/shape_collision.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace beadwave::jobs {

nlohmann::ordered_json json_of(const ShapeCollision&);
std::string text_of(const ShapeCollision&);

}  // namespace beadwave::jobs

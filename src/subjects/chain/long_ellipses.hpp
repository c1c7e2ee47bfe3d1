// Crossed cylinders that are too short for the ellipse on which they touch.
#pragma once

#include "chain/scenario.hpp"

#include <optional>
#include <string>

namespace beadwave::io {

/// A warning if the ellipse becomes longer than a cylinder, under the largest of the precompression
/// and the elastic force of the first impact.
std::optional<std::string> long_ellipse(const chain::Scenario&);

}  // namespace beadwave::io

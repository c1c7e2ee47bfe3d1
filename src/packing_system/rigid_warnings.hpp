// Warnings about runs with rigid contacts.
#pragma once

#include "packing/packing.hpp"
#include "packing/rigid/rigid_report.hpp"

#include <string>
#include <vector>

namespace beadwave::running {

/// A run warns of penetrations beyond this part of the smaller radius: rigid bodies have none, and
/// the scheme one of the order of the time step.
inline constexpr double large_penetration = 0.02;

/// About steps that did not converge, and the deepest penetration. time_step [s].
std::vector<std::string> rigid_warnings(const packing::Packing& packing,
                                        const packing::RigidReport& report, double time_step);

}  // namespace beadwave::running

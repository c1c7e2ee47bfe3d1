// Loops that repeat conditions of each other: a coupler on three parallel cranks moves, though its
// joints are one too many. Of its conditions, as many as are independent keep all loops closed.
#pragma once

#include "mechanism/loop_conditions.hpp"

#include <optional>
#include <vector>

namespace beadwave::mechanism {

/// Number of independent conditions where the mechanism moves, if some conditions repeat others;
/// empty if all are independent there, or if the loops allow no motion. Moves the tree away from
/// the start to find out.
std::optional<std::size_t> rank_of_redundant_loops(const LoopConditions&, simbody::Tree&);

/// Whether the conditions leave a motion at the start, were the motors free. Without one the bodies
/// are a rigid structure.
bool allow_motion(const LoopConditions&, simbody::Tree&);

/// The projection of numbers, one per row, onto the columns, which span a space of this rank.
std::vector<double> in_column_space(const LoopConditions::Rows&, std::size_t rank,
                                    const std::vector<double>& numbers);

}  // namespace beadwave::mechanism

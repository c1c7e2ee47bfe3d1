// Branches of orbits that leave a bifurcation of another one.
//
// Where a multiplier passes -1, orbits of twice the period leave; where one passes 1 away from a
// turning point of the parameter, orbits that have lost a symmetry. With r(x, parameter) = 0 the
// equations of the orbits that leave, dr/dx is singular there, and its null vector is their
// direction; the parameter changes with the square of the distance only (Govaerts 2000, chapters
// 4 and 8).
#pragma once

#include "orbits/branch.hpp"
#include "orbits/curve.hpp"
#include "orbits/problem.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace beadwave::orbits {

/// Periods of a branch that become one of the orbits that leave it at this kind of bifurcation; 0:
/// no orbits leave it.
std::size_t periods_of_departure(const std::string& kind);

/// The bifurcation with the direction in which orbits leave it, or with the opposite one.
/// `problem`: that of these orbits. None: dr/dx is not singular, as where the energy of
/// conservative orbits has an extreme, or where orbits without a turning point leave.
std::optional<CurvePoint> leave(const Problem& problem, const Bifurcation& bifurcation,
                                double least, bool opposite = false);

}  // namespace beadwave::orbits

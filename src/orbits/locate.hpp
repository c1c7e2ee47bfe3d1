// Where a branch changes its stability.
#pragma once

#include "orbits/curve.hpp"
#include "orbits/multipliers.hpp"

#include <optional>
#include <string>
#include <vector>

namespace beadwave::orbits {

Stability stability_at(const Problem& problem, const std::vector<double>& x, double parameter);

struct Located {
    CurvePoint point;
    Complex multiplier;
};

/// The kinds of instability that a branch may change.
const std::vector<std::string>& kinds_of(bool conservative);

std::size_t count_of(const Stability& stability, const std::string& kind);

/// Where the parameter turns back, between `a` and the point `length` further on.
std::optional<Located> locate_fold(const Curve& curve, const CurvePoint& a, double length);

/// Where the number of instabilities of a kind passes from `count` to one more, or back.
std::optional<Located> locate_change(const Curve& curve, const CurvePoint& a, double length,
                                     const std::string& kind, std::size_t count);

}  // namespace beadwave::orbits

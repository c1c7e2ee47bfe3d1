// A branch of orbits in one parameter, with its bifurcations.
#pragma once

#include "orbits/curve.hpp"
#include "orbits/find.hpp"
#include "orbits/multipliers.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::orbits {

struct BranchPoint {
    double value;      ///< of the parameter
    double frequency;  ///< [Hz]
    double energy;     ///< [J]
    double amplitude;  ///< the largest displacement of a bead [m]
    Stability stability;
    bool crossed_jump;  ///< see PeriodMap::crossed_jump()
};

/// Where the parameter turns back ("fold") or the kinds of instability change; see Instability.
struct Bifurcation {
    std::string kind;
    double value, frequency;
    Complex multiplier;  ///< at the place, with the imaginary part from 0
    // The orbit there, with the steps of the branch, where the parameter differs a little.
    std::vector<double> x{};
    double value_of_steps = 0.0;
};

struct Branch {
    std::vector<BranchPoint> points{};
    std::vector<Bifurcation> bifurcations{};
    std::string ended{};  ///< why before the end; empty: it reached the end
};

struct BranchRequest {
    double from, to;  ///< of the parameter
    std::size_t most_points = 1000;
    Stop stop{};
    /// A bifurcation with the direction of another branch (see leave()), where this one begins;
    /// none: it begins at `from`.
    std::optional<CurvePoint> departure{};
};

/// Follows a branch from an orbit x at `from`, towards `to`, or from the request's departure, until
/// the parameter leaves the range.
/// Bifurcations are located with the problem's steps and with twice as many, and extrapolated.
Branch follow_branch(const Problem& problem, std::vector<double> x, double least,
                     const BranchRequest& request);

}  // namespace beadwave::orbits

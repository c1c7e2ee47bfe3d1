// A branch of orbits in one parameter, with its bifurcations.
#pragma once

#include "orbits/curve.hpp"
#include "orbits/find.hpp"
#include "orbits/multipliers.hpp"

#include <cstddef>
#include <functional>
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
    bool crossed_jump;           ///< see PeriodMap::crossed_jump()
    double least_overlap = 0.0;  ///< see PeriodMap::least_overlap() [m]
    State state{};               ///< at the start of the period
};

/// Where the parameter turns back ("fold") or the kinds of instability change; see Instability.
struct Bifurcation {
    std::string kind;
    double value, frequency;
    Complex multiplier;      ///< at the place, with the imaginary part from 0
    std::size_t after = 0;   ///< the number of the branch's point before it
    double amplitude = 0.0;  ///< [m]
    double energy = 0.0;     ///< [J]
    State state{};           ///< at the start of the period
    // The orbit there, with the steps of the branch, where the parameter differs a little.
    std::vector<double> x{};
    double value_of_steps = 0.0;
};

struct Branch {
    std::vector<BranchPoint> points{};
    std::vector<Bifurcation> bifurcations{};
    std::string ended{};  ///< why before the end; empty: it reached the end
};

/// Where a branch can be taken up again, with the same bits as without a pause.
struct BranchPlace {
    CurvePoint point;  ///< that of the last of Branch::points
    double length;     ///< of the next step along the curve
};

/// A part of a branch that is known, and where it goes on.
struct BranchPart {
    Branch branch;
    BranchPlace place{};
};

struct BranchRequest {
    double from, to;  ///< of the parameter
    std::size_t most_points = 1000;
    Stop stop{};
    /// A bifurcation with the direction of another branch (see leave()), where this one begins;
    /// none: it begins at `from`.
    std::optional<CurvePoint> departure{};
    std::optional<BranchPart> earlier{};  ///< none: from x, or the departure
    /// Called after each point from which the branch goes on, and after its bifurcations.
    std::function<void(const Branch&, const BranchPlace&)> reached{};
};

/// Follows a branch from an orbit x at `from`, towards `to`, or from the request's departure, until
/// the parameter leaves the range. Bifurcations are located with the problem's steps and with twice
/// as many, and extrapolated. x is not needed if an earlier part or a departure is given.
Branch follow_branch(const Problem& problem, std::vector<double> x, double least,
                     const BranchRequest& request);

}  // namespace beadwave::orbits

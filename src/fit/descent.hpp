// From a start to the nearest least sum of squares.
#pragma once

#include "fit/minimise.hpp"
#include "fit/model.hpp"

#include <span>
#include <vector>

namespace beadwave::fit {

struct Point {
    std::vector<double> x;  ///< all parameters
    /// At x, per unit of each parameter's span high - low.
    Local local;
    /// Whether its lower or upper bound holds it back.
    std::vector<bool> at_bound;
};

/// Varies the parameters that are `free` and holds the others. Ends when the next step would be
/// less than `part` of a standard error, or nothing at all. Throws as Motion::at() at the start; a
/// point beyond which runs fail is walked around.
Point descend(Model& model, std::span<const double> start, const std::vector<bool>& free,
              const Target& target, const Weights& weights, double part);

/// The least squares of these columns alone.
Local reduced(const Local& local, const std::vector<bool>& keep);

}  // namespace beadwave::fit

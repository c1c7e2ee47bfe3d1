// Sums of drives with weights: motions and their derivatives.
#pragma once

#include "tangent/chain_numbers.hpp"

namespace beadwave::dynamics {

/// [m] times the unit of the weights.
inline double displacement(const WeightedDrives& drives, double time) {
    double sum = 0.0;
    for (const auto& [weight, drive] : drives)
        sum += weight * drive.displacement(time);
    return sum;
}

/// [m/s] times the unit of the weights.
inline double velocity(const WeightedDrives& drives, double time) {
    double sum = 0.0;
    for (const auto& [weight, drive] : drives)
        sum += weight * drive.velocity(time);
    return sum;
}

}  // namespace beadwave::dynamics

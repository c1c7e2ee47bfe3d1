// How fast a packing can become, and what is compressed in it at the start.
#pragma once

#include "beadwave/dynamics/time_step.hpp"
#include "packing/packing.hpp"

#include <cstdint>
#include <vector>

namespace beadwave::packing {

/// A pair that is compressed at the start.
struct Compressed {
    std::uint32_t first, second;  ///< particle; particle, or particles() + wall
    Vec3 direction;               ///< from the first to the second
    double overlap;               ///< [m]
};

std::vector<Compressed> compressed_pairs(const Packing& packing);

/// Upper estimate of an approach speed [m/s]; `stored` [J] is what the most compressed contact can
/// set free.
double largest_speed(const Packing& packing, double stored, const dynamics::StepRequest& request);

}  // namespace beadwave::packing

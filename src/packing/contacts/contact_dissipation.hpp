// The energy that the contact of two bodies dissipated.
#pragma once

#include <cstddef>

namespace beadwave::packing {

/// Sums since the start [J]. Over all contacts they are the entries of PackingTotals: normal is
/// dissipated_normal, sliding + rolling + twisting is dissipated_tangential, and rolling + twisting
/// is dissipated_rolling.
struct DissipationParts {
    double normal = 0.0, sliding = 0.0, rolling = 0.0, twisting = 0.0;

    static constexpr std::size_t count = 4;
    static constexpr double DissipationParts::*all[count] = {
        &DissipationParts::normal, &DissipationParts::sliding, &DissipationParts::rolling,
        &DissipationParts::twisting};
    static constexpr const char* names[count] = {"normal", "sliding", "rolling", "twisting"};

    void add(const DissipationParts& other, double weight = 1.0) {
        for (const auto part : all)
            this->*part += weight * other.*part;
    }
    double sum() const { return normal + sliding + rolling + twisting; }
};

/// The dissipation of two bodies that touched since the start, with all images of the second, and
/// all triangles of a wall.
struct ContactDissipation {
    std::size_t first;   ///< particle
    std::size_t second;  ///< particle, or particles() + number of the wall
    DissipationParts parts;
};

}  // namespace beadwave::packing

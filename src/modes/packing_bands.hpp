// The bands of the endless packing that repeats a cell of a periodic box.
#pragma once

#include "linear/packing_operator.hpp"
#include "modes/interruptible.hpp"
#include "modes/modes.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace beadwave::modes {

/// The most freedoms of a cell for which bands are computed.
inline constexpr std::size_t most_branches = 600;
/// More branches than this are computed only if wave vectors are asked for.
inline constexpr std::size_t many_branches = 120;
/// The most numbers of a grid: points times branches.
inline constexpr std::size_t most_grid_numbers = 20'000'000;

struct WaveVectors {
    /// Corners of a path in units of the reciprocal vectors; empty: from 0 to half of the first
    /// vector, of the first two, of all three, and back.
    std::vector<std::array<double, 3>> corners{};
    /// Points of a grid over the whole zone along each reciprocal vector; 0: no grid.
    std::array<std::size_t, 3> grid{};
    int threads = 1;

    bool asked_for() const { return !corners.empty() || grid[0] > 0; }
};

/// Waves along the path, and on the grid if there is one. Bands are those of the path and of a grid
/// of symmetric points, whose edges are then followed to where they are highest and lowest; in
/// cells of more than 24 branches only those that bound a gap. None: no axis is periodic, or the
/// cell is too large. Throws InputError that starts with `name` if the grid is too large.
std::optional<Dispersion> dispersion(const linear::PackingOperator& packing,
                                     const WaveVectors& wanted, const std::string& name,
                                     const Stop& stop = {});

}  // namespace beadwave::modes

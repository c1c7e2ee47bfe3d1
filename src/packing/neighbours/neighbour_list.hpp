// The neighbour list: all pairs of bodies whose surfaces are closer than the skin.
//
// The second body of a pair may be a ghost: the periodic image of a particle, or the point of a
// wall closest to a particle. Ghosts are numbered after the particles, so a pair is always two
// numbers.
#pragma once

#include "packing/edges.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace beadwave::packing {

struct Ghost {
    std::uint32_t of = 0;    ///< the particle that it is an image of, or that faces the wall
    std::int32_t wall = -1;  ///< number of the wall; -1: an image
    std::array<std::int32_t, 3> image{};  ///< shift in periods
    std::uint32_t patch = 0;              ///< of the wall's mesh
};

struct NeighbourList {
    // One per pair, sorted by first, then second particle, then image; walls last.
    std::vector<std::uint32_t> first;   ///< particle
    std::vector<std::uint32_t> second;  ///< particle with a higher number, or particles + ghost
    std::vector<Ghost> ghosts;

    std::size_t pairs() const { return first.size(); }
};

struct NeighbourSearch {
    std::span<const Vec3> position;  ///< [m]; periodic axes may be left by any number of periods
    std::span<const double> radius;  ///< [m]
    std::span<const Wall> walls;
    std::span<const Vec3> moved;  ///< displacements of the walls [m]
    Box box;
    double skin;  ///< [m]
    int threads = 1;
    std::span<const char> fixed{};   ///< pairs of two of these, or of one and a wall, are left out
    std::optional<Edges> edges{};    ///< of the box; none: those at the start
    double time = 0.0;               ///< now, for the angle of turning meshes [s]
    std::span<const char> absent{};  ///< these have no neighbours
    /// Only the pairs of which one particle, or the particle of which, is in this range.
    std::size_t own_begin = 0, own_end = std::numeric_limits<std::size_t>::max();

    bool is_absent(std::size_t particle) const { return !absent.empty() && absent[particle] != 0; }
};

/// All pairs whose surfaces are closer than the skin. The result does not depend on the number of
/// threads. A particle whose position is not finite has no neighbours.
NeighbourList find_neighbours(const NeighbourSearch& search);

}  // namespace beadwave::packing

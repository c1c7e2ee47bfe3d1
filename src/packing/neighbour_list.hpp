// Who is near whom.
//
// The second body of a pair may be a ghost: a particle's image behind a periodic border, or what a
// wall puts opposite a particle. Ghosts are numbered after the particles, so that a pair is two
// numbers whatever its bodies are.
#pragma once

#include "packing/packing.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::packing {

struct Ghost {
    std::uint32_t of = 0;    ///< particle that it is an image of, or that it stands before
    std::int32_t wall = -1;  ///< number of the wall; -1: an image
    std::array<std::int32_t, 3> image{};  ///< periods by which it is shifted
};

struct NeighbourList {
    // One a pair, by first, then second particle, then image; walls last.
    std::vector<std::uint32_t> first;   ///< particle
    std::vector<std::uint32_t> second;  ///< particle with a higher number, or particles + ghost
    std::vector<Ghost> ghosts;

    std::size_t pairs() const { return first.size(); }
};

/// Where a wall is now.
struct WallPlace {
    Vec3 point, normal;
};

struct Near {
    std::span<const Vec3> position;  ///< [m]; periodic axes may be left by any number of periods
    std::span<const double> radius;  ///< [m]
    std::span<const WallPlace> walls;
    Box box;
    double skin;  ///< [m]
    int threads = 1;
    std::span<const char> fixed{};  ///< of two of these, or one and a wall, nobody asks
};

/// All pairs whose surfaces are closer than the skin. The same for any number of threads. Positions
/// that are not finite are near nothing.
NeighbourList find_neighbours(const Near& near);

}  // namespace beadwave::packing

// Centres of spheres in crystals and random packings.
#pragma once

#include "packing/packing.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::packing {

enum class Lattice { square, hexagonal, simple_cubic, bcc, fcc, hcp };

/// "square", "hexagonal", "simple-cubic", "bcc", "fcc", "hcp", in the order of the enumeration.
std::span<const std::string_view> lattice_names();

/// True for square and hexagonal, which lie in a plane of constant z.
bool is_planar(Lattice lattice);

struct Crystal {
    Lattice lattice = Lattice::fcc;
    /// Conventional cells along x, y and z; for square and hexagonal: columns, rows, and 1. The
    /// cells of cubic lattices are cubes along [100], [010], [001]. Hexagonal rows lie along x,
    /// every second one is shifted by half a spacing. hcp stacks hexagonal layers along z, two per
    /// cell; its cell is the orthorhombic one with four particles.
    std::array<std::int64_t, 3> cells{1, 1, 1};
    Vec3 origin{};         ///< centre of the first particle [m]
    double radius = 0.0;   ///< [m]
    double overlap = 0.0;  ///< of touching neighbours [m]; negative: a gap
};

/// The number of its particles.
std::size_t count_of(const Crystal& crystal);

/// The centre of each particle by its number: z slowest, the particles of a cell together. Relative
/// positions of neighbours are bitwise the same everywhere in the crystal: the spacing is rounded
/// to a multiple of about 1e-12 of it.
std::function<Vec3(std::size_t number)> centre_of(const Crystal& crystal);

/// The centres of all, in this order.
std::vector<Vec3> centres(const Crystal& crystal);

/// Edges of the periodic box of the crystal [m]; z is 0 for a planar one.
Vec3 period(const Crystal& crystal);

/// Centres of spheres with these radii, placed at random in the box without touching, largest
/// first. In the plane z is that of `lower`. Throws std::invalid_argument if a sphere finds no
/// place; they do up to a solid fraction of about 0.3 (0.45 in the plane).
std::vector<Vec3> random_loose(std::span<const double> radii, Vec3 lower, Vec3 upper, int dimension,
                               std::uint64_t seed);

}  // namespace beadwave::packing

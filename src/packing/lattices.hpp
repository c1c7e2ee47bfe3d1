// Crystals and random packings of spheres, by where their centres are.
#pragma once

#include "packing/packing.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::packing {

enum class Lattice { square, hexagonal, simple_cubic, bcc, fcc, hcp };

/// "square", "hexagonal", "simple-cubic", "bcc", "fcc", "hcp"; in the order of the enumeration.
std::span<const std::string_view> lattice_names();

/// square and hexagonal, which lie in a plane of constant z.
bool is_planar(Lattice lattice);

struct Crystal {
    Lattice lattice = Lattice::fcc;
    /// Conventional cells along x, y and z; square and hexagonal: columns, rows, and 1. The cells
    /// of cubic lattices are cubes along [100], [010], [001]; a hexagonal row lies along x, every
    /// other one is shifted by half a spacing; hcp stacks hexagonal layers, two to a cell, along z,
    /// and its cell is the orthorhombic one of four particles.
    std::array<std::int64_t, 3> cells{1, 1, 1};
    Vec3 origin{};         ///< centre of the first particle [m]
    double radius = 0.0;   ///< [m]
    double overlap = 0.0;  ///< of touching neighbours [m]; negative: a gap
};

/// Centres, z slowest and the particles of a cell together. Neighbours' relative positions come out
/// alike to the bit wherever they are: the spacing is rounded to a multiple of some 1e-12 of it.
std::vector<Vec3> centres(const Crystal& crystal);

/// Edges of the box that repeats the crystal [m]; of a planar one, z is 0.
Vec3 period(const Crystal& crystal);

/// Centres of spheres of these radii thrown at random into the box without touching, largest first;
/// in the plane z is that of `lower`. Throws std::invalid_argument where they find no place: up to
/// a solid fraction of about 0.3 (0.45 in the plane) they do.
std::vector<Vec3> random_loose(std::span<const double> radii, Vec3 lower, Vec3 upper, int dimension,
                               std::uint64_t seed);

}  // namespace beadwave::packing

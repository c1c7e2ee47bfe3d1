// Crystals that several tests of modes share.
#pragma once

#include "packings.hpp"

#include <array>
#include <cstdint>

namespace beadwave::validation {

inline constexpr double crystal_overlap = 2e-7;

/// A periodic crystal of steel spheres; Mindlin's friction if `rotates`.
inline packing::Packing crystal_of(packing::Lattice lattice, std::array<std::int64_t, 3> cells,
                                   bool rotates, double squeezed = crystal_overlap) {
    packing::Packing p = steel_packing();
    const packing::Crystal crystal{
        .lattice = lattice, .cells = cells, .radius = steel_radius, .overlap = squeezed};
    add_crystal(p, crystal);
    p.dimension = packing::is_planar(lattice) ? 2 : 3;
    p.box.upper = packing::period(crystal);
    p.box.periodic = {true, true, p.dimension == 3};
    if (rotates) p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.5};
    return p;
}

}  // namespace beadwave::validation

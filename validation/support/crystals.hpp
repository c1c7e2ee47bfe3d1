// Crystals that several tests share.
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

/// A crystal with friction and losses on a floor into which it is pressed by so much [m], periodic
/// along x and y, with a thin skin.
inline packing::Packing crystal_on_floor(std::array<std::int64_t, 3> cells, double pressed) {
    packing::Packing p = steel_packing("tsuji");
    p.law = law_settings("tsuji", {{"restitution", 0.8}});
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    const packing::Crystal crystal{.lattice = packing::Lattice::fcc,
                                   .cells = cells,
                                   .origin = {0.0, 0.0, steel_radius - pressed},
                                   .radius = steel_radius,
                                   .overlap = 1e-6};
    add_crystal(p, crystal);
    p.box.upper = packing::period(crystal);
    p.box.periodic = {true, true, false};
    p.walls.push_back({.shape = packing::Plane{.point = {}, .normal = {0, 0, 1}}});
    p.skin = 0.05 * steel_radius;
    return p;
}

}  // namespace beadwave::validation

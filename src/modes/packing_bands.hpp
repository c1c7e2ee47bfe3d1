// Bloch waves of the endless packing that repeats a cell of a periodic box.
#pragma once

#include "linear/packing_operator.hpp"
#include "modes/modes.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace beadwave::modes {

/// The smallest cell whose repetition is the packing.
struct PrimitiveCell {
    struct Contact {
        linear::Link link;
        /// Half for a contact seen from one of its two bodies, which is seen from the other too.
        double share;
        std::uint32_t first, second;  ///< places in the cell; of a contact with the ground equal
        packing::Vec3 branch;         ///< from the first to the second body [m]
    };
    std::vector<packing::Vec3> vectors;  ///< one per periodic axis [m]
    std::vector<std::uint32_t> bodies;   ///< one body of the operator for each place
    std::vector<Contact> contacts;       ///< of these bodies
};
PrimitiveCell primitive_cell(const linear::PackingOperator& packing);

/// Angular frequencies [rad/s], ascending, of waves with a wave vector [rad/m]. Without damping. Of
/// a wave that grows: minus its rate [1/s].
std::vector<double> bloch_frequencies(const linear::PackingOperator& packing,
                                      const PrimitiveCell& cell, const packing::Vec3& wave);

/// Along a path of wave vectors, given by corners in units of the reciprocal vectors; empty: from
/// 0 to half of the first vector, of the first two, of all three, and back. The bands are those of
/// the path and of a grid over the zone. None: no axis is periodic, or the cell is too large.
std::optional<Dispersion> dispersion(const linear::PackingOperator& packing,
                                     std::span<const std::array<double, 3>> corners = {});

}  // namespace beadwave::modes

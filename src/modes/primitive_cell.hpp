// The smallest cell whose repetition is a packing in a periodic box.
#pragma once

#include "linear/packing_operator.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace beadwave::modes {

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

    /// The vectors, with unit vectors along the axes that are not periodic.
    std::array<packing::Vec3, 3> basis(const packing::Box& box) const;
};

/// None: the cell has more than `most_bodies` bodies. Bodies are alike if mass, radius and contacts
/// agree to 1e-6, and their places to a thousandth of a radius.
std::optional<PrimitiveCell> primitive_cell(const linear::PackingOperator& packing,
                                            std::size_t most_bodies = 600);

/// The reciprocal vectors of a basis, without 2 pi: b_i . a_j = 1 if i = j, otherwise 0.
std::array<packing::Vec3, 3> reciprocal(const std::array<packing::Vec3, 3>& basis);

}  // namespace beadwave::modes

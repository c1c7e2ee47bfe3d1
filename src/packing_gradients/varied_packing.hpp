// A packing whose numbers may be changed, and the laws of its pairs. A particle has a Young's
// modulus of its own, also if others share its material.
#pragma once

#include "packing/contacts/pair_laws.hpp"
#include "packing/packing.hpp"

#include <cstdint>
#include <vector>

namespace beadwave::packing_gradients {

struct VariedPacking {
    packing::Packing packing;
    std::vector<double> youngs_modulus;  ///< per particle [Pa]

    explicit VariedPacking(const packing::Packing& given);
};

/// Two particles, the first with the lower number, or a particle and particles() + a wall.
struct PairBodies {
    std::uint32_t first, second;

    bool operator==(const PairBodies&) const = default;
};

/// The laws of a pair, as the packing's engines have them.
packing::PairLaw law_of(const VariedPacking& varied, const PairBodies& pair);

}  // namespace beadwave::packing_gradients

// A chain of one tile as the code that steps several of them sees it.
#pragma once

#include "simd/instruction_sets.hpp"
#include "tiled_kernel.hpp"

#include <cstddef>
#include <cstdint>

namespace beadwave::dynamics {

struct ChainView {
    simd::Target target;
    std::size_t law;  ///< its index in laws::AnyLaw
    std::size_t law_fields, memory_fields;
    bool conservative;
    std::size_t beads;
    std::size_t awake;  ///< beads from this number on are at rest
    std::int64_t step;
    Parameters parameters;
    State state;
};

}  // namespace beadwave::dynamics

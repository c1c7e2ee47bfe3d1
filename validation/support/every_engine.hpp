// Both engines of chains, for tests that run on each.
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "dynamics/tiled/tiled_engine.hpp"

#include <functional>

namespace beadwave::validation {

/// Both engines, on every instruction set.
inline void each_engine(const chain::Chain& chain, double dt,
                        const std::function<void(dynamics::Engine&)>& check) {
    check(*dynamics::make_plain_engine(chain, dt));
    for (const simd::InstructionSet& set : simd::instruction_sets())
        check(*dynamics::make_tiled_engine(chain, dt, 1, {.beads = 16, .steps = 9}, set));
}

}  // namespace beadwave::validation

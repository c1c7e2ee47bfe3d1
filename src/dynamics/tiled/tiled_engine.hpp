// The tiled engine on a chosen instruction set; tests compare them.
#pragma once

#include "dynamics/tiled_engine.hpp"
#include "tiled_kernel.hpp"

namespace beadwave::dynamics {

std::unique_ptr<Engine> make_tiled_engine(const chain::Chain& chain, double time_step, int threads,
                                          const TileShape& shape,
                                          const simd::InstructionSet& instructions);

}  // namespace beadwave::dynamics

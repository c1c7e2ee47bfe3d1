// Which engine runs a chain.
#pragma once

#include <omp.h>

#include <memory>

#include "beadwave/dynamics/tiled_engine.hpp"

namespace beadwave::cli {

/// threads 0: as many as there are.
inline std::unique_ptr<dynamics::Engine> make_engine(const chain::Chain& chain, double time_step, int threads) {
    return dynamics::make_tiled_engine(chain, time_step, threads > 0 ? threads : omp_get_max_threads());
}

}  // namespace beadwave::cli

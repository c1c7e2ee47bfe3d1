// Which engine runs a chain.
#pragma once

#include "beadwave/dynamics/tiled_engine.hpp"

#include <omp.h>

#include <memory>

namespace beadwave::cli {

/// threads 0: as many as there are.
inline std::unique_ptr<dynamics::Engine> make_engine(const chain::Chain& chain,
                                                     const chain::Time& time, double time_step,
                                                     int threads) {
    return dynamics::make_tiled_engine(chain, time_step,
                                       threads > 0 ? threads : omp_get_max_threads(),
                                       {.sleep_speed = time.sleep_speed});
}

}  // namespace beadwave::cli

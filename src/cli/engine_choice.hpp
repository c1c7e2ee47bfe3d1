// Which engine runs a chain.
#pragma once

#include "beadwave/dynamics/tiled_engine.hpp"
#include "beadwave/input_error.hpp"

#include <omp.h>

#include <memory>

namespace beadwave::cli {

/// threads 0: as many as there are.
inline std::unique_ptr<dynamics::Engine> make_engine(const chain::Chain& chain,
                                                     const chain::Time& time, double time_step,
                                                     int threads) {
    if (time.sleep_speed > 0.0 && !dynamics::runs_on_tiles(chain)) {
        throw InputError(
            "time.sleep_speed: beads under a law that is looked up in a table never sleep; leave "
            "it out");
    }
    return dynamics::make_tiled_engine(chain, time_step,
                                       threads > 0 ? threads : omp_get_max_threads(),
                                       {.sleep_speed = time.sleep_speed});
}

}  // namespace beadwave::cli

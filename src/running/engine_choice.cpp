#include "dynamics/tiled_engine.hpp"
#include "running/chain_system.hpp"

#include <omp.h>

namespace beadwave::running {

std::unique_ptr<dynamics::Engine> make_engine(const chain::Chain& chain, const Settings& settings,
                                              double time_step, int threads) {
    // Only the plain engine knows what each contact dissipates.
    if (settings.dissipation.any()) return dynamics::make_plain_engine(chain, time_step, true);
    return dynamics::make_tiled_engine(chain, time_step,
                                       threads > 0 ? threads : omp_get_max_threads(),
                                       {.sleep_speed = settings.sleep_speed});
}

}  // namespace beadwave::running

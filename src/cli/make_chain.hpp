// The chain of a scenario, unless this machine cannot hold it.
#pragma once

#include "beadwave/chain/chain.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace beadwave::cli {

/// Throws InputError for a chain that cannot fit: Linux would promise the memory, and kill the
/// program as it fills it.
inline chain::Chain make_chain(const chain::Scenario& scenario) {
    constexpr double bytes_a_bead = 70.0;  // chain and engine under Hertz's law, which needs least
    const double needed = bytes_a_bead * static_cast<double>(scenario.bead_count());
    const double memory =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    if (needed > memory) {
        scenario.origin.fail(
            "segment",
            fmt::format("{} beads need {:.0f} GB of memory or more; this machine has {:.0f}",
                        scenario.bead_count(), needed / 1e9, memory / 1e9));
    }
    return chain::build_chain(scenario);
}

}  // namespace beadwave::cli

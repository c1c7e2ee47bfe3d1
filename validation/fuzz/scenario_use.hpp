// The use of a scenario before the first step of a run.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/build_chain.hpp"
#include "recording/schedule.hpp"
#include "running/chain_system.hpp"

#include <stdexcept>

namespace beadwave::fuzz {

/// Longer chains only need more time.
inline constexpr std::int64_t most_beads = 64;

inline void use_scenario(const chain::Scenario& scenario) {
    if (scenario.bead_count() > most_beads) return;
    const chain::Chain chain = chain::build_chain(scenario);
    stepping::TimeStep step{};
    try {
        step = running::choose_time_step(scenario, chain);
    } catch (const std::runtime_error&) {
        return;  // an error, or a collision that never ends: the run fails
    }
    for (const auto& interval : {scenario.snapshot_interval, scenario.energy_interval}) {
        if (!interval) continue;
        recording::Schedule schedule(*interval, step.step);
        schedule.done(0);
        schedule.done(schedule.next());
    }
}

}  // namespace beadwave::fuzz

// From a scenario to what runs: the chain, its time step, its engine. What is wrong with the
// scenario is said with the place in its file.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/dynamics/engine.hpp"
#include "beadwave/dynamics/time_step.hpp"
#include "beadwave/running/settings.hpp"
#include "chain/scenario.hpp"
#include "ranks/ranks.hpp"

#include <memory>

namespace beadwave::running {

/// How the scenario says that it is to be run.
Settings settings_of(const chain::Scenario& scenario);

/// What a run of the scenario takes at most, chain and engine [bytes]; its history's buffers come
/// to that. `chain`: one, of whatever length, with its law.
double memory_needed(const chain::Scenario& scenario, const chain::Chain& chain);

/// Throws InputError, also for a chain that this machine's memory cannot hold: Linux would promise
/// it, and kill the program as it fills it. Several ranks build it together, each its share; null
/// or alone: all of it.
chain::Chain build_chain(const chain::Scenario& scenario, ranks::Ranks* ranks = nullptr);

/// dynamics::choose_time_step, whose errors name the key of the file. Throws InputError.
dynamics::TimeStep choose_time_step(const chain::Scenario& scenario, const chain::Chain& chain);

/// time_step [s]; threads 0: as many as there are.
std::unique_ptr<dynamics::Engine> make_engine(const chain::Chain& chain, const Settings& settings,
                                              double time_step, int threads);

}  // namespace beadwave::running

// From a scenario to a running system: the chain, its time step, its engine. Errors name the place
// in the scenario's file.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/dynamics/engine.hpp"
#include "beadwave/running/settings.hpp"
#include "beadwave/stepping/time_step.hpp"
#include "chain/scenario.hpp"
#include "ranks/communicator.hpp"

#include <memory>

namespace beadwave::running {

/// The settings of the run in a scenario of any system; of a chain also its equilibrium.
Settings settings_of(const scenario::Common& scenario);
Settings settings_of(const chain::Scenario& scenario);

/// Upper bound of the memory of a run, for chain and engine [bytes]; buffers of the history are
/// extra. `chain`: a chain of any length with the law of the scenario.
double memory_needed(const chain::Scenario& scenario, const chain::Chain& chain);

/// Throws InputError, also for a chain that does not fit the memory of this machine; without this
/// check, Linux would grant the memory and kill the program when it uses it. Several ranks build
/// the chain together, each its own partition; null or one rank: the whole chain.
chain::Chain build_chain(const chain::Scenario& scenario, ranks::Communicator* ranks = nullptr);

/// As dynamics::choose_time_step, but with errors that name the key in the file. Throws
/// InputError.
stepping::TimeStep choose_time_step(const chain::Scenario& scenario, const chain::Chain& chain);

/// time_step [s]; threads 0: all that there are.
std::unique_ptr<dynamics::Engine> make_engine(const chain::Chain& chain, const Settings& settings,
                                              double time_step, int threads);

}  // namespace beadwave::running

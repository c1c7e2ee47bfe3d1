// Runs a packing from the first step to the last; beadwave/running/simulation.hpp does it for a
// chain. If the chosen time step turns out too long, the run restarts with a shorter one.
#pragma once

#include "beadwave/running/settings.hpp"
#include "beadwave/running/step_trials.hpp"
#include "packing/build/scenario.hpp"
#include "packing_system/stepped_packing.hpp"

#include <cstddef>
#include <functional>
#include <memory>

namespace beadwave::running {

PackingSettings settings_of(const packing::Scenario& scenario);

/// packing::choose_time_step; errors name the key in the file. Throws InputError.
stepping::TimeStep choose_time_step(const packing::Scenario& scenario,
                                    const packing::Packing& packing,
                                    ranks::Communicator* ranks = nullptr);

using PackingFinished = FinishedRun<PackingResult>;

/// Makes the engine for a packing, a time step [s] and a number of threads.
using MakePackingEngine = std::function<std::unique_ptr<packing::PackingEngine>(
    const packing::Packing&, double time_step, int threads)>;

/// The engine for a run with these settings; time_step [s].
std::unique_ptr<packing::PackingEngine> make_engine(const packing::Packing& packing,
                                                    const PackingSettings& settings,
                                                    double time_step, int threads,
                                                    ranks::Communicator* ranks = nullptr);

/// The number of threads worth using for a packing on this machine: a few particles take less time
/// than the synchronisation of threads.
int worthwhile_threads(std::size_t particles);

/// Runs the packing, starting with the trial `first`; threads 0: worthwhile_threads(). `from`, if
/// not null, is the checkpoint from which that trial continues. `ranks`: that share the packing;
/// null: one process. Throws RunError.
PackingFinished run_packing(const packing::Packing& packing, const PackingSettings& settings,
                            const StepTrial& first, int threads, const StartTrial& start,
                            const SavedState* from = nullptr, const MakePackingEngine& make = {},
                            ranks::Communicator* ranks = nullptr);

/// Throws InputError, with one sentence, if these ranks cannot share the packing.
void check_shared(const packing::Scenario& scenario, const packing::Packing& packing,
                  const ranks::Communicator& ranks);

}  // namespace beadwave::running

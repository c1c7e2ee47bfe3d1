// One run of a packing from the first step to the last; see beadwave/running/simulation.hpp for
// that of a chain. A run whose chosen time step turns out too long begins again with a shorter one.
#pragma once

#include "beadwave/running/attempts.hpp"
#include "beadwave/running/settings.hpp"
#include "observers/packing_ledger.hpp"
#include "observers/packing_sensors.hpp"
#include "packing/scenario.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace beadwave::running {

/// How the scenario says that it is to be run.
Settings settings_of(const packing::Scenario& scenario);

/// packing::choose_time_step, whose errors name the key of the file. Throws InputError.
dynamics::TimeStep choose_time_step(const packing::Scenario& scenario,
                                    const packing::Packing& packing);

/// Where samples go; any may be empty.
struct PackingSinks {
    observers::PackingSensorSink sensors;
    std::function<void(std::int64_t step, double time, const packing::PackingEngine&)> snapshot;
    std::function<void(std::int64_t step, double time, const observers::PackingLedger&,
                       const packing::PackingTotals&)>
        energy;
    std::function<void(std::int64_t step, double wall_seconds)> progress;
    std::function<bool()> stop;  ///< asked between blocks of steps; true ends the run early

    /// As Sinks::checkpoint_due and Sinks::checkpoint.
    std::function<bool(std::int64_t step)> checkpoint_due;
    std::function<void(const std::vector<double>& observers)> checkpoint;
};

struct PackingResult {
    std::int64_t steps;   ///< done
    bool stopped;         ///< by PackingSinks::stop
    double wall_seconds;  ///< of all its pieces, if it was continued
    observers::PackingLedger ledger;
    double largest_residual;                   ///< of all ledger samples, in size [-]
    packing::Vec3 initial_momentum, momentum;  ///< [kg m/s]
    packing::Vec3 initial_angular_momentum, angular_momentum;  ///< about the origin [kg m^2/s]
    packing::PackingRates rates;                               ///< the largest that were met
    std::vector<observers::PackingSensorResult> sensors;
    std::size_t listed_pairs;     ///< at the end
    std::size_t closed_contacts;  ///< at the end
    std::int64_t list_renewals;
};

struct PackingFinished {
    PackingResult result;
    Attempt attempt;                  ///< the one that came to the end
    int threads;                      ///< in use
    std::vector<std::string> doubts;  ///< what gives reason to doubt the result

    /// All that was noted.
    std::vector<std::string> notes() const;
};

/// Called before the first step of each attempt; what an earlier one has written is to be thrown
/// away.
using BeginPacking = std::function<PackingSinks(const Attempt&, packing::PackingEngine&)>;

/// Where a run stood at a checkpoint.
struct PackingSavedState {
    std::int64_t step;
    std::vector<double> observers;  ///< as PackingSinks::checkpoint got it
    /// PackingEngine::restore with what was saved; may throw InputError.
    std::function<void(packing::PackingEngine&)> restore;
};

/// How many of this machine's threads a packing is worth: a few particles take less time than
/// threads need to meet.
int worthwhile_threads(std::size_t particles);

/// Runs the packing, beginning with `first`; threads 0: as many as are worthwhile. `from`, if not
/// null, is where that attempt goes on. Throws RunError.
PackingFinished run_packing(const packing::Packing& packing, const Settings& settings,
                            const Attempt& first, int threads, const BeginPacking& begin,
                            const PackingSavedState* from = nullptr);

}  // namespace beadwave::running

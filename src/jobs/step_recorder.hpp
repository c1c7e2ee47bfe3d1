// Records a system that runs a number of steps at a time. Up to the end of the scenario the samples
// are those of a whole run, however the steps are divided.
#pragma once

#include "jobs/own_observables.hpp"
#include "jobs/recording.hpp"
#include "jobs/run_recorder.hpp"
#include "running/step_loop.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace beadwave::jobs {

class StepRecorder {
  public:
    /// Takes the samples of the present state, which need not be that at the start. `system` must
    /// outlive it. `energy_interval` [s]: of the ledger, unless the settings give one. Throws
    /// InputError if memory cannot hold the samples or an observable cannot be recorded.
    StepRecorder(running::System& system, const running::Settings& settings,
                 const stepping::TimeStep& time_step, double energy_interval, RunSource source,
                 const std::vector<OwnObservable>& observables);

    /// Advances the system to this step, or until `stop` returns true. Throws what the system and
    /// observables throw; the recording then ends with the last complete sample.
    void run_to(std::int64_t last, const std::function<bool()>& stop);

    const Recording& recording() const { return *memory_; }
    /// Those known before the run, and what is missing in the recording.
    std::vector<std::string> warnings() const;
    /// Writes a history of what was recorded so far. Throws InputError, std::runtime_error.
    void save(const io::Output& output) const;

  private:
    recording::Store* open(const std::vector<OwnObservable>& observables);

    running::System& system_;
    const stepping::TimeStep time_step_;
    RunSource source_;
    std::unique_ptr<ObservingStore> observing_;  // null: no observables
    std::unique_ptr<Recording> memory_;
    running::Callbacks callbacks_;
    running::StepLoop loop_;
    std::int64_t first_ = 0;    // step at which the recording began
    std::int64_t failed_ = -1;  // step at which an error ended the recording; -1: none
};

}  // namespace beadwave::jobs

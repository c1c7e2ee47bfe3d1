// A chain that runs a number of steps. Between two calls its state can be read and changed.
#pragma once

#include "dynamics/forced_engine.hpp"
#include "jobs/chain_job.hpp"
#include "python/stepper.hpp"
#include "python/turns.hpp"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace beadwave::python {

/// The engine's memory does not move during the life of the stepper, so its arrays are views.
class ChainStepper {
  public:
    ChainStepper(std::shared_ptr<jobs::ChainJob> job, int threads);

    void run(std::int64_t steps);
    std::int64_t timestep();
    double time() { return static_cast<double>(timestep()) * job_->time_step(); }
    const dynamics::Engine& engine() const { return *engine_; }
    std::map<std::string, double> energy();

    /// The velocities [m/s], for writing.
    std::span<double> open();
    /// Checks the velocities that were written, and continues from them. Throws InputError; the
    /// velocities are then as before.
    void close();

    /// On beads, see external_functions.hpp.
    void add_force(const std::vector<std::size_t>& beads, const py::object& function);
    void remove_force(std::size_t index);

    /// Another stepper in the same state, with the same forces.
    std::shared_ptr<ChainStepper> copy();
    io::SystemState saved();
    void restore(const io::SystemState& state);

  private:
    void refuse(const char* what) const { refuse_unless_between_steps(open_, in_step_, what); }
    io::SystemState state_now();
    void continue_from_written();

    std::shared_ptr<jobs::ChainJob> job_;
    std::unique_ptr<dynamics::ForcedEngine> engine_;
    Turns turns_;
    dynamics::SensorTrace trace_;
    dynamics::Totals start_{};
    StepperLedger ledger_;
    std::vector<double> before_;  // velocities when the state was opened
    bool open_ = false, in_step_ = false;
};

}  // namespace beadwave::python

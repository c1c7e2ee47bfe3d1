// A chain that runs a number of steps. Between two calls its state can be read and changed.
#pragma once

#include "beadwave/stepping/external_force.hpp"
#include "chain/fingerprint.hpp"
#include "dynamics/forced_engine.hpp"
#include "observers/balance.hpp"
#include "python/external_functions.hpp"
#include "python/stepper.hpp"
#include "running/stepped_chain.hpp"
#include "subjects/chain/chain_job.hpp"

#include <memory>
#include <span>
#include <vector>

namespace beadwave::python {

/// A force on these beads: the function returns one force per bead [N].
stepping::ExternalForce<double> chain_force(const std::vector<std::size_t>& beads,
                                            const py::object& function);

/// The engine's memory does not move during the life of the stepper, so its arrays are views.
class ChainStepper
    : public Stepper<ChainStepper, jobs::ChainJob, dynamics::ForcedEngine, running::SteppedChain> {
  public:
    static constexpr auto kind = recording::SystemKind::chain;
    static constexpr auto force_of = chain_force;

    static running::Settings settings_of(const jobs::ChainJob& job) { return job.settings(); }

    static recording::Ledger balance(const dynamics::Totals& start, const dynamics::Totals& now,
                                     double scale) {
        return observers::balance(start, now, scale);
    }

    ChainStepper(std::shared_ptr<jobs::ChainJob> job, int threads);

    const dynamics::Engine& engine() const { return *engine_; }

    /// The velocities [m/s], for writing.
    std::span<double> open();
    /// Checks the velocities that were written, and continues from them. Throws InputError; the
    /// velocities are then as before.
    void close();

    /// Adds the arrays and the scenario that the chain was made of.
    void describe(io::SystemState& state) const;
    void restore(const io::SystemState& state);

  private:
    void continue_from_written();

    std::vector<double> before_;  // velocities when the state was opened
};

}  // namespace beadwave::python

// A chain and its engine as a System: what is recorded of a chain, and when a run cannot continue.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/running/simulation.hpp"
#include "observers/sensor_recorder.hpp"
#include "recording/stream.hpp"
#include "running/bond_streams.hpp"
#include "running/chain_observables.hpp"

#include <memory>
#include <vector>

namespace beadwave::running {

class SteppedChain : public System {
  public:
    /// `chain` and `engine` must outlive it.
    SteppedChain(const chain::Chain& chain, const Settings& settings,
                 const stepping::TimeStep& time_step, dynamics::Engine& engine);
    /// Takes an engine of its own. `chain` must outlive it.
    SteppedChain(const chain::Chain& chain, const Settings& settings,
                 const stepping::TimeStep& time_step, std::unique_ptr<dynamics::Engine> engine);

    dynamics::Engine& engine() const { return engine_; }
    /// The interval of the ledger [s], if the settings give none.
    double standard_energy_interval() const;
    /// The results of a run that ended.
    RunResult result(RunEnd end) const;

    std::size_t bodies() const override { return chain_.total(); }
    int threads() const override { return engine_.threads(); }
    std::int64_t step() const override { return engine_.step(); }
    recording::Description description() const override;
    OwnPart own_part() const override;

    observers::SensorRecorder& sensors() override { return sensors_; }
    std::span<const double> sensor_force() const override { return trace_.force; }
    std::span<const double> sensor_velocity() const override { return trace_.velocity; }
    void sample_sensors() override { engine_.sample(trace_); }
    void advance(std::int64_t steps) override { engine_.advance(steps, trace_); }
    std::int64_t last_of_block(std::int64_t first) const override;
    void check_state() override;
    void take_snapshot(double time) override;
    const recording::Ledger& take_energy(double scale) override;
    const recording::Ledger& ledger() const override { return ledger_; }
    void serialize(Archive& archive) override;

    std::uint64_t fingerprint() const override;
    std::string another() const override {
        return "another chain: its beads, gaps, laws or loads are different";
    }
    std::vector<SavedColumn> state() override;
    void restore(std::int64_t step, const ReadColumn& read) override;

  private:
    std::string contact_of(std::size_t bead) const;

    const chain::Chain& chain_;
    std::unique_ptr<dynamics::Engine> owned_;
    dynamics::Engine& engine_;
    observers::SensorRecorder sensors_;
    dynamics::SensorTrace trace_;
    dynamics::Totals start_;
    recording::Ledger ledger_;
    observers::Observed<observers::ChainState> observed_{observers::chain_observables()};
    BondRecords bonds_;
    double snapshot_time_ = 0.0;
    std::vector<double> dissipation_;  ///< of each contact at the last snapshot [J], or empty
    dynamics::StabilityLimits stability_limits_;
};

}  // namespace beadwave::running

// An engine of chains with external forces. Around every step of another engine it adds their
// halves of the step. Without forces it only passes its calls on.
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "stepping/external_forces.hpp"

#include <memory>

namespace beadwave::dynamics {

class ForcedEngine final : public Engine {
  public:
    /// time_step [s]: that of the engine, which holds the whole chain.
    ForcedEngine(std::unique_ptr<Engine> engine, double time_step)
        : engine_(std::move(engine)), dt_(time_step) {}

    /// Calls the function of the force, and so may throw what that throws.
    void add_force(stepping::ExternalForce<double> force);
    /// `index`: in the order in which the present forces were added.
    void remove_force(std::size_t index) { forces_.remove(index); }
    /// To be called when the state has been changed from outside.
    void evaluate_forces();
    /// Copies the forces with their present values and work.
    void copy_forces(const ForcedEngine& other) { forces_.copy_from(other.forces_); }
    double work_of_forces() const { return forces_.work(); }  ///< since the start [J]
    /// Energy that writing the state has added since the start, which is external work [J].
    double written_energy() const { return forces_.written(); }
    void add_written_energy(double energy) { forces_.add_written(energy); }
    void set_energies(double work, double written) { forces_.set_energies(work, written); }

    void advance(std::int64_t steps, SensorTrace& trace) override;
    Totals totals() const override;

    void sample(SensorTrace& trace) const override { engine_->sample(trace); }
    void kick(std::span<const stepping::BodyForce<double>> forces,
              stepping::HalfStep half) override {
        engine_->kick(forces, half);
    }
    std::int64_t step() const override { return engine_->step(); }
    std::size_t first_bead() const override { return engine_->first_bead(); }
    std::vector<double> contact_dissipation() const override {
        return engine_->contact_dissipation();
    }
    std::span<const double> displacement() const override { return engine_->displacement(); }
    std::span<const double> velocity() const override { return engine_->velocity(); }
    std::span<const double> contact_force() const override { return engine_->contact_force(); }
    int threads() const override { return engine_->threads(); }
    std::optional<std::size_t> first_non_finite() const override {
        return engine_->first_non_finite();
    }
    std::size_t contact_beside(std::size_t bead) const override {
        return engine_->contact_beside(bead);
    }
    void monitor_stability(double speed) override { engine_->monitor_stability(speed); }
    StabilityLimits stability_limits() const override { return engine_->stability_limits(); }
    /// The state of the engine; forces and their work are not part of it.
    std::vector<StateColumn> state() override { return engine_->state(); }
    void continue_at(std::int64_t step) override { engine_->continue_at(step); }

  private:
    double time() const { return static_cast<double>(step()) * dt_; }
    stepping::LinearMotion<double> motion(std::size_t bead) const {
        return {displacement()[bead], velocity()[bead]};
    }

    std::unique_ptr<Engine> engine_;
    double dt_;
    stepping::ExternalForces<double> forces_;
};

}  // namespace beadwave::dynamics

// An engine of packings with external forces on the centres of particles. Around every step of
// another engine it adds their halves of the step. Without forces it only passes its calls on.
#pragma once

#include "packing/step/packing_engine_around.hpp"
#include "stepping/external_forces.hpp"

#include <utility>

namespace beadwave::packing {

/// The state() is that of the engine; forces and their work are not part of it.
class ForcedPackingEngine final : public PackingEngineAround {
  public:
    using PackingEngineAround::PackingEngineAround;

    /// Calls the function of the force, and so may throw what that throws.
    void add_force(stepping::ExternalForce<Vec3> force);
    /// `index`: in the order in which the present forces were added.
    void remove_force(std::size_t index) { forces_.remove(index); }
    /// To be called when the state has been changed from outside.
    void evaluate_forces();
    /// Copies the forces of another engine with their present values and work.
    void copy_forces(const ForcedPackingEngine& other) { forces_.copy_from(other.forces_); }
    double work_of_forces() const { return forces_.work(); }  ///< since the start [J]
    /// Energy that writing the state has added since the start, which is external work [J].
    double written_energy() const { return forces_.written(); }
    void add_written_energy(double energy) { forces_.add_written(energy); }
    void set_energies(double work, double written) { forces_.set_energies(work, written); }

    using PackingEngineAround::advance;
    void advance(std::int64_t steps, ParticleTrace& trace) override;
    PackingTotals totals() const override;

  private:
    double time() const { return static_cast<double>(step()) * time_step(); }
    stepping::LinearMotion<Vec3> linear_motion(std::size_t particle) const {
        const Motion all = motion(particle);
        return {all.displacement, all.velocity};
    }

    stepping::ExternalForces<Vec3> forces_;
};

}  // namespace beadwave::packing

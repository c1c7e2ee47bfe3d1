// A packing that runs a number of steps. Between two calls its state can be read and changed.
#pragma once

#include "beadwave/stepping/external_force.hpp"
#include "packing/packing_engine.hpp"
#include "packing/state/fingerprint.hpp"
#include "packing_system/packing_balance.hpp"
#include "packing_system/packing_measures.hpp"
#include "python/external_functions.hpp"
#include "python/stepper.hpp"
#include "subjects/packing/packing_job.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace beadwave::python {

/// A force on these particles: the function returns one force per particle [N].
stepping::ExternalForce<packing::Vec3> packing_force(const std::vector<std::size_t>& particles,
                                                     const py::object& function);

/// A stepper whose arrays are copies: the engine keeps its particles in an order of its own.
class PackingStepper : public Stepper<PackingStepper, jobs::PackingJob, packing::PackingEngine,
                                      running::SteppedPacking> {
  public:
    static constexpr auto kind = recording::SystemKind::packing;
    static constexpr auto force_of = packing_force;

    static running::PackingSettings settings_of(const jobs::PackingJob& job) {
        return running::settings_of(job.scenario());
    }

    static recording::Ledger balance(const packing::PackingTotals& start,
                                     const packing::PackingTotals& now, double scale) {
        return observers::balance(start, now, scale);
    }

    PackingStepper(std::shared_ptr<jobs::PackingJob> job, int threads);

    std::vector<packing::Vec3> vectors(std::vector<packing::Vec3> (packing::PackingEngine::*of)()
                                           const);
    std::vector<packing::ContactState> contacts();
    std::vector<observers::BondState> bonds();  ///< those that are intact
    /// The plane walls at present: a point of each [m], and its normal towards the particles.
    std::pair<std::vector<packing::Vec3>, std::vector<packing::Vec3>> walls();

    /// Unit quaternions, body to space; spheres have none.
    std::vector<shapes::Quaternion> orientation();

    /// The temperature of each particle [K]; empty: temperatures are not followed.
    std::vector<double> temperature();

    packing::BoxState box();
    /// The force of each drive on its particle [N].
    std::vector<packing::Vec3> drive_forces();
    std::vector<packing::Vec3> drive_torques();  ///< of each drive on its particle [N m]
    /// A number per particle; 0: it waits to be poured, 1: it is there, 2: it left.
    std::vector<std::int8_t> presence();

    void open();
    /// Continues from these velocities [m/s, rad/s] of all particles. Throws InputError; nothing is
    /// then changed.
    void close(const std::vector<packing::Vec3>& velocity,
               const std::vector<packing::Vec3>& angular_velocity);

    void describe(io::SystemState& /*state*/) const {}  // nothing beside the scenario
    void restore(const io::SystemState& state);

  private:
    void write(const std::vector<packing::Vec3>& velocity,
               const std::vector<packing::Vec3>& angular_velocity);
};

}  // namespace beadwave::python

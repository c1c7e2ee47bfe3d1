// A packing that runs a number of steps. Between two calls its state can be read and changed.
#pragma once

#include "jobs/packing_job.hpp"
#include "packing/forced_packing_engine.hpp"
#include "python/stepper.hpp"
#include "python/turns.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace beadwave::python {

/// Its arrays are copies, because the engine keeps its particles in an order of its own.
class PackingStepper {
  public:
    PackingStepper(std::shared_ptr<jobs::PackingJob> job, int threads);

    void run(std::int64_t steps);
    std::int64_t timestep();
    double time() { return static_cast<double>(timestep()) * job_->time_step(); }
    std::map<std::string, double> energy();

    std::vector<packing::Vec3> vectors(std::vector<packing::Vec3> (packing::PackingEngine::*of)()
                                           const);
    std::vector<packing::ContactState> contacts();
    /// The plane walls at present: a point of each [m], and its normal towards the particles.
    std::pair<std::vector<packing::Vec3>, std::vector<packing::Vec3>> walls();

    void open();
    /// Continues from these velocities [m/s, rad/s] of all particles. Throws InputError; nothing is
    /// then changed.
    void close(const std::vector<packing::Vec3>& velocity,
               const std::vector<packing::Vec3>& angular_velocity);

    /// On particles, see external_functions.hpp.
    void add_force(const std::vector<std::size_t>& particles, const py::object& function);
    void remove_force(std::size_t index);

    /// Another stepper in the same state, with the same forces.
    std::shared_ptr<PackingStepper> copy();
    io::SystemState saved();
    void restore(const io::SystemState& state);

  private:
    void refuse(const char* what) const { refuse_unless_between_steps(open_, in_step_, what); }
    io::SystemState state_now();
    void write(const std::vector<packing::Vec3>& velocity,
               const std::vector<packing::Vec3>& angular_velocity);

    std::shared_ptr<jobs::PackingJob> job_;
    std::unique_ptr<packing::ForcedPackingEngine> engine_;
    packing::PackingTotals start_{};
    StepperLedger ledger_;
    Turns turns_;
    bool open_ = false, in_step_ = false;
};

}  // namespace beadwave::python

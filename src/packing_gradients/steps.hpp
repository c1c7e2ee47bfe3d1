// The steps of a packing, one after another: those of the plain engine
// (packing/plain/plain_backend.hpp), operation by operation, with what the reverse sweep
// needs of each.
#pragma once

#include "packing/elements/element_stepper.hpp"
#include "packing/walls/wall_loads.hpp"
#include "packing_gradients/listed_pairs.hpp"
#include "packing_gradients/pair_step.hpp"
#include "packing_gradients/varied_packing.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace beadwave::packing_gradients {

/// Numbers after a step.
struct State {
    std::int64_t step = 0;
    std::shared_ptr<const ListedPairs> listed{};
    std::vector<Vec3> displacement{};                    ///< from the references of the list [m]
    std::vector<Vec3> velocity{}, spin{};                ///< [m/s], [rad/s]
    std::vector<Vec3> velocity_change{}, spin_change{};  ///< (dt/2) accelerations
    std::vector<PairMemory> memory{};                    ///< of each pair
};

/// The numbers that a step read and computed.
struct StepRecord {
    std::int64_t step = 0;
    std::shared_ptr<const ListedPairs> listed{};
    bool rebuilt = false;  ///< whether the step built this list
    std::vector<Vec3> displacement{};
    std::vector<BodyMotion> body{};
    std::vector<PairMemory> memory{};      ///< before the step
    std::vector<Vec3> force{}, torque{};   ///< of the contacts on each particle [N], [N m]
    std::vector<Vec3> velocity{}, spin{};  ///< after the step
};

class Steps {
  public:
    /// `varied` must outlive it; time_step [s].
    Steps(const VariedPacking& varied, double time_step);
    Steps(const Steps&) = delete;
    Steps& operator=(const Steps&) = delete;

    /// The state after 0 steps, for which all pairs respond twice. With records, what they read.
    void start(StepRecord* first = nullptr, StepRecord* second = nullptr);
    void advance(StepRecord* record = nullptr);
    void restore(const State& state);
    const State& state() const { return state_; }

    Vec3 position(std::size_t particle) const;  ///< [m]
    const std::vector<Vec3>& force() const { return force_; }
    /// The force with which the particles push a wall away from them [N].
    double wall_force(std::size_t wall) const;
    bool finite() const;

    // The members that the reverse sweep shares.
    const packing::Packing& packing() const { return varied_.packing; }
    const PairTable& table() const { return table_; }
    double time_step() const { return dt_; }
    bool rolls() const { return packing().rolling.acts(); }
    /// Moves the walls to where they are after a step, for motion_of().
    void place_walls(std::int64_t step);
    /// What a pair of a record's list reads.
    PairMotion motion_of(const StepRecord& record, std::size_t pair) const;
    static bool responds(const PairMotion& motion, const PairMemory& before) {
        return motion.overlap() > 0.0 || !before.is_blank();
    }

  private:
    struct Moving {
        const ListedPairs& listed;
        const std::vector<Vec3>& displacement;
        const std::vector<BodyMotion>& body;
        double time_step;
    };
    PairMotion motion_of(const Moving& moving, std::size_t pair) const;
    void drift();
    void place_carriers();
    void step_carriers(double dt);
    /// From the start [m].
    Vec3 moved(std::size_t particle) const;
    bool moved_too_far() const;
    /// Throws running::RunError where the centre of a body is in the other.
    void check_depth(const PairMotion& motion, const PairBodies& bodies) const;
    void rebuild_list();
    void respond(double dt, StepRecord* record);
    void set_changes();
    double time() const { return static_cast<double>(state_.step) * dt_; }

    const VariedPacking& varied_;
    std::size_t n_;
    double dt_, skin_;
    packing::Edges edges_;
    packing::WallLoads walls_;
    packing::ElementStepper elements_;
    std::vector<packing::CarrierMotion> carried_;
    PairTable table_;
    State state_;
    bool rebuilt_ = false;
    std::vector<BodyMotion> body_;
    std::vector<Vec3> force_, torque_, wall_force_;
};

}  // namespace beadwave::packing_gradients

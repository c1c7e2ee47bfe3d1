// The steps of a chain, one after another: those of the plain engine (dynamics/plain_engine.hpp),
// operation by operation, with what the reverse sweep needs of each.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "dynamics/driven_wall.hpp"
#include "gradients/carried.hpp"
#include "gradients/law_kernel.hpp"
#include "gradients/motion_numbers.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::gradients {

/// Numbers after a step. Contact c is the one to the left of bead c.
struct State {
    std::int64_t step = 0;
    std::vector<double> displacement, velocity;  ///< [m], [m/s]
    std::vector<double> velocity_change;         ///< (dt/2) acceleration [m/s]
    std::vector<std::vector<double>> memory;     ///< one column per number, per contact
    InnerState inner;                            ///< of masses inside beads
    std::size_t active = 0;  ///< beads that may move in the next step; all others are at rest
};

/// The numbers that a step read and computed.
struct StepRecord {
    std::size_t active = 0;                       ///< beads that the step moved
    std::vector<double> overlap, approach_speed;  ///< per contact; speeds only if the law uses them
    std::vector<double> force;                    ///< per contact
    std::vector<std::vector<double>> memory;      ///< before the step
    std::vector<double> velocity;                 ///< after it, only if wanted
    // Only if beads carry something:
    std::vector<double> external;  ///< force on each bead but of its contacts [N]
    CarriedRecord carried;
};

/// A wave reaches one bead per step. Beads that it has not reached are exactly at rest and are left
/// out, from the first bead `active` on; this number grows in lots.
inline constexpr std::size_t active_lot = 16;

class Steps {
  public:
    /// time_step [s].
    Steps(const chain::Chain& chain, const MotionNumbers& numbers, double time_step);

    /// The state after 0 steps; the record has its contacts.
    void start(StepRecord* record = nullptr);
    /// One step. With a record, also what it read.
    void advance(StepRecord* record = nullptr, bool velocities = false);
    void restore(const State& state);

    Steps(const Steps&) = delete;
    Steps& operator=(const Steps&) = delete;

    /// Saves the state, to go on from here later.
    void save(State& state) const;
    std::int64_t step() const { return state_.step; }
    const std::vector<double>& velocity() const { return state_.velocity; }  ///< [m/s]
    const double* displacement() const { return place_.data() + 1; }         ///< [m]
    const std::vector<double>& approach_speed() const { return approach_speed_; }
    const std::vector<double>& force() const { return force_; }      ///< per contact [N]
    const std::vector<double>& overlap() const { return overlap_; }  ///< per contact [m]
    std::vector<double> stored_energy() const;                       ///< per contact [J]

    // The members that the reverse sweep shares.
    const LawKernel& kernel() const { return kernel_; }
    const MotionNumbers& numbers() const { return numbers_; }
    const std::vector<double>& kick() const { return kick_; }  ///< dt / (2 m); 0: held [s/kg]
    double body_force(std::size_t bead) const { return body_force_[bead]; }
    const Carried& carried() const { return carried_; }
    double time_step() const { return dt_; }
    std::size_t beads() const { return n_; }
    /// Contacts that may act while only so many beads move.
    std::size_t contacts(std::size_t active) const { return active == n_ ? n_ + 1 : active; }
    std::size_t memory_numbers() const { return state_.memory.size(); }
    bool finite() const;

  private:
    void respond(std::size_t contacts);
    void find_active();
    void place_walls();
    void place_driven();
    /// The forces on the beads but of their contacts, after a step.
    const std::vector<double>& external(StepRecord* record);
    ForwardContacts view(std::vector<std::vector<double>>& memory, std::size_t contacts) const;

    std::size_t n_;
    double dt_;
    MotionNumbers numbers_;
    const LawKernel& kernel_;
    dynamics::DrivenWall left_wall_, right_wall_;
    bool may_rest_;  ///< nothing but contacts acts on beads from the right
    Carried carried_;
    std::vector<double> kick_, body_force_, external_;
    State state_;
    // Bead i is at i + 1, between the two walls.
    std::vector<double> place_, predicted_;
    std::vector<double> half_, overlap_, approach_speed_;
    std::vector<double> force_;
    std::vector<const double*> law_;
    mutable std::vector<double*> memory_pointers_;
};

}  // namespace beadwave::gradients

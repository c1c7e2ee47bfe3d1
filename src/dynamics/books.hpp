// The books that every engine keeps of its chain: totals, records of sensors, the state by name,
// and whether it is finite. An engine adds how it steps, and where its parameters are.
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "dynamics/driven_wall.hpp"
#include "ranks/exact_sum.hpp"
#include "ranks/ranks.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace beadwave::dynamics {

/// Where an engine holds its state. Contact c is the one to the left of bead c.
struct StatePointers {
    double *displacement, *velocity;
    double* gain;   ///< (dt/2) acceleration [m/s]
    double* force;  ///< per contact
    double* power;  ///< sum over steps of the contacts' force on the bead times its velocity [W];
                    ///< null for conservative laws
    std::vector<double*> memory;  ///< per contact, one column a number
};

class EngineWithBooks : public Engine {
  public:
    void sample(SensorTrace& trace) const override;
    std::int64_t step() const override { return step_; }
    std::size_t first_bead() const override { return first_ + own_begin_; }
    std::span<const double> displacement() const override { return own_beads(state_.displacement); }
    std::span<const double> velocity() const override { return own_beads(state_.velocity); }
    std::span<const double> contact_force() const override { return own_contacts(state_.force); }
    Totals totals() const override;
    std::optional<std::size_t> first_non_finite() const override;
    std::size_t contact_beside(std::size_t bead) const override;
    std::vector<StateColumn> state() override;

  protected:
    EngineWithBooks(const chain::Chain& chain, double time_step);

    /// When the engine has its first forces; the pointers hold as long as it lives. All of the
    /// chain's ranks do this together, and what follows.
    void open_books(StatePointers state);
    /// The state has been overwritten, as that after `step` steps.
    void take_up(std::int64_t step);
    /// Beads [begin, end), by place, have moved, or the contacts to their left, since the last
    /// totals.
    void moved(std::size_t begin, std::size_t end) const;

    /// Of a bead by its place.
    void record(SensorTrace& trace, std::size_t row, std::size_t column, std::size_t bead) const {
        const std::size_t at = row * trace.beads.size() + column;
        trace.force[at] = 0.5 * (state_.force[bead] + state_.force[bead + 1]);
        trace.velocity[at] = state_.velocity[bead];
    }
    /// Completes the trace of rank 0.
    void collect(SensorTrace& trace) const;
    /// Whether the bead of this number is this process's own.
    bool owns(std::size_t number) const {
        return number >= first_ + own_begin_ && number < first_ + own_end_;
    }
    // Whether the whole chain's ends are among its own beads.
    bool owns_left_end() const { return first_ + own_begin_ == 0; }
    bool owns_right_end() const { return first_ + own_end_ == total_; }

    /// Of the beads [begin, end), at most `sum_block` [kg].
    virtual void masses(std::size_t begin, std::size_t end, double* mass) const = 0;
    /// Of the contacts [begin, end), at most `sum_block`, whose bodies have come this much closer
    /// than at the start [m, J].
    virtual void stored_energies(std::size_t begin, std::size_t end, const double* approach,
                                 double* energy) const = 0;
    /// False where the state is known to be finite without a look at every number.
    virtual bool may_be_broken() const { return true; }
    /// The engine's own columns of the state.
    virtual void add_columns(std::vector<StateColumn>&) {}
    /// Waits for what other ranks have sent.
    virtual void finish_messages() const {}

    std::size_t n_;      ///< beads here
    std::size_t total_;  ///< of the whole chain
    std::size_t first_;  ///< number of the first one here
    std::size_t own_begin_, own_end_;
    ranks::Ranks* ranks_;  ///< null: the whole chain is here
    double dt_;
    std::int64_t step_ = 0;
    DrivenWall left_wall_, right_wall_;

  private:
    /// What is summed over beads and contacts.
    struct Sums {
        double kinetic, momentum, stored;
        double moment;         ///< mass times displacement
        double given;          ///< power over all steps
        double power;          ///< of all contacts' forces on the beads, now [W]
        double largest_force;  ///< in size, no sum
    };

    /// By walls and loads on the chain, since the start [J].
    struct OuterWork {
        double walls;
        std::vector<double> loads;
    };

    bool any_rank(bool own) const;
    OuterWork outer_work() const;
    Sums block_sums(std::size_t begin) const;
    Sums sums() const;
    /// Brings what this process's blocks need of its neighbours' beads up to date.
    void exchange_edges() const;
    std::optional<std::size_t> broken_bead() const;

    std::span<double> own_beads(double* column) const {
        return {column + own_begin_, own_end_ - own_begin_};
    }
    std::span<double> own_contacts(double* column) const {
        return {column + own_begin_, own_end_ - own_begin_ + (owns_right_end() ? 1 : 0)};
    }

    double gravity_;
    std::vector<chain::Load> loads_;
    StatePointers state_{};
    double initial_stored_ = 0.0, initial_power_ = 0.0;
    bool left_driven_, right_driven_;  ///< of the whole chain
    /// The beads that were broken in what the engine was given: what it computes from them is not
    /// to be trusted, finite or not.
    std::optional<std::size_t> built_broken_, restored_broken_;
    // What sleeps is not summed again. A block is its first bead's process's.
    std::size_t first_block_, end_block_;
    mutable std::vector<Sums> block_sums_;
    mutable std::vector<char> stale_;
};

}  // namespace beadwave::dynamics

// The base of all engines: energy accounting (totals), sensor traces, the state by name, and the
// check that it is finite. An engine adds how it steps, and where its parameters are.
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "dynamics/driven_wall.hpp"
#include "dynamics/elements/element_accounting.hpp"
#include "ranks/communicator.hpp"
#include "ranks/exact_sum.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace beadwave::dynamics {

/// Where an engine stores its state. Contact c is the one to the left of bead c.
struct StatePointers {
    double *displacement, *velocity;
    double* velocity_change;  ///< (dt/2) acceleration [m/s]
    double* force;            ///< per contact
    double* power;  ///< sum over steps of the contacts' force on the bead times its velocity [W];
                    ///< null for conservative laws
    std::vector<double*> memory;  ///< per contact, one column per number
};

class EngineBase : public Engine {
  public:
    void sample(SensorTrace& trace) const override;
    void kick(std::span<const stepping::BodyForce<double>> forces,
              stepping::HalfStep half) override;
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
    EngineBase(const chain::Chain& chain, double time_step);

    /// To be called when the engine has its first forces. The pointers must be valid as long as the
    /// engine lives. All ranks of the chain call this function, and the ones below, together.
    void init_accounting(StatePointers state);
    /// To be called when the state has been overwritten by that after `step` steps.
    void restore(std::int64_t step);
    /// Marks beads [begin, end), by index, and the contacts to their left as changed since the last
    /// totals().
    void moved(std::size_t begin, std::size_t end) const;

    /// Updates the copies of neighbours' beads that the blocks of this process need.
    void exchange_edges() const;

    /// Writes one entry of the trace, for a bead by its index.
    void record(SensorTrace& trace, std::size_t row, std::size_t column, std::size_t bead) const {
        const std::size_t at = row * trace.beads.size() + column;
        trace.force[at] = 0.5 * (state_.force[bead] + state_.force[bead + 1]);
        trace.velocity[at] = state_.velocity[bead];
    }
    /// Collects the traces of all ranks on rank 0.
    void collect(SensorTrace& trace) const;
    /// Whether the bead with this number is an own bead of this process.
    bool owns(std::size_t number) const {
        return number >= first_ + own_begin_ && number < first_ + own_end_;
    }
    // Whether the own beads include an end of the whole chain.
    bool owns_left_end() const { return first_ + own_begin_ == 0; }
    bool owns_right_end() const { return first_ + own_end_ == total_; }

    /// Masses of the beads [begin, end), at most `sum_block` [kg].
    virtual void masses(std::size_t begin, std::size_t end, double* mass) const = 0;
    /// Stored energies [J] of the contacts [begin, end), at most `sum_block`. `approach` [m] is how
    /// much closer the two bodies are than at the start.
    virtual void stored_energies(std::size_t begin, std::size_t end, const double* approach,
                                 double* energy) const = 0;
    /// False if the state is known to be finite, so that not every number needs a check.
    virtual bool may_be_non_finite() const { return true; }
    /// The engine's own columns of the state.
    virtual void add_columns(std::vector<StateColumn>&) {}
    /// Waits for the messages of other ranks.
    virtual void finish_messages() const {}

    std::size_t n_;      ///< beads on this process
    std::size_t total_;  ///< of the whole chain
    std::size_t first_;  ///< number of the first bead on this process
    std::size_t own_begin_, own_end_;
    ranks::Communicator* ranks_;  ///< null: this process holds the whole chain
    double dt_;
    std::int64_t step_ = 0;
    DrivenWall left_wall_, right_wall_;
    /// The elements of beads; null: none. An engine attaches its state before init_accounting().
    std::unique_ptr<ElementAccounting> elements_;

  private:
    /// Sums over beads and contacts.
    struct Sums {
        double kinetic, momentum, stored;
        double moment;         ///< mass times displacement
        double power_sum;      ///< of the power over all steps
        double power;          ///< of all contacts' forces on the beads, now [W]
        double largest_force;  ///< absolute; no sum
        ElementSums elements{};

        static constexpr std::array<double Sums::*, 6> all() {
            return {&Sums::kinetic, &Sums::momentum,  &Sums::stored,
                    &Sums::moment,  &Sums::power_sum, &Sums::power};
        }
    };

    /// Work of walls and loads on the chain, since the start [J].
    struct OuterWork {
        double walls;
        std::vector<double> loads;
    };

    /// Neighbours on one side that forces reach.
    std::size_t farthest() const { return elements_ ? elements_->reach() : 1; }
    bool any_rank(bool own) const;
    OuterWork outer_work() const;
    Sums block_sums(std::size_t begin) const;
    /// Marks a block as changed since its sums were computed.
    void outdate(std::size_t block) const;
    /// Computes the sums of changed blocks, and changes the totals by them, but for a single block.
    void update_blocks() const;
    /// Whether there is one block, whose sums are the totals.
    bool has_one_block() const { return ranks_ == nullptr && end_block_ - first_block_ == 1; }
    Sums sums() const;
    /// The first bead with a parameter that is not a number; the contact to its left counts as part
    /// of it. Infinite parameters may be intended: a gap that never closes, a force without a
    /// limit.
    static std::optional<std::size_t> first_without_number(const chain::Chain& chain);
    std::optional<std::size_t> find_non_finite() const;

    std::span<double> own_beads(double* column) const {
        return {column + own_begin_, own_end_ - own_begin_};
    }
    std::span<double> own_contacts(double* column) const {
        return {column + own_begin_, own_end_ - own_begin_ + (owns_right_end() ? 1 : 0)};
    }

    bool left_fixed_, right_fixed_;
    double gravity_;
    std::vector<chain::Load> loads_;
    std::vector<double> start_;  ///< displacements at the start, where there are loads; empty: 0
    StatePointers state_{};
    double initial_stored_ = 0.0, initial_power_ = 0.0;
    double initial_moment_ = 0.0;      ///< follows from the chain, also when a run goes on
    bool left_driven_, right_driven_;  ///< of the whole chain
    /// Beads that were not finite in the chain or checkpoint that the engine was given: results
    /// computed from them are wrong even if they are finite.
    std::optional<std::size_t> non_finite_at_start_, non_finite_when_restored_;
    // Sleeping blocks are not summed again. A block belongs to the process of its first bead. The
    // totals of this process are exact, so the sums of a block can be replaced in them.
    std::size_t first_block_, end_block_;
    mutable std::vector<Sums> block_sums_;
    mutable std::vector<double> largest_forces_;  ///< per block
    mutable std::vector<char> outdated_;
    mutable std::vector<std::size_t> outdated_blocks_;
    mutable std::vector<Sums> new_sums_;  ///< of these
    mutable std::array<ranks::ExactSum, 6> totals_;
    mutable std::array<ranks::ExactSum, ElementSums::all().size()> element_totals_;
};

}  // namespace beadwave::dynamics

// What the beads of a chain carry, in one pass of the tangent engine: its numbers and its state,
// with derivatives along a few directions.
#pragma once

#include "tangent/chain_numbers.hpp"
#include "tangent/dual_column.hpp"
#include "tangent/elements/tangent_element_kernel.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::dynamics {

class TangentElements {
  public:
    /// `stride`: that of the row, at least `margin` more than its length. `changes`: derivatives of
    /// `own`, the numbers of the chain. `uses_speed`: whether contacts do.
    TangentElements(const chain::Chain& chain, double time_step, std::size_t stride,
                    const ChainNumbers& own, std::span<const ChainNumbers> changes, bool uses_speed,
                    const simd::InstructionSet& instructions);

    /// Entries behind the last of a row, for pairs that would end there.
    static constexpr std::size_t margin = 2 * chain::most_neighbours;

    /// Whether beads at rest stay so until a neighbour moves.
    bool act_through_neighbours_only() const;

    /// First forces; see TangentElementKernel.
    void init(const TangentRow& row);
    /// Places the driven beads, before the contacts of a step.
    void begin_step(const TangentRow& row, std::int64_t step);
    /// Adds the forces, and the impulses of loads that end, after the contacts of a step. Returns
    /// whether there are blows.
    bool end_step(const TangentRow& row, std::int64_t step);
    bool finite() const;

  private:
    struct Springs {
        DualColumn stiffness, cubic, damping;
    };
    struct Slot {
        Springs spring;
        DualColumn kick, displacement, half, velocity_change;
    };
    struct Pairs {
        laws::PairLaw law;
        DualNumber distance, exponent, range;
        std::size_t neighbour;
        DualColumn strength;
    };
    struct Load {
        stepping::ForceSignal force;
        std::size_t bead;
        bool is_sine;
        DualNumber frequency, amplitude, end;
    };
    struct Driven {
        std::size_t bead;
        std::vector<WeightedDrives> motion;  ///< and one derivative per direction
    };

    /// Numbers of a member of ElementColumns, with their derivatives; `beyond` behind the last.
    template <class Member>
    DualColumn dual(const Member& member, double beyond = 0.0) const;
    Springs springs(const auto& member) const;
    void add_resonators(std::size_t slot, const chain::Chain& chain);
    void add_pairs(const chain::Chain& chain);
    void set_row();
    void set_loads(std::int64_t step);
    void end_loads(const TangentRow& row, std::int64_t step);

    double time_step_;
    std::size_t beads_, stride_;
    std::vector<const ElementColumns*> numbers_;          ///< own, then changes: while constructing
    std::vector<const std::vector<double>*> velocities_;  ///< likewise, at the start
    TangentElementKernel kernel_;
    TangentElementRow row_{};
    Springs ground_;
    std::vector<Slot> slots_;
    DualColumn bond_stiffness_, bond_damping_, bond_stretch_, bond_strength_, apart_, tension_;
    std::vector<double> pushes_, broken_;
    std::vector<DualColumn> spacing_;
    std::vector<Pairs> pairs_;
    DualColumn pair_force_, pairs_on_bead_, last_change_;
    std::vector<Load> loads_;
    std::vector<Driven> driven_;
    // The lists that row_ refers to.
    std::vector<TangentResonators> resonator_rows_;
    TangentBonds bond_row_{};
    std::vector<TangentPairs> pair_rows_;
    std::vector<TangentLoad> load_rows_;
};

}  // namespace beadwave::dynamics

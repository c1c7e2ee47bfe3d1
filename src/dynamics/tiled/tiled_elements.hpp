// What beads carry, for the tiles: where the state of springs and resonators is in the rows, forces
// over time and motions in all steps of a time block, and their work.
#pragma once

#include "../elements/element_accounting.hpp"
#include "../elements/element_kernel.hpp"
#include "tiled_rows.hpp"

#include <cstdint>
#include <vector>

namespace beadwave::dynamics {

class TiledElements {
  public:
    /// `end`: entries of the state; rows have at most `longest_row`. `conservative`: the contacts.
    TiledElements(const chain::Chain& chain, double time_step, std::size_t end,
                  std::size_t longest_row, bool conservative, ElementAccounting& accounting,
                  const simd::InstructionSet& instructions);

    ExtraColumns columns() const {
        const auto if_so = [](bool so) { return so ? std::size_t{1} : std::size_t{0}; };
        return {.motion = 3 * table_.slots().size() + 1 + if_so(table_.bonded()),
                .sums = if_so(table_.damped()) + if_so(table_.bonded()),
                .others = 1,
                .scratch = if_so(dissipative_) + if_so(table_.damped())};
    }
    const ElementTable& table() const { return table_; }
    const ElementKernel& kernel() const { return kernel_; }

    /// The state of the elements in these rows, from entry `first` on.
    ElementPointers pointers(Rows& rows, std::size_t first = 0) const;

    /// Where a sweep over a row of this workspace puts the next half-step velocities (State).
    double* half_after(Rows& workspace) const { return workspace.scratch(dissipative_ ? 1 : 0); }

    /// A row of a thread, with what it points to.
    struct Work {
        simd::Column elongation, tension;  // empty: no bonds
        std::vector<ResonatorRow> resonators{};
        std::vector<LoadRow> loads{};
        std::vector<DrivenRow> driven{};
        BondRow bonds{};
        simd::Column pair_force{}, pairs_on_bead{};  // empty: there are no pair forces
        std::vector<PairRow> pairs{};
        ElementRow row{};
    };
    Work work() const {
        const std::size_t of_bonds = table_.bonded() ? longest_row_ : 0;
        const std::size_t of_pairs = table_.pairs().empty() ? 0 : longest_row_ + 4 * block_beads;
        return {.elongation = simd::Column(of_bonds),
                .tension = simd::Column(of_bonds),
                .pair_force = simd::Column(of_pairs),
                .pairs_on_bead = simd::Column(of_pairs)};
    }

    /// The row of entries [first, end), whose state after `done` steps begins at entry `at` of
    /// `rows`.
    void set_row(Work& work, Rows& rows, std::size_t at, std::size_t first, std::size_t end,
                 std::int64_t done) const;

    /// Forces and motions in the `steps` steps after `done` steps, to which `state` belongs.
    void prepare(std::int64_t done, std::int64_t steps, Rows& state);
    /// Adds those in the row of entries [first, first + length) to it; those of its own beads
    /// [begin, end) report.
    void add_timed(Work& work, std::size_t first, std::size_t length, std::size_t begin,
                   std::size_t end);
    /// Adds the forces at the start on the beads [begin, end) to their row.
    void add_first_loads(Work& work, std::size_t first, std::size_t begin, std::size_t end) const;
    /// Adds the work on the beads [begin, end) in the time block.
    void add_work(std::size_t begin, std::size_t end, std::int64_t steps);

    /// Calls function(bead) for the beads [begin, end) that something moves at any time.
    template <class Function>
    void each_timed(std::size_t begin, std::size_t end, const Function& function) const {
        for (const auto& each : accounting_.loads())
            if (each.bead >= begin && each.bead < end) function(each.bead);
        for (const auto& each : accounting_.driven())
            if (each.bead >= begin && each.bead < end) function(each.bead);
    }

  private:
    /// Forces and motions in the steps of a time block, and what a tile reports.
    struct Timed {
        std::vector<double> force;                   // of a load: before and after each step
        std::vector<double> displacement, velocity;  // of a driven bead: the same
        std::vector<double> moved, on_contacts, on_elements;  // before and after each step
    };

    ElementTable table_;
    std::size_t longest_row_;
    bool dissipative_;  // springs or contacts
    ElementAccounting& accounting_;
    ElementKernel kernel_;
    std::vector<Timed> loads_, driven_;
};

}  // namespace beadwave::dynamics

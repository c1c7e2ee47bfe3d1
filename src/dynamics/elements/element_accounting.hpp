// The energy of what beads carry: of springs and resonators, of forces over time and driven beads.
// Engines tell it the work of the last two.
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "dynamics/work_sum.hpp"
#include "element_table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace beadwave::dynamics {

class ElementAccounting {
  public:
    ElementAccounting(const chain::Chain& chain, double time_step);

    /// A force over time.
    struct Load {
        std::size_t bead;
        stepping::ForceSignal force;
        WorkSum work{};
    };
    /// A driven bead, with its work on its contacts, and on springs and resonators.
    struct Driven {
        std::size_t bead;
        stepping::Drive motion;
        WorkSum on_contacts{}, on_elements{};
    };

    /// Largest number of neighbours on one side that a force reaches; at least 1.
    std::size_t reach() const { return reach_; }
    /// Whether the bead of a load or driven bead is an own bead of this process.
    bool owns(std::size_t bead) const { return bead >= own_begin_ && bead < own_end_; }
    std::vector<Load>& loads() { return loads_; }
    std::vector<Driven>& driven() { return driven_; }
    bool drives(std::size_t bead) const {
        return std::ranges::any_of(driven_, [&](const Driven& each) { return each.bead == bead; });
    }
    double time(std::int64_t step) const { return static_cast<double>(step) * time_step_; }

    /// Where the engine stores what has a spring. `table` must live as long as the engine.
    void attach(const ElementTable& table, ElementPointers state) {
        table_ = &table;
        state_ = std::move(state);
    }
    const ElementTable& table() const { return *table_; }
    const ElementPointers& state() const { return state_; }

    ElementSums sums(const double* displacement, const double* velocity, std::size_t begin,
                     std::size_t end) const {
        return table_->sums(state_, displacement, velocity, begin, end);
    }
    /// The power of contacts on driven beads now [W]: a part of the power on all beads.
    double contact_power_on_driven(const double* force, const double* velocity) const;
    // Where several processes share the chain, each knows the state of its own beads only: all call
    // the functions below, except finite() and the columns, and contact_power_on_driven() together.

    /// To be called with the sums over all beads at the start.
    void start(const ElementSums& now, const double* velocity);

    /// Adds what the sums over all beads, and the works, say.
    void add_to(Totals& totals, const ElementSums& now, const double* displacement,
                const double* velocity) const;
    /// The work of driven beads on their contacts [J].
    double work_on_contacts() const;

    bool finite(std::size_t bead) const;
    /// `first`: number of the first own bead; `total`: beads of the whole chain.
    void add_columns(std::vector<StateColumn>& columns, std::size_t first, std::size_t total);
    /// The columns of the state that the sums over beads need.
    std::vector<double*> columns() const;

  private:
    double driven_kinetic(const double* velocity) const;
    double power_without_driven(const ElementSums& now, const double* velocity) const;
    /// Calls number(k) for each driven bead k of this process; returns all, from all processes.
    template <class Number>
    std::vector<double> of_driven(const Number& number) const;

    double time_step_;
    std::size_t reach_;
    std::size_t own_begin_, own_end_;
    ranks::Communicator* ranks_;
    std::vector<Load> loads_;
    std::vector<Driven> driven_;
    std::vector<double> driven_mass_, driven_load_;  ///< [kg], gravity and constant loads [N]
    const ElementTable* table_ = nullptr;
    ElementPointers state_{};
    // At the start: stored energy, power, kinetic energy of the driven beads.
    double stored_ = 0.0, power_ = 0.0, driven_kinetic_ = 0.0;
};

}  // namespace beadwave::dynamics

// How near beads come that push or pull each other without contact, for the choice of the time
// step.
#pragma once

#include "chain/pair_table.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::dynamics {

class PairApproach {
  public:
    /// Beads approach each other with at most `speed` [m/s].
    PairApproach(const chain::Chain& chain, double speed);

    /// Whether there are such forces.
    bool any() const { return !table_.empty(); }
    /// Whether the contact c, which is open at the start, may close.
    bool may_touch(std::size_t c) const;
    /// The largest speed that attraction gives a pair until it touches [m/s].
    double pulled() const { return pulled_; }
    /// Sum of |dF/dr| over the pairs of a bead, where they are nearest [N/m].
    double stiffness(std::size_t bead) const;

  private:
    double touching(std::size_t left) const {
        return chain_.radius[left] + chain_.radius[left + 1];
    }
    bool alike(std::size_t i, std::size_t j) const;
    double energy(std::size_t left, double r) const;
    void find(std::size_t left, double speed);

    const chain::Chain& chain_;
    chain::PairTable table_;
    std::vector<double> nearest_;  ///< distance over that at the start, by left bead
    double pulled_ = 0.0;
};

/// The speed [m/s] that these forces give the beads if the chain does not start in equilibrium:
/// that of one bead with the energy of its pairs.
double speed_by_pairs(const chain::Chain& chain);

}  // namespace beadwave::dynamics

// The forces between beads that need no contact, as columns. An entry belongs to the left bead of a
// pair; its strength is zero where there is no such pair.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "simd/column.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::chain {

class PairTable {
  public:
    /// Pairs of each bead with one neighbour, of one PairForce.
    struct Term {
        laws::PairLaw law;
        std::size_t neighbour;  ///< 1: the next bead
        simd::Column strength;  ///< A of the pair [N]
    };

    /// Columns of `count` numbers, at least as many as beads.
    PairTable(const Chain& chain, std::size_t count);

    bool empty() const { return terms_.empty(); }
    const std::vector<Term>& terms() const { return terms_; }
    /// Distances of the centres of bead i and its neighbour at the start [m]; 1 behind the chain.
    const simd::Column& spacing(std::size_t neighbour) const { return spacing_[neighbour - 1]; }

    // `displacement` [m] is that of bead 0.

    double distance(const Term& term, const double* displacement, std::size_t i) const {
        return spacing(term.neighbour)[i] + (displacement[i + term.neighbour] - displacement[i]);
    }
    /// The force on the bead, towards higher bead numbers [N].
    double force(const double* displacement, std::size_t bead) const;
    /// Stored in the pairs whose left beads are [begin, end) [J].
    double energy(const double* displacement, std::size_t begin, std::size_t end) const;
    /// Sum of |dF/dr| over the pairs of a bead [N/m].
    double stiffness(const double* displacement, std::size_t bead) const;

  private:
    double pair_force(const Term& term, const double* displacement, std::size_t left) const {
        const double strength = term.strength[left];
        return strength == 0.0 ? 0.0
                               : strength * term.law.force(distance(term, displacement, left));
    }

    std::vector<Term> terms_;
    std::vector<simd::Column> spacing_;
};

/// Largest number of neighbours on one side that forces of a chain reach; at least 1.
std::size_t reach_of(const Elements& elements);

/// Stiffness [N/m] for long waves of the pairs around a bead, at the start: the sum over neighbours
/// n of -n^2 dF/dr.
double long_wave_stiffness(const Chain& chain, std::size_t bead);

}  // namespace beadwave::chain

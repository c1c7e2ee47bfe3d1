// Sums over the particles and pairs of all ranks, with the order and so the bits of one process.
#pragma once

#include "block_share.hpp"
#include "packing/ordered_sum.hpp"
#include "shared_order.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace beadwave::packing {

class TermSums {
  public:
    /// `share` must outlive it. Terms are computed on `threads` threads at a time.
    TermSums(const BlockShare& share, int threads) : share_(share), threads_(threads) {}

    /// With ranks, for each new list: which terms each of them has.
    void set(SharedOrder particles, SharedOrder pairs) {
        particles_ = std::move(particles);
        pairs_ = std::move(pairs);
    }

    /// The numbers of term(body), an array, over the particles of all ranks. Collective.
    template <std::size_t numbers, class Term>
    std::array<double, numbers> of_particles(Term term) const {
        if (!share_.shared()) return ordered_sums<numbers>(share_.end(), term, threads_);
        return particles_.sums<numbers>([&](std::size_t i) { return term(share_.begin() + i); });
    }
    template <class Term>
    double of_particles(Term term) const {
        return of_particles<1>([&](std::size_t i) { return std::array{term(i)}; })[0];
    }
    /// Sums of term(number), an array, over the `own` pairs of this rank and those of the others.
    template <std::size_t numbers, class Term>
    std::array<double, numbers> of_pairs(std::size_t own, Term term) const {
        if (!share_.shared()) return ordered_sums<numbers>(own, term, threads_);
        return pairs_.sums<numbers>(term);
    }
    template <class Term>
    double of_pairs(std::size_t own, Term term) const {
        return of_pairs<1>(own, [&](std::size_t p) { return std::array{term(p)}; })[0];
    }
    /// The number of an own pair among those of all ranks.
    std::size_t pair_number(std::size_t own) const {
        return share_.shared() ? pairs_.number(own) : own;
    }
    std::size_t pairs(std::size_t own) const { return share_.shared() ? pairs_.count() : own; }

  private:
    const BlockShare& share_;
    int threads_;
    SharedOrder particles_, pairs_;
};

}  // namespace beadwave::packing

// Sums along a chain up to every bead. They are the same to the bit for any distribution of the
// chain over ranks: sums of blocks are added without rounding, and within a block bead by bead.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "ranks/exact_sum.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace beadwave::chain {

/// Index of the first bead of this process's own blocks. A block belongs to the process that owns
/// its first bead; the beads on a process begin with a whole block.
inline std::size_t first_own_block(const Chain& chain) {
    using ranks::sum_block;
    return (chain.own_begin() + sum_block - 1) / sum_block * sum_block;
}

/// Sum of term(i) over the beads i of one block, which begins at `begin`.
template <class Term>
double block_sum(const Chain& chain, std::size_t begin, const Term& term) {
    const std::size_t end = std::min(begin + ranks::sum_block, chain.beads());
    double sum = 0.0;
    for (std::size_t i = begin; i < end; ++i)
        sum += term(i);
    return sum;
}

/// Sum of term(i) over the beads i of all own blocks of this process.
template <class Term>
ranks::ExactSum own_sum(const Chain& chain, const Term& term) {
    ranks::ExactSum sum;
    for (std::size_t i = first_own_block(chain); i < chain.own_end(); i += ranks::sum_block)
        sum.add(block_sum(chain, i, term));
    return sum;
}

/// Sum of term(i) over all beads of the whole chain; `i` is the index on the process.
template <class Term>
double whole_sum(const Chain& chain, const Term& term) {
    ranks::ExactSum sum = own_sum(chain, term);
    ranks::add_up(chain.ranks(), {&sum, 1});
    return sum.value();
}

/// For each bead, the sum of term(i) over the beads before it.
template <class Term>
class PrefixSums {
  public:
    /// `start` is added to all sums. All ranks of the chain call this together.
    PrefixSums(const Chain& chain, double start, Term term)
        : chain_(chain),
          term_(std::move(term)),
          before_(ranks::sum_before(chain.ranks(), own_sum(chain, term_))) {
        before_.add(start);
        for (std::size_t i = 0; i < first_own_block(chain); i += ranks::sum_block) {
            ranks::ExactSum copied;  // counted by another process
            copied.add(block_sum(chain, i, term_));
            before_.subtract(copied);
        }
    }

    /// Calls visit(i, sum) for every bead i on this process and for i = beads(); the sum includes
    /// all beads of the whole chain before it.
    template <class Function>
    void walk(const Function& visit) const {
        ranks::ExactSum before = before_;
        for (std::size_t i = 0; i < chain_.beads();) {
            const double part = block_sum(chain_, i, term_);
            double sum = before.value();
            const std::size_t end = std::min(i + ranks::sum_block, chain_.beads());
            for (; i < end; ++i) {
                visit(i, sum);
                sum += term_(i);
            }
            before.add(part);
        }
        visit(chain_.beads(), before.value());
    }

  private:
    const Chain& chain_;
    Term term_;
    ranks::ExactSum before_;
};

}  // namespace beadwave::chain

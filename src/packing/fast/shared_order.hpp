// A sum over terms that ranks share, with the order, and so the bits, of ordered_sum() on one
// process.
#pragma once

#include "packing/ordered_sum.hpp"
#include "ranks/communicator.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::packing {

/// Which of the terms, numbered over all ranks, each rank has. A block of the sum that one rank has
/// as a whole travels as one number, the terms of other blocks one by one.
class SharedOrder {
  public:
    /// Terms [begin, end).
    struct Stretch {
        std::size_t begin, end;
    };

    SharedOrder() = default;
    /// The stretches of each rank, ascending; together they are all terms, each once.
    SharedOrder(ranks::Communicator& ranks, std::vector<std::vector<Stretch>> of_rank);

    std::size_t count() const { return count_; }  ///< of all ranks
    /// The number of this rank's own-th term.
    std::size_t number(std::size_t own) const;

    /// Sum of term(own) over the own-th terms of all ranks. Collective.
    template <class Term>
    double sum(Term term) const {
        std::vector<double> all(begin_.back());
        std::size_t to = begin_[static_cast<std::size_t>(ranks_->rank())], own = 0;
        for (const Part& part : own_) {
            double whole = 0.0;
            for (const std::size_t end = own + part.terms; own < end; ++own) {
                const double x = term(own);
                if (part.whole) {
                    whole += x;
                } else {
                    all[to++] = x;
                }
            }
            if (part.whole) all[to++] = whole;
        }
        ranks_->share(all, begin_);
        BlockTotal total;
        double open = 0.0;
        for (const Piece& piece : pieces_) {
            for (std::size_t k = 0; k < piece.numbers; ++k)
                open += all[piece.at + k];
            if (!piece.ends_block) continue;
            total.add(open);
            open = 0.0;
        }
        return total.value();
    }

  private:
    /// Of a block of the sum, on this rank.
    struct Part {
        std::size_t terms;
        bool whole;
    };
    /// The same among the numbers of all ranks, in the order of the terms.
    struct Piece {
        std::size_t first, at, numbers;
        bool ends_block;
    };

    ranks::Communicator* ranks_ = nullptr;
    std::size_t count_ = 0;
    std::vector<Stretch> stretches_;  // of this rank
    std::vector<Part> own_;
    std::vector<Piece> pieces_;
    std::vector<std::size_t> begin_;  // of each rank's numbers
};

}  // namespace beadwave::packing

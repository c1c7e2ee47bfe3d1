// A sum over terms that ranks share, with the order, and so the bits, of ordered_sums() on one
// process.
#pragma once

#include "packing/ordered_sum.hpp"
#include "ranks/communicator.hpp"

#include <algorithm>
#include <array>
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

    /// Sums of the numbers of term(own), an array, over the own-th terms of all ranks. Collective.
    template <std::size_t numbers, class Term>
    std::array<double, numbers> sums(Term term) const {
        std::vector<std::size_t> begin = begin_;
        for (std::size_t& each : begin)
            each *= numbers;
        std::vector<double> all(begin.back());
        double* to = all.data() + begin[static_cast<std::size_t>(ranks_->rank())];
        const auto put = [&](const std::array<double, numbers>& one) {
            to = std::ranges::copy(one, to).out;
        };
        std::size_t own = 0;
        for (const Part& part : own_) {
            std::array<double, numbers> whole{};
            for (const std::size_t end = own + part.terms; own < end; ++own) {
                const std::array<double, numbers> one = term(own);
                if (part.whole) {
                    for (std::size_t k = 0; k < numbers; ++k)
                        whole[k] += one[k];
                } else {
                    put(one);
                }
            }
            if (part.whole) put(whole);
        }
        ranks_->share(all, begin);
        std::array<BlockTotal, numbers> total;
        std::array<double, numbers> open{};
        for (const Piece& piece : pieces_) {
            for (std::size_t n = piece.at; n < piece.at + piece.numbers; ++n) {
                for (std::size_t k = 0; k < numbers; ++k)
                    open[k] += all[numbers * n + k];
            }
            if (!piece.ends_block) continue;
            for (std::size_t k = 0; k < numbers; ++k)
                total[k].add(open[k]);
            open = {};
        }
        std::array<double, numbers> sums;
        for (std::size_t k = 0; k < numbers; ++k)
            sums[k] = total[k].value();
        return sums;
    }

  private:
    /// The terms of this rank in a block of the sum, and whether they are the whole block.
    struct Part {
        std::size_t terms;
        bool whole;
    };
    /// The numbers of a Part among those of all ranks, in the order of the terms.
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

// The part of a range of numbers that one process has.
#pragma once

#include "beadwave/chain/elements.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace beadwave::chain {

/// The numbers in [begin, end) of first, first + every, ... up to last (first <= last,
/// every >= 1).
class NumbersHere {
  public:
    NumbersHere(std::int64_t first, std::int64_t last, std::int64_t every, std::size_t begin,
                std::size_t end)
        : every_(std::min(every, last - first + 1)),
          all_((last - first) / every_ + 1),
          skipped_(std::min(all_, before(first, static_cast<std::int64_t>(begin)))),
          until_(std::min(all_, before(first, static_cast<std::int64_t>(end)))),
          first_(first) {}

    /// Calls function(number) for each.
    template <class Function>
    void each(const Function& function) const {
        for (std::int64_t k = skipped_; k < until_; ++k)
            function(static_cast<std::size_t>(first_ + k * every_));
    }

    /// Counts them as the next elements of a list, which has `here` elements on this process.
    void count_in(ElementNumbers& numbers, std::size_t here) const {
        if (skipped_ < until_) {
            numbers.runs.push_back({.index = here,
                                    .number = numbers.total + static_cast<std::size_t>(skipped_),
                                    .count = static_cast<std::size_t>(until_ - skipped_)});
        }
        numbers.total += static_cast<std::size_t>(all_);
    }

  private:
    /// How many of the numbers are below `bound`.
    std::int64_t before(std::int64_t first, std::int64_t bound) const {
        return bound <= first ? 0 : (bound - first - 1) / every_ + 1;
    }

    std::int64_t every_, all_, skipped_, until_, first_;
};

}  // namespace beadwave::chain

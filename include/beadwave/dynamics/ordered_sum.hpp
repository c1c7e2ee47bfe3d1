// A sum whose order, and so whose bits, never depends on threads: blocks, then the blocks' sums.
#pragma once

#include <cstddef>

namespace beadwave::dynamics {

/// Sum of term(i) for i in [0, count).
template <class Term>
double ordered_sum(std::size_t count, Term term) {
    constexpr std::size_t block = 512;
    double total = 0.0;
    double lost = 0.0;  // what rounding took from the total so far (Neumaier)
    for (std::size_t begin = 0; begin < count; begin += block) {
        const std::size_t end = begin + block < count ? begin + block : count;
        double part = 0.0;
        for (std::size_t i = begin; i < end; ++i)
            part += term(i);
        const double sum = total + part;
        const double total_size = total < 0.0 ? -total : total;
        const double part_size = part < 0.0 ? -part : part;
        lost += total_size >= part_size ? (total - sum) + part : (part - sum) + total;
        total = sum;
    }
    return total + lost;
}

}  // namespace beadwave::dynamics

// A loop of independent parts on threads.
#pragma once

#include "simd/flush_subnormals.hpp"

#include <cstddef>
#include <exception>

namespace beadwave::packing {

/// Calls does(k) for k from 0 to count - 1, which may not depend on each other. Subnormal numbers
/// are flushed. Throws what the lowest k threw.
template <class Does>
void each_on_threads(std::size_t count, int threads, const Does& does) {
    constexpr std::size_t few = 64;  // starting threads takes longer
    std::exception_ptr thrown;
    std::size_t first = count;
#pragma omp parallel num_threads(threads) if (threads > 1 && count > few)
    {
        const simd::FlushSubnormals flush;
#pragma omp for schedule(dynamic, 16)
        for (std::size_t k = 0; k < count; ++k) {
            try {
                does(k);
            } catch (...) {
#pragma omp critical(each_on_threads_thrown)
                if (k < first) {
                    first = k;
                    thrown = std::current_exception();
                }
            }
        }
    }
    if (thrown) std::rethrow_exception(thrown);
}

}  // namespace beadwave::packing

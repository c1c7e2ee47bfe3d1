// What the ranks have in the order of the ranks, piece by piece on the first one.
#pragma once

#include "ranks/communicator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::ranks {

/// Calls visit(numbers) on the first rank for pieces of the numbers of all ranks; null: there is
/// one rank. Collective; no rank has those of all at once.
template <class Number, class Visit>
void visit_in_order(Communicator* ranks, std::span<const Number> own, const Visit& visit) {
    if (ranks == nullptr || ranks->alone()) return visit(own);
    constexpr std::size_t piece = std::size_t{1} << 16;
    const std::uint64_t count = own.size();
    const auto counts = ranks->gather_numbers_to_all<std::uint64_t>({&count, 1});
    for (std::size_t r = 0; r < counts.size(); ++r) {
        const bool here = r == static_cast<std::size_t>(ranks->rank());
        for (std::size_t from = 0; from < counts[r][0]; from += piece) {
            const std::size_t size = std::min<std::size_t>(piece, counts[r][0] - from);
            const auto came =
                ranks->gather_numbers<Number>(here ? own.subspan(from, size) : own.first(0));
            if (!came.empty()) visit(std::span<const Number>(came[r]));
        }
    }
}

}  // namespace beadwave::ranks

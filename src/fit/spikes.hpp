// Rows of a measured trace that its peak must not follow: electric spikes, and rows left out.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace beadwave::fit {

struct Despiked {
    std::vector<double> force;  ///< [N]
    std::size_t spikes = 0;     ///< rows that were replaced
};

/// Replaces each row that is far off the median of the rows around it, by this median. `rows`: of
/// the wave's hump over three quarters of its height; humps that are a third as long are no wave.
/// With fewer than eight rows per hump, spikes cannot be told from waves: nothing is replaced.
Despiked without_spikes(std::span<const double> force, double rows);

/// Replaces the rows left out by a straight line between their neighbours.
std::vector<double> bridged(std::span<const double> force, const std::vector<bool>& left_out);

}  // namespace beadwave::fit

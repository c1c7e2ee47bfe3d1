// Chains of equal length that step together, one per lane of a vector: for many short runs. Every
// chain gets the same bits as alone.
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "dynamics/lane_trace.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace beadwave::dynamics {

/// The number of chains that a vector of this processor has lanes for.
std::size_t chains_at_once();

class ChainLanes {
  public:
    virtual ~ChainLanes() = default;

    /// Advances all engines by `steps` steps.
    virtual void advance(std::int64_t steps) = 0;
    /// The trace of the chain with this number in the last advance().
    virtual LaneTrace trace(std::size_t chain) const = 0;
    /// The limits of this chain in the next advance() calls; at first everything exceeds them.
    virtual LaneLimits limits(std::size_t chain) = 0;
};

/// `engines`: tiled engines, at most chains_at_once() of them, at the same step; they must outlive
/// the result. Their own advance() is not called any more. `sensors`: their beads. Null if these
/// engines cannot step together: each must be one whole tile, with the same length, type of law and
/// time step, with walls at rest and without elements.
std::unique_ptr<ChainLanes> make_chain_lanes(std::span<Engine* const> engines,
                                             const std::vector<std::size_t>& sensors);

}  // namespace beadwave::dynamics

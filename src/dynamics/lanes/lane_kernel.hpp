// The interface between chains that step together, one per lane, and the vector code of one law.
#pragma once

#include "simd/instruction_sets.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace beadwave::dynamics {

/// The columns of an entry, which is a bead and the contact to its left. Columns are as wide as a
/// vector, which holds `LaneKernel::beads` entries of `LaneKernel::chains` chains.
struct LaneColumns {
    static constexpr std::size_t displacement = 0, half = 1, gap = 2;
    std::size_t velocity_change, power, memory, count;

    constexpr LaneColumns(bool uses_speed, bool conservative, std::size_t memory_fields)
        : velocity_change(3),
          power(velocity_change + (uses_speed ? 1 : 0)),
          memory(power + (conservative ? 0 : 1)),
          count(memory + memory_fields) {}
};

/// The columns of an entry that hold its state after the last step.
struct LaneResult {
    static constexpr std::size_t force = 0, velocity = 1, velocity_change = 2, count = 3;
};

/// Steps of chains of equal length, one per lane. Entry `beads` is the contact behind the last
/// bead; the walls are at rest.
struct LaneTask {
    double time_step;
    std::size_t beads;
    bool uniform;     ///< one set of parameters for all entries of a chain, without body force
    double* entries;  ///< LaneColumns; one more vector of zeros behind them
    /// LaneResult, also one vector more. Complete for beads and contacts outside the window.
    double* results;
    /// The fields of the law, kick and body force, per entry or once per chain, as in Parameters.
    const double* parameters;
    /// The entries that are stepped, whole vectors. The last bead of the window and those behind it
    /// are at rest in all chains. The steps keep it up to date.
    std::size_t window;
    std::int64_t steps;
    std::span<const std::size_t> sensors;  ///< beads, in ascending order, all different
    /// Rows per sensor: the one before the last `recent_steps` rows, and these.
    double *recent_force, *recent_velocity;
    double *trace_force, *trace_velocity;   ///< per sensor and step; see LaneTrace::first
    std::size_t* first_row;                 ///< LaneTrace::first, per sensor
    double *strongest, *fastest, *slowest;  ///< extremes of all rows, per sensor
    double *strongest_row, *fastest_row, *slowest_row;              ///< of LaneTrace, per sensor
    const double *strongest_known, *fastest_known, *slowest_known;  ///< LaneLimits, per sensor
};

/// The sensors' rows of so many steps are examined together. With the state of a hundred beads they
/// fit the first-level cache.
inline constexpr std::size_t recent_steps = 8;

/// The vector code of one law on one instruction set.
struct LaneKernel {
    std::size_t chains = 0, beads = 0;  ///< of a vector
    bool uses_speed = false;
    void (*advance)(LaneTask&) = nullptr;
};

/// The vector code of the law with this index in laws::AnyLaw.
template <simd::Target>
LaneKernel lane_kernel(std::size_t law);

}  // namespace beadwave::dynamics

// Sections of a motion after Poincare: its state once per period of the drive, or, where nothing
// drives the chain, whenever the velocity of a bead passes zero from above.
#pragma once

#include "orbits/find.hpp"
#include "orbits/period_map.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::orbits {

struct SectionRequest {
    double time_step;              ///< [s]
    std::int64_t steps = 0;        ///< of a period of the drive; 0: at the crossings of a bead
    std::size_t freedom = 0;       ///< whose displacement and velocity are the points
    std::size_t crossing = 0;      ///< the freedom whose velocity passes zero
    std::int64_t transient = 100;  ///< points that are left out at the start
    std::int64_t points = 1000;
    Stop stop{};
};

/// The points of one motion.
struct Section {
    std::vector<double> displacement{}, velocity{}, time{};  ///< [m], [m/s], [s]
};

/// `other`: a map of the same chain, for the steps to the crossings, in the midst of a run.
/// Throws std::runtime_error if the motion is not finite, if the bead's velocity does not pass zero
/// within a million steps, or where `stop` ends it.
Section section(PeriodMap& map, PeriodMap& other, State start, const SectionRequest& request);

}  // namespace beadwave::orbits

// [impact] of a collision case: two rigid bodies that meet at one point, with friction.
#pragma once

#include "io/scenario/table.hpp"
#include "laws/planar_body.hpp"

namespace beadwave::io {

struct ImpactCase {
    laws::PlanarBody first, second;
    double restitution = 0.0;  ///< [-]
    double friction = 0.0;     ///< mu [-]
    double slip_speed = 0.0;   ///< of the first body relative to the second, at the contact [m/s]
};

Table<ImpactCase> impact_table();

}  // namespace beadwave::io

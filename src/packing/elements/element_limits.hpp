// How elements limit the time step of a packing, before a run.
#pragma once

#include "packing/packing.hpp"
#include "stepping/shortest_contact.hpp"

#include <limits>
#include <string>

namespace beadwave::packing {

/// Includes vibrations and dampings of what particles carry. The squares of the frequencies of a
/// particle and of what it carries add up at most.
void include_elements(stepping::Shortest& shortest, const Packing& packing);

/// The largest angular velocity that a motion prescribes [rad/s].
double turning_speed(const PrescribedMotion& motion);
/// The largest speed of the surface of a driven particle [m/s].
double driven_speed(const Packing& packing);

/// Estimate of the speed that a load gives its particle until `end` [s], if nothing but drag holds
/// it, on a way as long as the packing [m/s].
double speed_by_loads(const Packing& packing, double end);

/// The shortest period of what is driven [s], and what that is.
struct DrivePeriod {
    double period = std::numeric_limits<double>::infinity();
    std::string what{};
};

/// The shortest period of drives and loads.
DrivePeriod shortest_period(const Elements& elements);

}  // namespace beadwave::packing

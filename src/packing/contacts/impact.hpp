// Impacts of a packing: contacts of two bodies from their closing to their opening.
#pragma once

#include "packing/contacts/contact_dissipation.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

namespace beadwave::packing {

/// The contact of two bodies from its closing to its opening, with all images of the second and all
/// triangles of a wall: it lasts as long as any of them touches. The speeds are those of the
/// surfaces at the point of contact, which closes first and opens last.
struct Impact {
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

    std::size_t first = 0;   ///< particle
    std::size_t second = 0;  ///< particle, or particles() + number of the wall
    /// Start and end of the touch [s]. The bodies may lie in the dent that they made longer than
    /// this: it ends with the force.
    double start = 0.0, end = 0.0;
    double impact_speed = unknown;       ///< of approach, at the start [m/s]; NaN: was closed at 0
    double impact_slip_speed = unknown;  ///< along the surface, at the start [m/s]; NaN as above
    double separation_speed = unknown;   ///< at the end [m/s]; NaN: the particle left the packing
    double separation_slip_speed = unknown;  ///< along the surface, at the end [m/s]; NaN as above
    double peak_force = 0.0;       ///< largest normal force of one touch, of all steps [N]
    double peak_time = 0.0;        ///< of the largest normal force [s]
    double largest_overlap = 0.0;  ///< of one touch, of all steps [m]
    /// Since it closed [J]; what a law or a spring gives up later belongs to it until the next one.
    DissipationParts dissipated;

    /// Newton's coefficient; NaN: not known.
    double restitution() const {
        return impact_speed > 0.0 ? separation_speed / impact_speed : unknown;
    }

    static constexpr double Impact::*times_and_speeds[] = {&Impact::start,
                                                           &Impact::end,
                                                           &Impact::impact_speed,
                                                           &Impact::impact_slip_speed,
                                                           &Impact::separation_speed,
                                                           &Impact::separation_slip_speed,
                                                           &Impact::peak_force,
                                                           &Impact::peak_time,
                                                           &Impact::largest_overlap};
};

/// Contacts that are closed at present.
struct OpenImpacts {
    std::size_t count = 0;
    DissipationParts dissipated;  ///< since each of them closed [J]
};

}  // namespace beadwave::packing

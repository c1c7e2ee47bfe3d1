// Presses a loose packing in a periodic box, before a run, until it carries a pressure or fills a
// fraction of the box: quasi-static compression, without friction, damping and gravity.
//
// In each round the box becomes smaller by a factor, all places with it, and the packing comes to
// rest at the least energy of its normal contacts: the fast inertial relaxation engine, FIRE, in
// the form that steps velocities first (Guénolé et al., Computational Materials Science 175 (2020)
// 109584; Bitzek et al., Phys. Rev. Lett. 97 (2006) 170201). It is at rest when no net force is
// above `tolerance` times the mean force of a contact, or when it is loose: its pressure is far
// below the one that is wanted, or all overlaps are below 1e-9 of the radii. A round that passes
// the pressure is undone and its factor halved: the packing comes from below, as in O'Hern et al.,
// Phys. Rev. E 68 (2003) 011306.
#pragma once

#include "packing/packing.hpp"

#include <optional>

namespace beadwave::packing {

/// One of the first two.
struct PressPlan {
    std::optional<double> pressure{};         ///< [Pa]; in the plane [N/m]
    std::optional<double> volume_fraction{};  ///< of the particles; overlaps count twice
    double tolerance = 1e-4;                  ///< largest net force over mean contact force
};

struct Pressed {
    double pressure = 0.0, volume_fraction = 0.0;
    double largest_net_force = 0.0;  ///< over the mean contact force
    int rounds = 0;
};

/// Changes the places and the box of the packing, whose axes are all periodic. Throws
/// ArgumentError, with one sentence, if the packing cannot be pressed.
Pressed press(Packing& packing, const PressPlan& plan);

}  // namespace beadwave::packing

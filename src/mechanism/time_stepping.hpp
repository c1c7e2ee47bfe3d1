// Runs a mechanism in steps of fixed length, without looking for events: the scheme of J. J. Moreau
// ("Numerical aspects of the sweeping process", Comput. Methods Appl. Mech. Engrg. 177, 1999,
// 329-349) and M. Jean ("The non-smooth contact dynamics method", the same volume, 235-257), for
// many contacts. (CorralReview section 3.1: differential variational inequality.)
//
// From q, u at the start of a step of length h, with a the accelerations without contacts:
//
//   in the middle, q + h u / 2: a contact is active if its gap there is closed, and if it pushed
//     in the step before up to a gap of the penetration tolerance
//   u' = u + h ((1 - theta) a(q, u) + theta a(q', u')) + M^-1 H^T P
//   q' = q + h ((1 - theta) u + theta u')
//
// The impulses P of the active contacts are those of one linear complementarity problem with
// Coulomb's friction, M and H from the middle of the step: each pushes, and none separates slower
// than Newton's restitution requires of its approach speed at the start. Where that would create
// energy, as bodies that part are thrown together, they may approach by its part of their speed of
// separation (Moreau's form). All impacts and
// accumulations of impacts within a step become one. The scheme is of order one in h. Speeds keep
// contacts closed, not positions: bodies overlap by up to impact speed times step where they met.
// The largest overlap is watched. With theta = 1/2, constant forces and constant masses, the
// energies balance to rounding.
#pragma once

#include "mechanism/simulate.hpp"

namespace beadwave::mechanism {

/// simulate() for a mechanism with `stepping`. The result has no rejected steps.
Result step_in_time(const Mechanism&, const Sinks&, const std::vector<double>* from);

/// The number of steps of such a run.
double time_steps_of(const Mechanism&);

/// The penetration tolerance: the given one, or a thousandth of the size of the mechanism [m].
double penetration_tolerance_of(const Mechanism&);

/// Throws PartError unless the scheme can run the mechanism.
void check_stepping(const Mechanism&);

}  // namespace beadwave::mechanism

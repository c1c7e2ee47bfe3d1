// The stiffness and the damping of a contact under a static load, from the derivatives of its law.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "beadwave/laws/slopes.hpp"

#include <optional>

namespace beadwave::laws {

/// dF/d(delta) [N/m] and dF/d(delta_dot) [N s/m] at an overlap [m] and approach speed [m/s] with
/// the memory there; exact to rounding. On a branch point it is the branch that respond() takes.
Slopes<double> exact_slopes(const AnyLaw& law, double overlap, double approach_speed,
                            const AnyMemory& memory);

/// How a contact's damping at rest departs from a linear dashpot.
enum class Dashpot {
    linear,
    one_sided,      ///< closing and opening are damped differently; the slope is their mean
    nonlinear,      ///< the force is another power of the speed than 1; the slope is 0
    by_first_speed  ///< depends on the speed of the first touch; the slope is that of a slow one
};

/// A contact that was loaded once, slowly, to an overlap, and rests there.
struct StaticContact {
    double force;           ///< [N]
    Slopes<double> slopes;  ///< for small motions about the load; of unloading where both differ
    /// Where further loading has another stiffness than unloading, that of loading [N/m].
    std::optional<double> loading_stiffness{};
    Dashpot dashpot = Dashpot::linear;
    bool jumps = false;  ///< the force jumps at this overlap; the slopes mean nothing
};

/// overlap [m] > 0.
StaticContact static_contact(const AnyLaw& law, double overlap);

}  // namespace beadwave::laws

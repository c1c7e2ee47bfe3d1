// The restitution that a hysteresis-damping factor gives, and the factor for a given restitution.
//
// m d(delta_dot)/dt = -K delta^n (1 + chi delta_dot/delta_dot_0) from delta = 0 back to delta = 0
// separates: u du / (1 + chi u) = -const delta^n d(delta) with u = delta_dot/delta_dot_0.
// Integrated over the collision, with the output restitution e,
//
//     chi (1 + e) = ln[(1 + chi) / (1 - chi e)],   0 < chi e < 1    [Poursina2020 Eq. (19)]
//
// for any n, K, mass and speed. As e -> 1, chi -> 3 (1 - e) / 2; as e -> 0, chi -> 1/e.
#pragma once

namespace beadwave::laws {

/// Output restitution [-] of the damping factor chi >= 0 [-].
double hysteresis_restitution(double chi);

/// The damping factor chi [-] whose output restitution is e in (0, 1].
double exact_hysteresis_factor(double restitution);

}  // namespace beadwave::laws

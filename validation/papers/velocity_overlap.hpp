// Damping factors from an assumed relation between speed and overlap, as several papers derive
// them.
#pragma once

#include <cmath>

namespace beadwave::validation {

/// k of chi = k (1 - e)/e K/delta_dot_0 for F = K delta^n (1 + chi delta_dot/K) when the speed is
/// taken as delta_dot_0 (1 - x^b)^(1/c), x = delta/delta_max, in compression and e times it in
/// restitution. The energy lost, chi (1 + e) delta_dot_0 I delta_max^(n+1) with I = integral of x^n
/// (1 - x^b)^(1/c), is set equal to (m/2) delta_dot_0^2 (1 - e^2), and the kinetic energy to the
/// energy that compression stores and loses. This gives k = 1/((n + 1) I).
inline double damping_coefficient(double n, double b, double c) {
    const double integral = std::beta((n + 1.0) / b, 1.0 + 1.0 / c) / b;
    return 1.0 / ((n + 1.0) * integral);
}

}  // namespace beadwave::validation

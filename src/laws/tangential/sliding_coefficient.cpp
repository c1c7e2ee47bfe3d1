#include "laws/tangential/sliding_coefficient.hpp"

#include <fmt/format.h>

namespace beadwave::laws {

std::string fault_of_sliding(const SlidingCoefficient<double>& curve,
                             std::optional<double> static_coefficient, double stribeck_speed) {
    const auto from_zero = [](double x) { return x >= 0.0 && std::isfinite(x); };
    if (static_coefficient &&
        !(*static_coefficient >= curve.coefficient && std::isfinite(*static_coefficient))) {
        return fmt::format("static_coefficient is {:g}; expected the coefficient, {:g}, or larger",
                           *static_coefficient, curve.coefficient);
    }
    if (!from_zero(stribeck_speed))
        return fmt::format("stribeck_speed is {:g}; expected a speed above 0, in m/s",
                           stribeck_speed);
    if (stribeck_speed > 0.0 && !static_coefficient)
        return "stribeck_speed is that of a curve from the static coefficient to the other one, "
               "and "
               "there is one coefficient; expected a static_coefficient beside it";
    if (!(curve.exponent > 0.0 && std::isfinite(curve.exponent)))
        return fmt::format("stribeck_exponent is {:g}; expected a number above 0", curve.exponent);
    if (!from_zero(curve.viscous))
        return fmt::format("viscous_coefficient is {:g}; expected a number of 0 or more, in s/m",
                           curve.viscous);
    return {};
}

}  // namespace beadwave::laws

// The damping factors of the hysteresis family: one function and one row per law.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::laws {

struct HysteresisFactor {
    std::string_view name;
    std::vector<std::string> aliases;
    double (*chi)(
        double restitution);  ///< chi(e) of F = K delta^n (1 + chi delta_dot/delta_dot_0) [-]
    std::string_view formula;
    double least_restitution = 0.0;  ///< the law is defined above it
    std::string_view remark{};       ///< what the measured validity does not say
    std::string_view source;
};

std::span<const HysteresisFactor> hysteresis_factors();

}  // namespace beadwave::laws

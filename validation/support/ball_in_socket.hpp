// A ball that hits a socket at 4 m/s [WangLiu2022 Table 1], as a case file.
#pragma once

#include <string>

namespace beadwave::validation {

/// The case with `law` as the lines of its [law] table, from line 17 on.
inline std::string ball_in_socket(const std::string& law) {
    return R"(speed = 4.0

[body.a]
radius = 2.00e-2
mass = 0.2614
youngs_modulus = 6.5e10
poisson_ratio = 0.33
yield_stress = 3.0e7

[body.b]
radius = 2.05e-2
concave = true
fixed = true
youngs_modulus = 2.0e11
poisson_ratio = 0.29

)" + ("[law]\n" + law);
}

}  // namespace beadwave::validation

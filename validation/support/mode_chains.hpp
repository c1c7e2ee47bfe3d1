// Chains whose modes several tests compute.
#pragma once

#include "jobs/read_job.hpp"
#include "subjects/modes/modes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

namespace beadwave::validation {

inline tasks::ModesResult modes_of(const std::string& text,
                                   const std::vector<std::string>& overrides = {}) {
    return tasks::modes_of(*jobs::read_job_text(text, "modes.toml", ".", overrides), "modes.toml",
                           {});
}

inline const std::string materials = R"(
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.30
yield_stress = 1e9
[material.aluminium]
youngs_modulus = 73.5e9
poisson_ratio = 0.33
[time]
end = 1e-3
)";

inline std::string uniform_chain(int beads, double force,
                                 const std::string& law = "name = \"hertz\"") {
    return materials + fmt::format(R"(
[[segment]]
beads = {}
radius = 5e-3
mass = 4e-3
material = "steel"
[law]
{}
[boundary]
left = "fixed"
right = "fixed"
[precompression]
force = {}
)",
                                   beads, law, force);
}

/// k = 1.5 A^(2/3) F^(1/3) of two spheres [N/m].
inline double hertz_spring(double force, double radius_1, double e_1, double nu_1, double radius_2,
                           double e_2, double nu_2) {
    const double modulus = 1.0 / ((1.0 - nu_1 * nu_1) / e_1 + (1.0 - nu_2 * nu_2) / e_2);
    const double radius = 1.0 / (1.0 / radius_1 + 1.0 / radius_2);
    const double a = 4.0 / 3.0 * modulus * std::sqrt(radius);
    return 1.5 * std::pow(a, 2.0 / 3.0) * std::cbrt(force);
}

inline double steel_spring(double force, double radius = 5e-3) {
    return hertz_spring(force, radius, 193e9, 0.3, radius, 193e9, 0.3);
}

}  // namespace beadwave::validation

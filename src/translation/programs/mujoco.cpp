// MuJoCo: the acceleration of a contact is -d (b v + k r) of its penetration r, with b and k from
// solref and the impedance d from solimp. With one impedance for all penetrations that is a damped
// oscillator with the frequency 1/(timeconst dampratio) and the damping ratio dampratio, whatever
// the masses are.
#include "translation/model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace beadwave::translation {
namespace mujoco_models {

constexpr double impedance = 0.9;  ///< dmin = dmax of solimp

/// Numbers::stiffness is the frequency [rad/s], Numbers::damping the dampratio.
double time_constant(const Numbers& n) {
    return 1.0 / (n.stiffness * n.damping);
}

double force(const Numbers& n, const Touch& touch, double overlap, double speed) {
    // b = 2/(dmax timeconst), k = d(r)/(dmax timeconst dampratio)^2.
    const double b = 2.0 / (impedance * time_constant(n));
    const double root = impedance * time_constant(n) * n.damping;
    const double k = impedance / (root * root);
    return touch.mass * impedance * (b * speed + k * overlap);
}

constexpr double least_ratio = 1e-6;  ///< without damping timeconst would be infinite

Numbers damped(const Numbers& n) {
    return {n.stiffness, std::fmax(n.damping, least_ratio)};
}

std::vector<Key> keys(const Numbers& given, const Touch& /*touch*/) {
    const Numbers n = damped(given);
    return {{"solref[0]", time_constant(n), "s", "timeconst"},
            {"solref[1]", n.damping, "-", "dampratio"},
            {"solimp[0]", impedance, "-", "dmin"},
            {"solimp[1]", impedance, "-", "dmax"},
            {"option.timestep", 0.05 / n.stiffness, "s",
             "at most: a sixtieth of a contact, and half of timeconst"}};
}

std::string input(const Numbers& given, const Touch& /*touch*/) {
    const Numbers n = damped(given);
    return fmt::format("<geom solref=\"{:.9g} {:.9g}\" solimp=\"{} {} 0.001\"/>", time_constant(n),
                       n.damping, impedance, impedance);
}

constexpr Model models[] = {
    {.name = "solref, solimp",
     .formula = "max(0, m d (b v + k r)), b = 2/(d timeconst), k = d/(d timeconst dampratio)^2",
     .source = "MuJoCo documentation, Computation, Constraint model, Solver parameters",
     .force = [](const Numbers& n, const Touch& touch, double overlap,
                 double speed) { return force(damped(n), touch, overlap, speed); },
     .pulls = false,
     .hertzian = false,
     .first_stiffness = [](const Touch& touch) { return std::numbers::pi / touch.time; },
     .strong_damping = of_order_one,
     .keys = keys,
     .input = input,
     .remark =
         "The contact has no dimension of friction (condim 1). Durations do not depend on mass "
         "or speed."},
};

}  // namespace mujoco_models

extern const Program mujoco;
constexpr Program mujoco{.name = "mujoco", .title = "MuJoCo", .models = mujoco_models::models};

}  // namespace beadwave::translation

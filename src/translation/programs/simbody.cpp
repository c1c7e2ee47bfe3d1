// Simbody: HuntCrossleyForce. Of two bodies with the same stiffness and dissipation, whose combined
// stiffness is half of it: F = (4/3) k^1.5 sqrt(R) d^1.5 (1 + (3/2) c v), cut at 0.
#include "translation/model.hpp"

#include <fmt/format.h>

#include <cmath>

namespace beadwave::translation {
namespace simbody_models {

/// The stiffness of each body [Pa^(2/3)].
double stiffness(const Numbers& n, const Touch& touch) {
    return 2.0 * std::pow(effective_modulus(n, touch), 2.0 / 3.0);
}

double force(const Numbers& n, const Touch& /*touch*/, double overlap, double speed) {
    return hertz_force(n.stiffness, overlap) * (1.0 + 1.5 * n.damping * speed);
}

constexpr Model models[] = {
    {.name = "HuntCrossleyForce",
     .formula = "max(0, K d^1.5 (1 + (3/2) dissipation v))",
     .source = "Simbody documentation, HuntCrossleyForce",
     .force = force,
     .pulls = false,
     .hertzian = true,
     .first_stiffness = nullptr,
     .strong_damping = [](const Touch& touch) { return 1.0 / touch.speed; },
     .keys = [](const Numbers& n, const Touch& touch) -> std::vector<Key> {
         return {{"stiffness", stiffness(n, touch), "Pa^(2/3)", "of both bodies"},
                 {"dissipation", n.damping, "s/m", "of both bodies"}};
     },
     .input =
         [](const Numbers& n, const Touch& touch) {
             return fmt::format("hc.setBodyParameters(surface, {:.9g}, {:.9g}, 0.0, 0.0, 0.0);",
                                stiffness(n, touch), n.damping);
         }},
};

}  // namespace simbody_models

extern const Program simbody;
constexpr Program simbody{.name = "simbody", .title = "Simbody", .models = simbody_models::models};

}  // namespace beadwave::translation

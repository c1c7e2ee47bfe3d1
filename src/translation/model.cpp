#include "translation/model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::translation {

double hertz_force(double stiffness, double overlap) {
    return stiffness * overlap * std::sqrt(overlap);
}

double effective_modulus(const Numbers& n, const Touch& touch) {
    return 0.75 * n.stiffness / std::sqrt(touch.radius);
}

double youngs_modulus(const Numbers& n, const Touch& touch) {
    return 2.0 * (1.0 - touch.poisson_ratio * touch.poisson_ratio) * effective_modulus(n, touch);
}

double tsuji_factor(double damping) {
    return std::sqrt(5.0) * damping /
           std::sqrt(damping * damping + std::numbers::pi * std::numbers::pi);
}

double tsuji_force(const Numbers& n, const Touch& touch, double overlap, double approach_speed) {
    return hertz_force(n.stiffness, overlap) + tsuji_factor(n.damping) *
                                                   std::sqrt(touch.mass * n.stiffness) *
                                                   std::pow(overlap, 0.25) * approach_speed;
}

double linear_dashpot(double stiffness, double mass, double damping) {
    return 2.0 * std::sqrt(mass * stiffness) * damping /
           std::sqrt(damping * damping + std::numbers::pi * std::numbers::pi);
}

double restitution_key(const Numbers& n) {
    return std::exp(-n.damping);
}

double of_order_one(const Touch& /*touch*/) {
    return 1.0;
}

double per_duration(const Touch& touch) {
    return 1.0 / touch.time;
}

double spring_of_duration(const Touch& touch) {
    const double frequency = std::numbers::pi / touch.time;
    return touch.mass * frequency * frequency;
}

}  // namespace beadwave::translation

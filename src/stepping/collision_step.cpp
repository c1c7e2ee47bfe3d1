#include "stepping/collision_step.hpp"

#include <cmath>

namespace beadwave::stepping {
namespace {

/// Where a dashpot is strong, bodies part by creep, which takes up to millions of steps: slower
/// than this part of the impact speed they have no rebound that counts.
constexpr double creep = 1e-5;
constexpr double most_steps_of_collision = 1e5;

/// The speed after one collision that begins `before` of a step after the last one [m/s], or after
/// `most_steps`: after a plastic contact the bodies separate slowly.
double rebound(const laws::AnyLaw& law, double mass, double speed, double step, double before,
               int most_steps) {
    laws::AnyMemory memory{};
    double overlap = -before * step * speed, v = speed, a = 0.0;
    bool met = false;
    for (int k = 0; k < most_steps; ++k) {
        const double half = v + 0.5 * step * a;
        overlap += step * half;
        if (overlap <= 0.0) {
            if (met || half <= 0.0) return -half;
            continue;
        }
        met = true;
        const auto response = law.respond(overlap, half + 0.5 * step * a, memory);
        memory = response.memory;
        a = -response.force / mass;
        v = half + 0.5 * step * a;
        const bool turns = std::abs(step * a) >= std::abs(v);
        if (!turns && std::abs(v) < creep * speed) return -v;
    }
    return -v;
}

/// The errors of the rebound speed of one collision, relative to its impact speed, over the moments
/// within a step at which the contact may close.
struct CollisionErrors {
    double mean;     ///< what many collisions are wrong by [-]
    double scatter;  ///< root of the mean square of what one is wrong by [-]
};

CollisionErrors collision_errors(const laws::AnyLaw& law, double mass, double speed, double step,
                                 const laws::ContactTimes& exact) {
    const int most_steps =
        static_cast<int>(std::fmin(4.0 * exact.duration / step + 100.0, most_steps_of_collision));
    constexpr int moments = 16;
    double sum = 0.0, squares = 0.0;
    for (int k = 0; k < moments; ++k) {
        const double before = (k + 0.5) / moments;
        const double error =
            rebound(law, mass, speed, step, before, most_steps) / speed - exact.restitution;
        sum += error;
        squares += error * error;
    }
    return {.mean = std::abs(sum / moments), .scatter = std::sqrt(squares / moments)};
}

}  // namespace

double collision_step(const laws::AnyLaw& law, double mass, double speed,
                      const laws::ContactTimes& exact, const CollisionAccuracy& accuracy) {
    constexpr double scatter = 10.0, finer = 0.85;
    const double shortest = std::fmin(accuracy.longest, accuracy.shortest);
    for (double step = accuracy.longest; step > shortest; step *= finer) {
        const CollisionErrors errors = collision_errors(law, mass, speed, step, exact);
        if (errors.mean <= accuracy.error && errors.scatter <= scatter * accuracy.error)
            return step;
    }
    return shortest;
}

}  // namespace beadwave::stepping

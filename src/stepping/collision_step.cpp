#include "stepping/collision_step.hpp"

#include "beadwave/laws/collision.hpp"
#include "laws/neck.hpp"

#include <cmath>
#include <stdexcept>

namespace beadwave::stepping {
namespace {

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
    }
    return -v;
}

}  // namespace

CollisionErrors collision_errors(const laws::AnyLaw& law, double mass, double speed, double step) {
    const laws::ContactTimes times = laws::contact_times(law, mass, speed);
    const double rebound_speed = times.restitution * speed;
    const int most_steps = static_cast<int>(std::fmin(4.0 * times.duration / step + 100.0, 1e7));
    constexpr int moments = 16;
    double sum = 0.0, squares = 0.0;
    for (int k = 0; k < moments; ++k) {
        const double error =
            (rebound(law, mass, speed, step, (k + 0.5) / moments, most_steps) - rebound_speed) /
            speed;
        sum += error;
        squares += error * error;
    }
    return {.mean = std::abs(sum / moments), .scatter = std::sqrt(squares / moments)};
}

double collision_step(const laws::AnyLaw& law, double mass, double speed,
                      const CollisionAccuracy& accuracy) {
    constexpr double scatter = 10.0, finer = 0.85;
    const double shortest = std::fmin(accuracy.longest, accuracy.shortest);
    if (laws::is_adhesive(law)) return shortest;
    try {
        for (double step = accuracy.longest; step > shortest; step *= finer) {
            const CollisionErrors errors = collision_errors(law, mass, speed, step);
            if (errors.mean <= accuracy.error && errors.scatter <= scatter * accuracy.error)
                return step;
        }
    } catch (const std::runtime_error&) {
        // Overdamped: the bodies do not separate, and have no rebound to measure.
    }
    return shortest;
}

}  // namespace beadwave::stepping

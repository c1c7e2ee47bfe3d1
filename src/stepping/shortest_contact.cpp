#include "stepping/shortest_contact.hpp"

#include "beadwave/laws/contact.hpp"
#include "laws/neck.hpp"

#include <cmath>
#include <stdexcept>

namespace beadwave::stepping {
namespace {

/// The time in which the force of a contact would rise to its largest value up to an overlap, if it
/// rose everywhere as steeply as at its steepest place. The contact closes at constant speed; jumps
/// do not count. [s]
double rise_time(const laws::AnyLaw& law, double overlap, double speed) {
    const auto memory = law.respond(std::numeric_limits<double>::min(), speed, {}).memory;
    const auto force = [&](double x) { return law.respond(x, speed, memory).force; };
    double largest = 0.0, steepest = 0.0;
    double x = 1e-3 * overlap, before = force(x);
    constexpr double ratio = 1.05;
    for (; x < overlap; x *= ratio) {
        const double after = force(ratio * x);
        largest = std::max(largest, std::abs(after));
        // If the steeper half keeps all of the rise in every halving, the law jumps here.
        double low = x, high = ratio * x, at_low = before, at_high = after;
        if (std::abs(at_high - at_low) > steepest * (high - low)) {
            for (int halving = 0; halving < 8; ++halving) {
                const double middle = 0.5 * (low + high), at_middle = force(middle);
                const bool left = std::abs(at_middle - at_low) > std::abs(at_high - at_middle);
                (left ? high : low) = middle;
                (left ? at_high : at_low) = at_middle;
            }
            const bool jumps = std::abs(at_high - at_low) > 0.1 * std::abs(after - before);
            if (!jumps) steepest = std::max(steepest, std::abs(at_high - at_low) / (high - low));
        }
        before = after;
    }
    return steepest > 0.0 ? largest / (steepest * speed) : std::numeric_limits<double>::infinity();
}

}  // namespace

double deepest_overlap(const laws::AnyLaw& law, double overlap) {
    return std::max(overlap, laws::well_overlap(law));
}

double stiffness_at(const laws::AnyLaw& law, double overlap) {
    constexpr double part = 1e-4;
    const auto [force, memory] = law.respond(overlap, 0.0, {});
    const double below = overlap * (1.0 - part);
    const double loading = force - law.respond(below, 0.0, {}).force;
    const double unloading = force - law.respond(below, 0.0, memory).force;
    return std::max(loading, unloading) / (overlap * part);
}

double damping_at(const laws::AnyLaw& law, double overlap, double speed) {
    auto memory = law.respond(std::numeric_limits<double>::min(), 0.0, {}).memory;
    memory = law.respond(overlap, 0.0, memory).memory;
    const auto force = [&](double v) { return law.respond(overlap, v, memory).force; };
    const double mean = (force(speed) - force(0.0)) / speed;
    constexpr double part = 1e-3;
    const double slope =
        (force(2.0 * speed) - force(2.0 * speed * (1.0 - part))) / (2.0 * speed * part);
    return slope > 1.01 * mean ? slope : mean;
}

void include_damping(Shortest& shortest, const laws::AnyLaw& law, double mass, double overlap,
                     double speed) {
    const double coefficient = damping_at(law, overlap, std::max(speed, 1e-6));
    if (!(coefficient > 0.0)) return;
    shortest.damps(mass / coefficient);
    const double at_closing = damping_at(law, 1e-6 * overlap, std::max(speed, 1e-6));
    if (at_closing > 0.1 * coefficient)
        shortest.jumping = std::min(shortest.jumping, mass / at_closing);
}

IncludedCollision include_collision(Shortest& shortest, const laws::AnyLaw& law, double mass,
                                    double speed) {
    double overlap = 0.0;
    std::optional<laws::ContactTimes> parted;
    try {
        const laws::ContactTimes times = laws::contact_times(law, mass, speed);
        overlap = times.max_overlap;
        if (!laws::is_adhesive(law)) parted = times;
        // If the restitution is close to zero, the duration of the rebound does not matter.
        constexpr double nothing = 0.01;
        const double restitution_time = times.restitution < nothing
                                            ? times.compression_time
                                            : times.duration - times.compression_time;
        shortest.duration =
            std::min(shortest.duration, 2.0 * std::min(times.compression_time, restitution_time));
    } catch (const std::runtime_error&) {
        // Overdamped: the contact does not separate. Take half a period of its spring, at the
        // overlap that stores the energy of the collision.
        overlap =
            laws::stopping_overlap([&](double at) { return laws::first_loading_force(law, at); },
                                   0.5 * mass * speed * speed);
    }
    if (!parted) {  // it stays closed, and vibrates
        overlap = deepest_overlap(law, overlap);
        const double time = std::sqrt(mass / stiffness_at(law, overlap));
        shortest.duration = std::min(shortest.duration, std::numbers::pi * time);
    }
    shortest.vibrates(std::sqrt(mass / stiffness_at(law, overlap)));
    include_damping(shortest, law, mass, overlap, speed);
    shortest.rising = std::min(shortest.rising, rise_time(law, overlap, speed));
    return {.overlap = overlap, .parted = parted};
}

}  // namespace beadwave::stepping

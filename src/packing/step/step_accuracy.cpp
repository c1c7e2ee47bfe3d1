#include "packing/step/step_accuracy.hpp"

#include "packing/step/time_step.hpp"
#include "stepping/collision_step.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing {

StepAccuracy::StepAccuracy(std::optional<double> resolution)
    : stated(resolution.has_value()),
      collision_error(resolution.value_or(usual_collision_error)),
      per_contact(steps_per_contact),
      per_damping_time(stepping::steps_per_damping_time) {
    if (!stated) return;
    const double fewer = std::sqrt(usual_vibration_error / *resolution);
    per_contact = std::max(fewest_steps_per_contact, per_contact * fewer);
    per_damping_time = std::max(fewest_steps_per_damping_time, per_damping_time * fewer);
}

void StepAccuracy::set_coarse(stepping::TimeStep& step) const {
    if (stated) step.resolution = collision_error;
    constexpr double most = 0.5;  // of 2, where Verlet becomes unstable, and of 1
    step.too_coarse_frequency =
        std::min(most, stepping::coarse_frequency * steps_per_contact / per_contact);
    step.too_coarse_damping = std::min(
        most, stepping::coarse_damping * stepping::steps_per_damping_time / per_damping_time);
}

double CollisionLimits::include(const laws::AnyLaw& law, double mass, double speed) {
    stepping::Shortest own;
    const auto [overlap, parted] = stepping::include_collision(own, law, mass, speed);
    shortest.duration = std::min(shortest.duration, own.duration);
    shortest.damped = std::min(shortest.damped, own.damped);
    shortest.jumping = std::min(shortest.jumping, own.jumping);
    shortest.stable = std::min(shortest.stable, own.stable);
    // Collisions are integrated only where they may decide: this takes milliseconds.
    const double longest = std::min({collision_, own.duration / accuracy_.per_contact,
                                     own.damped / accuracy_.per_damping_time,
                                     shortest.duration / accuracy_.per_contact});
    const double by_rise = own.rising / stepping::steps_per_rise;
    if (!accuracy_.stated && by_rise >= longest) return overlap;
    const double least = std::min(
        by_rise, accuracy_.stated ? own.jumping / stepping::packing_steps_per_jump : by_rise);
    const stepping::CollisionAccuracy accuracy{
        .error = accuracy_.collision_error, .longest = longest, .shortest = least};
    const double found =
        parted ? stepping::collision_step(law, mass, speed, *parted, accuracy) : least;
    if (found >= longest) return overlap;
    collision_ = found;
    collision_contact_ = own.duration;
    return overlap;
}

stepping::StepLimit CollisionLimits::shortest_limit(double period, double turning) const {
    using stepping::StepRule;
    const auto limit = [](StepRule rule, double time, double steps) {
        return stepping::StepLimit{rule, time / steps, time};
    };
    // The collisions contain the jumps where an error is stated.
    const double jumping =
        accuracy_.stated ? std::numeric_limits<double>::infinity() : shortest.jumping;
    return stepping::shortest_limit(
        {limit(StepRule::contact, shortest.duration, accuracy_.per_contact),
         limit(StepRule::damping, shortest.damped, accuracy_.per_damping_time),
         limit(StepRule::jump, jumping, stepping::packing_steps_per_jump),
         {StepRule::collision, collision_, collision_contact_},
         limit(StepRule::drive, period, stepping::steps_per_period),
         limit(StepRule::turning, 1.0 / turning, 1.0 / radians_per_step)});
}

}  // namespace beadwave::packing

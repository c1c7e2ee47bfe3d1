#include "packing/rigid/rigid_time_step.hpp"

#include "packing/step/fastest_motion.hpp"
#include "packing/vector_length.hpp"
#include "stepping/light_speed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace beadwave::packing {

stepping::TimeStep choose_rigid_step(const Packing& packing, const stepping::StepRequest& request) {
    using stepping::StepRule;
    const double radius = packing.radius.smallest();
    const double speed = largest_speed(packing, 0.0, request);
    const double gravity = length_of(packing.gravity);
    double period = std::numeric_limits<double>::infinity();
    for (const Wall& wall : packing.walls)
        if (wall.drive) period = std::min(period, wall.drive->period());
    stepping::TimeStep choice{.step = 0.0,
                              .count = 0,
                              .shortest_contact = 0.0,
                              .largest_speed = speed,
                              .given = request.step.has_value()};
    if (request.step) {
        const double longest = period / stepping::fewest_steps_per_period;
        if (*request.step > longest) {
            throw stepping::StepError(fmt::format(
                "too long for a driven wall, whose period is {:.3g} s; expected at most {:.3g} s, "
                "a twentieth of it",
                period, longest));
        }
        choice.step = *request.step;
    } else {
        const double crossing = radius / speed, falling = std::sqrt(radius / gravity);
        const stepping::StepLimit limiting = stepping::shortest_limit(
            {{StepRule::collision, radii_per_step * crossing, crossing},
             {StepRule::collision, radii_per_step * falling, falling},
             {StepRule::drive, period / stepping::steps_per_period, period}});
        if (!std::isfinite(limiting.step)) {
            throw stepping::StepError(
                "missing, and nothing to choose it from: nothing moves; expected a velocity, "
                "gravity or a time.step in s");
        }
        stepping::refuse_faster_than_light(speed);
        choice.step = stepping::fitted_step(limiting.step, request.interval);
        choice.rule = limiting.rule;
        choice.rule_time = limiting.time;
    }
    choice.count = stepping::steps_to(request.end, choice.step);
    return choice;
}

}  // namespace beadwave::packing

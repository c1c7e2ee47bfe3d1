#include "stepping/light_speed.hpp"

#include "base/long_run.hpp"
#include "beadwave/stepping/time_step.hpp"

#include <fmt/format.h>

namespace beadwave::stepping {

void refuse_faster_than_light(double speed) {
    if (speed <= speed_of_light) return;
    throw StepError(fmt::format(
        "missing, and the velocities, loads and drives make bodies meet at {:.2g} m/s, faster than "
        "light; expected smaller ones, or a time.step in s",
        speed));
}

}  // namespace beadwave::stepping

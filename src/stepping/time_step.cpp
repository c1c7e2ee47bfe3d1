#include "beadwave/stepping/time_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::stepping {

double fitted_step(double longest, double interval) {
    return interval / std::ceil(interval / longest);
}

std::int64_t steps_to(double end, double step) {
    const double count = end / step;
    constexpr double most_steps = 9e15;  // a double represents smaller step numbers exactly
    if (!(count < most_steps)) {
        throw StepError(fmt::format("needs {:.2g} steps to reach {:g} s; expected fewer than {:g}",
                                    count, end, most_steps));
    }
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(count * (1.0 - 1e-12))));
}

TimeStep shortened(const TimeStep& step, double longest, const StepRequest& request) {
    return with_step(step, fitted_step(std::min(longest, step.step), request.interval), request);
}

TimeStep with_step(const TimeStep& step, double exactly, const StepRequest& request) {
    TimeStep other = step;
    other.step = exactly;
    other.count = steps_to(request.end, exactly);
    return other;
}

}  // namespace beadwave::stepping

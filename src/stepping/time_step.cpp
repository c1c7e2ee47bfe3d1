#include "beadwave/stepping/time_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace beadwave::stepping {

const char* name_of(StepRule rule) {
    switch (rule) {
        case StepRule::given:
            return "given";
        case StepRule::contact:
            return "contact";
        case StepRule::damping:
            return "damping";
        case StepRule::jump:
            return "jump";
        case StepRule::rise:
            return "rise";
        case StepRule::collision:
            return "collision";
        case StepRule::drive:
            return "drive";
        case StepRule::turning:
            return "turning";
        case StepRule::restart:
            return "restart";
    }
    return "";
}

StepLimit shortest_limit(std::initializer_list<StepLimit> limits) {
    return *std::ranges::min_element(limits, {}, &StepLimit::step);
}

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
    TimeStep other =
        with_step(step, fitted_step(std::min(longest, step.step), request.interval), request);
    if (other.step < step.step) other.rule = StepRule::restart;
    return other;
}

TimeStep with_step(const TimeStep& step, double exactly, const StepRequest& request) {
    TimeStep other = step;
    other.step = exactly;
    other.count = steps_to(request.end, exactly);
    return other;
}

}  // namespace beadwave::stepping

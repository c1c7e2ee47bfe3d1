#include "jobs/numbers.hpp"

#include "jobs/si_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace beadwave::jobs {

std::string fixed(double value, int decimals) {
    const bool weak = value != 0.0 && std::abs(value) < 1e3 * std::pow(10.0, -decimals);
    return weak ? fmt::format("{:.5g}", value) : fmt::format("{:.{}f}", value, decimals);
}

namespace {

/// What limited the step beside the shortest contact; empty: nothing.
std::string limit_text(const stepping::TimeStep& step) {
    using stepping::StepRule;
    const auto of = [&](const char* what) {
        return fmt::format("{}, {}", what, si_text(step.rule_time, "s"));
    };
    switch (step.rule) {
        case StepRule::given:
        case StepRule::contact:
            return {};
        case StepRule::damping:
            return of("the shortest damping time");
        case StepRule::jump:
            return of("the force that jumps at contact");
        case StepRule::rise:
            return of("the rise of the force");
        case StepRule::collision:
            return "the accuracy of collisions";
        case StepRule::drive:
            return of("the period of a drive");
        case StepRule::turning:
            return "the rotation of a body";
        case StepRule::restart:
            return "what an earlier trial met";
    }
    return {};
}

}  // namespace

std::string time_step_text(const stepping::TimeStep& time_step) {
    const std::string step = si_text(time_step.step, "s");
    const std::string limit = limit_text(time_step);
    if (!(time_step.shortest_contact > 0.0))
        return limit.empty() ? step : fmt::format("{}, limited by {}", step, limit);
    return fmt::format("{} (1/{:.0f} of the shortest contact, {}{}{})", step,
                       time_step.shortest_contact / time_step.step,
                       si_text(time_step.shortest_contact, "s"),
                       limit.empty() ? "" : "; limited by ", limit);
}

nlohmann::ordered_json difference(const nlohmann::ordered_json& coarse,
                                  const nlohmann::ordered_json& fine) {
    if (coarse.is_number_integer() || coarse.is_string()) return coarse;  // a bead number, a name
    if (coarse.is_null() || fine.is_null()) return nullptr;
    if (coarse.is_number()) return fine.get<double>() - coarse.get<double>();
    nlohmann::ordered_json result = coarse;
    for (auto it = result.begin(); it != result.end(); ++it) {
        if (coarse.is_array()) {
            const auto at = static_cast<std::size_t>(it - result.begin());
            // The other run may have one impact fewer.
            *it = at < fine.size() ? difference(coarse[at], fine[at]) : nullptr;
        } else if (fine.contains(it.key())) {
            *it = difference(coarse[it.key()], fine[it.key()]);
        } else {
            *it = nullptr;  // a wave speed that does not exist with the other step
        }
    }
    return result;
}

std::string percent(double difference, double of) {
    if (difference == 0.0) return "0 %";
    return of != 0.0 ? fmt::format("{:+.2g} %", 100.0 * difference / std::abs(of))
                     : fmt::format("{:+.2g}", difference);
}

}  // namespace beadwave::jobs

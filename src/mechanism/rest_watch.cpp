#include "mechanism/rest_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace beadwave::mechanism {

void RestWatch::look(double time, const Dynamics& dynamics) {
    for (const ContactState& state : dynamics.contact_states) {
        if (state.phase != ContactState::Phase::resting) continue;
        largest_force_ = std::max(
            {largest_force_, std::abs(state.normal_reaction), std::abs(state.tangential_reaction)});
    }
    // Events are found to 1e-11 of the forces, and solutions of their equations are less accurate.
    const double rounding = 1e-6 * largest_force_;
    for (std::size_t i = 0; i < dynamics.contact_states.size(); ++i) {
        const ContactState& state = dynamics.contact_states[i];
        if (state.phase != ContactState::Phase::resting) continue;
        const auto note = [&](Worst& worst, double excess) {
            if (!(excess > std::max(worst.excess, rounding))) return;
            worst = {.excess = excess,
                     .time = time,
                     .contact = static_cast<std::int64_t>(state.point.contact),
                     .normal_force = state.normal_reaction};
        };
        const double mu = dynamics.resting_friction(i, 0.0), normal = state.normal_reaction;
        note(pull_, -normal);
        if (mu > 0.0 && state.slip_direction == 0.0)
            note(friction_, std::abs(state.tangential_reaction) - mu * std::max(normal, 0.0));
    }
}

std::vector<std::string> RestWatch::warnings(const Mechanism& mechanism) const {
    std::vector<std::string> all;
    const auto name = [&](const Worst& worst) {
        return mechanism.contacts.at(static_cast<std::size_t>(worst.contact)).name;
    };
    constexpr const char* advice =
        "do not trust the result. A smaller interval or a stricter accuracy may find the instant "
        "that was missed";
    if (pull_.excess > 0.0) {
        all.push_back(
            fmt::format("contact \"{}\" is at rest and pulls with {:.3g} N at {:.6g} s; it should "
                        "have opened: {}",
                        name(pull_), pull_.excess, pull_.time, advice));
    }
    if (friction_.excess > 0.0) {
        all.push_back(fmt::format(
            "contact \"{}\" sticks at {:.6g} s by {:.3g} N more than its friction allows at a "
            "normal force of {:.3g} N; it should have slipped: {}",
            name(friction_), friction_.time, friction_.excess, friction_.normal_force, advice));
    }
    return all;
}

void RestWatch::serialize(Archive& archive, std::size_t contacts) {
    archive(largest_force_);
    for (Worst* worst : {&pull_, &friction_}) {
        archive(worst->excess), archive(worst->time);
        archive(worst->contact), archive(worst->normal_force);
        const bool known =
            worst->contact == 0 ||
            (worst->contact > 0 && worst->contact < static_cast<std::int64_t>(contacts));
        if (!known) throw std::length_error("the saved state is damaged");
    }
}

}  // namespace beadwave::mechanism

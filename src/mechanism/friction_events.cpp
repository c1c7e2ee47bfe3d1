// The part of Events for friction: where contacts stop, and where they begin to slip.
#include "mechanism/events.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::mechanism {

using Phase = ContactState::Phase;

double Events::shorten_to_stick(double step, const std::vector<ContactKinematics>& before,
                                std::vector<double>& y) {
    for (std::size_t i = 0; i < before.size(); ++i) {
        const Phase phase = dynamics_.contact_states[i].phase;
        if (!dynamics_.has_tangential_spring(i) ||
            (phase != Phase::touching && phase != Phase::spent))
            continue;
        if (!(before[i].slip_speed * kinematics_after_[i].slip_speed < 0.0)) continue;
        if (!dynamics_.slides(i, before[i], stepper_.begin()) &&
            !dynamics_.slides(i, kinematics_after_[i], y))
            continue;
        pending_ = Event{.point = i, .kind = Kind::stick};
        step = locate(*pending_, step, before[i], kinematics_after_[i]);
        stepper_.step(step, y);
        dynamics_.contact_kinematics(stepper_.time() + step, y, kinematics_after_);
    }
    return step;
}

double Events::shorten_to_friction(double step, const std::vector<ContactKinematics>& before,
                                   std::vector<double>& y) {
    if (!dynamics_.has_resting_friction() || step == 0.0) return step;
    const auto take = [&](const Event& event, double shorter) {
        pending_ = event;
        step = shorter;
        stepper_.step(step, y);
        dynamics_.contact_kinematics(stepper_.time() + step, y, kinematics_after_);
    };
    fastest_slip_ = 0.0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (dynamics_.contact_states[i].phase == Phase::resting)
            fastest_slip_ = std::max(fastest_slip_, std::abs(before[i].slip_speed));
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
        const ContactState& state = dynamics_.contact_states[i];
        if (state.phase != Phase::resting || state.slip_direction == 0.0) continue;
        if (!(state.slip_direction * kinematics_after_[i].slip_speed < 0.0)) continue;
        const Event stop{.point = i, .kind = Kind::stop};
        // If it slipped the other way from rest, what it did in a short step is negligible.
        constexpr double short_part = 1e-4;
        const bool slipped = state.slip_direction * before[i].slip_speed > 0.0;
        take(stop, slipped ? locate({.point = i, .kind = Kind::stick}, step, before[i],
                                    kinematics_after_[i])
                           : short_part * step);
    }
    const auto fails = [&](double h) {
        stepper_.step(h, scratch_);
        dydt_.resize(scratch_.size());
        dynamics_.derivatives(stepper_.time() + h, scratch_, dydt_);
        return !dynamics_.friction_holds();
    };
    if (fails(step)) take({.point = 0, .kind = Kind::slip}, find_first(fails, 0.0, step));
    return step;
}

}  // namespace beadwave::mechanism

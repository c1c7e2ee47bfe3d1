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
        if (dynamics_.may_break_away(i)) {
            if (!(dynamics_.spring_excess(i, kinematics_after_[i], y) > 0.0)) continue;
            const auto excess = [&](double h) {
                const ContactKinematics& now = kinematics_at(i, h);  // sets scratch_
                return dynamics_.spring_excess(i, now, scratch_);
            };
            const double begins = find_root(excess, 0.0, step);
            if (begins == step) continue;
            pending_ = Event{.point = i, .kind = Kind::stick};
            step = begins;
            stepper_.step(step, y);
            dynamics_.contact_kinematics(stepper_.time() + step, y, kinematics_after_);
            continue;
        }
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

double Events::shorten_to_friction(double step, double low,
                                   const std::vector<ContactKinematics>& before,
                                   std::vector<double>& y) {
    if (!dynamics_.has_resting_friction() || step == 0.0) return step;
    const auto take = [&](const Event& event, double shorter) {
        pending_ = event;
        step = shorter;
        stepper_.step(step, y);
        dynamics_.contact_kinematics(stepper_.time() + step, y, kinematics_after_);
    };
    const auto evaluate_at = [&](double h, const std::vector<double>& state) {
        dydt_.resize(state.size());
        dynamics_.derivatives(stepper_.time() + h, state, dydt_);
    };
    const auto evaluate = [&](double h) {
        stepper_.step(h, scratch_);
        evaluate_at(h, scratch_);
    };
    fastest_slip_ = 0.0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (dynamics_.contact_states[i].phase == Phase::resting)
            fastest_slip_ = std::max(fastest_slip_, std::abs(before[i].slip_speed));
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
        const ContactState& state = dynamics_.contact_states[i];
        if (state.phase != Phase::resting || state.slip_direction == 0.0) continue;
        const double direction = state.slip_direction;
        double past = step;  // a time at which it would slip against its direction
        if (!(direction * kinematics_after_[i].slip_speed < 0.0)) {
            // It may have turned twice.
            const auto faster = [&] {
                return direction * state.point.slip_acceleration(dynamics_.multibody.bodies());
            };
            evaluate_at(0.0, stepper_.begin());
            if (!(faster() < 0.0)) continue;
            evaluate_at(step, y);
            if (!(faster() > 0.0)) continue;
            const auto faster_at = [&](double h) {
                evaluate(h);
                return faster();
            };
            past = find_root(faster_at, 0.0, step, 1e-6);
            if (!(direction * kinematics_at(i, past).slip_speed < 0.0)) continue;
        }
        const Event stop{.point = i, .kind = Kind::stop};
        // If it slipped the other way from rest, what it did in a short step is negligible.
        constexpr double short_part = 1e-4;
        const bool slipped = direction * before[i].slip_speed > 0.0;
        take(stop, slipped ? locate({.point = i, .kind = Kind::stick}, past, before[i],
                                    kinematics_after_[i])
                           : short_part * past);
    }
    const auto fails = [&](double h) {
        evaluate(h);
        return !dynamics_.friction_holds();
    };
    const auto margin = [&](double h) {
        evaluate(h);
        return dynamics_.resting_margin().least;
    };
    if (ignore_releases_) return step;
    evaluate_at(step, y);
    if (!dynamics_.friction_holds()) {
        take({.point = 0, .kind = Kind::slip},
             find_first(fails, margin, std::min(low, step), step));
    }
    return step;
}

double Events::shorten_to_joint_friction(double step, double low, std::vector<double>& y) {
    if (dynamics_.joint_frictions.empty() || step == 0.0) return step;
    const auto take = [&](Kind kind, double shorter) {
        pending_ = Event{.point = 0, .kind = kind};
        step = shorter;
        stepper_.step(step, y);
        dynamics_.contact_kinematics(stepper_.time() + step, y, kinematics_after_);
    };
    const auto speeds_at = [&](double h) {
        stepper_.step(h, scratch_);
        return dynamics_.joint_speeds(stepper_.time() + h, scratch_);
    };
    const auto accelerations_at = [&](double h) {
        stepper_.step(h, scratch_);
        dydt_.resize(scratch_.size());
        dynamics_.derivatives(stepper_.time() + h, scratch_, dydt_);
        return dynamics_.joints_jam() ? std::vector<double>(dynamics_.joint_frictions.size(), 0.0)
                                      : dynamics_.joint_accelerations();
    };
    const std::vector<double> before = speeds_at(0.0), faster = accelerations_at(0.0);
    fastest_joint_ = 0.0;
    for (const double speed : before)
        fastest_joint_ = std::max(fastest_joint_, std::abs(speed));
    for (std::size_t j = 0; j < before.size(); ++j) {
        const double direction = dynamics_.joint_frictions[j].direction;
        if (direction == 0.0) continue;
        const auto speed = [&](double h) { return speeds_at(h)[j]; };
        double past = step;  // a time at which the joint would move against its direction
        if (!(direction * speed(step) < 0.0)) {
            // It may have turned twice.
            const double slower = accelerations_at(step)[j];
            if (!(direction * faster[j] < 0.0 && direction * slower > 0.0)) continue;
            past = find_root([&](double h) { return accelerations_at(h)[j]; }, 0.0, step);
            if (!(direction * speed(past) < 0.0)) continue;
        }
        // If it moved the other way from rest, what it did in a short step is negligible.
        constexpr double short_part = 1e-4;
        take(Kind::joint_stop,
             direction * before[j] > 0.0 ? find_root(speed, 0.0, past) : short_part * past);
    }
    const auto fails = [&](double h) {
        accelerations_at(h);
        return !dynamics_.joints_hold();
    };
    const auto margin = [&](double h) {
        accelerations_at(h);
        return dynamics_.joint_margin().least;
    };
    if (fails(step)) take(Kind::joint_slip, find_first(fails, margin, std::min(low, step), step));
    return step;
}

}  // namespace beadwave::mechanism

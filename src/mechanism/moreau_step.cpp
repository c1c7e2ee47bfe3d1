#include "mechanism/moreau_step.hpp"

#include "mechanism/finite_numbers.hpp"
#include "mechanism/impulse_sets.hpp"
#include "mechanism/time_stepping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace beadwave::mechanism {
namespace {

/// Energy that impulses create is rounding up to this part of the kinetic energy.
constexpr double rounding_gain = 1e-9;

/// y with the coordinates moved for a time at speeds u.
void move(std::vector<double>& y, std::size_t n, double time, const double* u) {
    for (std::size_t k = 0; k < n; ++k)
        y[k] += time * u[k];
}

}  // namespace

MoreauStep::MoreauStep(Dynamics& dynamics)
    : dynamics_(dynamics),
      n_(dynamics.coordinates()),
      theta_(dynamics.mechanism.stepping.value().theta),
      tolerance_(penetration_tolerance_of(dynamics.mechanism)),
      motors_(std::ranges::any_of(dynamics.mechanism.joints,
                                  [](const Joint& joint) { return joint.motor.has_value(); })),
      contacts_(dynamics.contact_states.size()) {
    dynamics_.reactions = Dynamics::Reactions::given;
}

MoreauStep::Smooth MoreauStep::smooth(double time, const std::vector<double>& y) {
    dydt_.resize(y.size());
    dynamics_.multibody.start_step(time);
    dynamics_.reactions = Dynamics::Reactions::none;
    dynamics_.derivatives(time, y, dydt_);
    dynamics_.reactions = Dynamics::Reactions::given;
    const auto first = dydt_.begin() + static_cast<std::ptrdiff_t>(n_);
    return {.accelerations = {first, first + static_cast<std::ptrdiff_t>(n_)},
            .damping = dydt_[dynamics_.first_sum()],
            .external = dydt_.back()};
}

double MoreauStep::restitution_of(std::size_t i) const {
    const std::size_t contact = dynamics_.contact_states[i].point.contact;
    return std::get<Impulse>(dynamics_.mechanism.contacts[contact].law).restitution;
}

void MoreauStep::activate(double time, double next, const std::vector<double>& y) {
    const double step = next - time;
    std::vector<double> middle = y;
    move(middle, n_, 0.5 * step, y.data() + n_);
    dynamics_.contact_kinematics(next, middle, before_);
    active_.clear();
    restitution_speeds_.clear();
    for (std::size_t i = 0; i < before_.size(); ++i) {
        const ContactPoint& point = dynamics_.contact_states[i].point;
        const ContactKinematics& now = before_[i];
        const Contact& contact = dynamics_.mechanism.contacts[point.contact];
        if (point.place && std::abs(now.approach_speed) * step >
                               std::max(-now.overlap, 0.0) + point.place->depth) {
            throw std::runtime_error(fmt::format(
                "at {:.6g} s the bodies of contact \"{}\" move through each other in one "
                "step of {:.3g} s; give a shorter time.step",
                time, contact.name, step));
        }
        // Positions drift by the square of the step: what pushed is not to fall through that.
        const bool pushed = dynamics_.contact_states[i].phase == ContactState::Phase::resting;
        if (now.overlap < -(pushed ? tolerance_ : 10.0 * point.tolerance)) continue;
        active_.push_back(i);
        restitution_speeds_.push_back(restitution_of(i) * std::max(now.approach_speed, 0.0));
    }
    problem_.reset();
    if (!active_.empty()) problem_ = dynamics_.coulomb_problem(active_, before_);
}

CoulombForces MoreauStep::find_impulses(double next) {
    // Redundant contacts have speeds that depend on each other. Rounding breaks this, and then no
    // impulses fit.
    double fastest = 0.0;
    for (const auto* speeds : {&problem_->separation, &problem_->slip}) {
        for (const double speed : *speeds)
            fastest = std::max(fastest, std::abs(speed));
    }
    constexpr double rounding = 1e-12;
    for (auto* speeds : {&problem_->separation, &problem_->slip}) {
        for (double& speed : *speeds) {
            if (std::abs(speed) <= rounding * fastest) speed = 0.0;
        }
    }
    // Where they do all the same, contacts that yield a little have impulses.
    for (const double yields : {0.0, 1e-12, 1e-10, 1e-8}) {
        CoulombProblem yielding = *problem_;
        for (std::size_t row = 0; row < yielding.response.order; ++row)
            yielding.response(row, row) *= 1.0 + yields;
        try {
            return impulses_of(yielding);
        } catch (const std::runtime_error&) {
            continue;
        }
    }
    throw std::runtime_error(
        fmt::format("the impulses of the step that ends at {:.9g} s cannot be found ({})", next,
                    dynamics_.contact_names(active_)));
}

CoulombForces MoreauStep::impulses_with(double next, const std::vector<double>& restitution) {
    for (std::size_t k = 0; k < active_.size(); ++k) {
        problem_->separation[k] = -kinematics_[active_[k]].approach_speed - restitution[k];
        problem_->slip[k] = kinematics_[active_[k]].slip_speed;
    }
    CoulombForces found = find_impulses(next);
    gain_ = 0.0;
    for (std::size_t k = 0; k < active_.size(); ++k) {
        const ContactKinematics& free = kinematics_[active_[k]];
        found.separation[k] += restitution[k];
        gain_ += 0.5 * found.normal[k] * (found.separation[k] - free.approach_speed) +
                 0.5 * found.tangential[k] * (found.slip[k] + free.slip_speed);
    }
    return found;
}

CoulombForces MoreauStep::push(double next, std::vector<double>& middle) {
    dynamics_.contact_kinematics(next, middle, kinematics_);
    if (active_.empty()) return {};
    const double before = motors_ ? dynamics_.kinetic_energy() : 0.0;
    CoulombForces found = impulses_with(next, restitution_speeds_);
    // Bodies that part already and are thrown together in the same step would gain energy: Moreau's
    // restitution, which lets them approach by its part, keeps it.
    if (gain_ > rounding_gain * dynamics_.kinetic_energy()) {
        std::vector<double> speeds;
        for (const std::size_t i : active_)
            speeds.push_back(restitution_of(i) * before_[i].approach_speed);
        found = impulses_with(next, speeds);
    }
    for (std::size_t k = 0; k < active_.size(); ++k) {
        if (found.normal[k] == 0.0) continue;  // no friction either
        dynamics_.apply_impulse(active_[k], kinematics_[active_[k]], found.normal[k],
                                found.tangential[k], middle);
    }
    dynamics_.contact_kinematics(next, middle, kinematics_);
    // Motors hold their speeds against the impulses, which takes work.
    motor_work_ = motors_ ? dynamics_.kinetic_energy() - before - gain_ : 0.0;
    return found;
}

void MoreauStep::advance(double time, double next, std::vector<double>& y) {
    const double step = next - time;
    const std::vector<double> start = y;
    const double* const u = start.data() + n_;
    const Smooth first = smooth(time, start);
    activate(time, next, start);
    std::vector<double> end = start;  // the coordinates and speeds of the pass before
    for (std::size_t k = 0; k < n_; ++k)
        end[n_ + k] += step * first.accelerations[k];
    constexpr int most = 60;
    constexpr double rounding = 1e-13;
    motor_work_ = gain_ = 0.0;
    for (int pass = 0; pass < most; ++pass) {
        for (std::size_t k = 0; k < n_; ++k)
            end[k] = start[k] + step * ((1.0 - theta_) * u[k] + theta_ * end[n_ + k]);
        const Smooth last = smooth(next, end);
        std::vector<double> middle = start;
        move(middle, n_, 0.5 * step, u);
        double fastest = 0.0, change = 0.0;
        for (std::size_t k = 0; k < n_; ++k) {
            const double gained =
                step * ((1.0 - theta_) * first.accelerations[k] + theta_ * last.accelerations[k]);
            middle[n_ + k] += gained;
            fastest = std::max({fastest, std::abs(gained), std::abs(middle[n_ + k])});
        }
        if (!is_finite(middle)) break;
        const CoulombForces found = push(next, middle);
        for (std::size_t k = 0; k < n_; ++k) {
            change = std::max(change, std::abs(middle[n_ + k] - end[n_ + k]));
            end[n_ + k] = middle[n_ + k];
        }
        if (change > rounding * fastest) continue;
        for (std::size_t k = 0; k < n_; ++k)
            end[k] = start[k] + step * ((1.0 - theta_) * u[k] + theta_ * end[n_ + k]);
        y = end;
        y[dynamics_.first_sum()] += step * ((1.0 - theta_) * first.damping + theta_ * last.damping);
        y.back() += step * ((1.0 - theta_) * first.external + theta_ * last.external) + motor_work_;
        return take(time, next, found, y);
    }
    throw std::runtime_error(
        fmt::format("the step of {:.3g} s at {:.6g} s does not converge: a spring, a damper or the "
                    "motion is faster; give a shorter time.step",
                    step, time));
}

void MoreauStep::take(double time, double next, const CoulombForces& found,
                      std::vector<double>& y) {
    const double step = next - time;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        contacts_[i] = {.approach_before = before_[i].approach_speed,
                        .separation_after = -before_[i].approach_speed};
        ContactState& state = dynamics_.contact_states[i];
        state.phase = ContactState::Phase::open;
        state.normal_reaction = state.tangential_reaction = 0.0;
    }
    for (std::size_t k = 0; k < active_.size(); ++k) {
        const std::size_t i = active_[k];
        ContactStep& done = contacts_[i];
        done.normal = found.normal[k];
        done.tangential = found.tangential[k];
        done.separation_after = found.separation[k];
        done.inverse_mass = problem_->response(k, k);
        done.normal_loss = -0.5 * done.normal * (done.separation_after - done.approach_before);
        done.friction_loss = -0.5 * done.tangential * (before_[i].slip_speed + found.slip[k]);
        dynamics_.normal_work(y, i) += done.normal_loss;
        dynamics_.friction_work(y, i) += done.friction_loss;
        dynamics_.add_normal_impulse(y, i, done.normal);
        const double slip = 0.5 * std::abs(before_[i].slip_speed + found.slip[k]);
        dynamics_.add_rubbing(i, kinematics_[i], done.normal * slip);
        if (!(done.normal > 0.0)) continue;
        ContactState& state = dynamics_.contact_states[i];
        state.phase = ContactState::Phase::resting;
        state.normal_reaction = done.normal / step;
        state.tangential_reaction = done.tangential / step;
    }
    const auto q = std::span(y).first(n_), speeds = std::span(y).subspan(n_, n_);
    constexpr double loop_tolerance = 1e-13;
    if (!dynamics_.multibody.project_constraints(next, q, speeds, loop_tolerance)) {
        throw std::runtime_error(fmt::format(
            "the mechanism locks at {:.9g} s: its loops of joints do not close at the end "
            "of a step of {:.3g} s",
            next, step));
    }
}

}  // namespace beadwave::mechanism

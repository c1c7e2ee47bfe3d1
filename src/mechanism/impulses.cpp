// The part of Events for the law "impulse".
#include "mechanism/contact_impulses.hpp"
#include "mechanism/events.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::mechanism {

bool Events::follows_impulse_law(std::size_t point) const {
    return std::holds_alternative<Impulse>(
        dynamics_.mechanism.contacts[dynamics_.contact_states[point].point.contact].law);
}

/// The largest rebound height that counts as rounding [m].
double Events::least_rebound_height(std::size_t point) const {
    return 10.0 * dynamics_.contact_states[point].point.tolerance;
}

double Events::normal_reaction(std::size_t point, double step) {
    stepper_.step(step, scratch_);
    dydt_.resize(scratch_.size());
    dynamics_.derivatives(stepper_.time() + step, scratch_, dydt_);
    return dynamics_.contact_states[point].normal_reaction;
}

/// The contact point that closes, all that close with it, and all that rest.
std::vector<std::size_t> Events::impulse_group(
    std::size_t point, const std::vector<ContactKinematics>& kinematics) const {
    const auto closes = [&](std::size_t i) {
        return i == point ||
               (dynamics_.contact_states[i].phase == ContactState::Phase::open &&
                follows_impulse_law(i) && kinematics[i].overlap >= -least_rebound_height(i));
    };
    // Spheres in a row touch without closing: one impulse after the other passes through them.
    double fastest = 0.0;
    for (std::size_t i = 0; i < kinematics.size(); ++i) {
        if (closes(i)) fastest = std::max(fastest, kinematics[i].approach_speed);
    }
    constexpr double negligible = 1e-6;
    std::vector<std::size_t> points;
    for (std::size_t i = 0; i < kinematics.size(); ++i) {
        const bool rests = dynamics_.contact_states[i].phase == ContactState::Phase::resting;
        const bool only = i == point && fastest <= 0.0;
        if (rests || only || (closes(i) && kinematics[i].approach_speed > negligible * fastest))
            points.push_back(i);
    }
    return points;
}

void Events::apply_impulses(std::size_t point, double time,
                            const std::vector<ContactKinematics>& kinematics,
                            std::vector<double>& y) {
    dydt_.resize(y.size());
    dynamics_.derivatives(time, y, dydt_);  // for the approach accelerations, with normal reactions
    const std::vector<std::size_t> points = impulse_group(point, kinematics);
    std::vector<double> approach_accelerations;
    std::vector<ImpactPoint> meeting;
    std::vector<bool> stays;
    const auto rebounds = [&](std::size_t i, double separation_speed, double acceleration) {
        return !(acceleration > 0.0 && separation_speed * separation_speed <=
                                           2.0 * acceleration * least_rebound_height(i));
    };
    double fastest = 0.0;
    for (const std::size_t i : points) {
        const ContactState& state = dynamics_.contact_states[i];
        const bool rests = state.phase == ContactState::Phase::resting;
        const auto& law = std::get<Impulse>(dynamics_.mechanism.contacts[state.point.contact].law);
        const double approach = std::max(kinematics[i].approach_speed, 0.0);
        approach_accelerations.push_back(dynamics_.approach_acceleration(i));
        stays.push_back(rests ||
                        !rebounds(i, law.restitution * approach, approach_accelerations.back()));
        meeting.push_back({.point = i,
                           .rests = rests,
                           .restitution = stays.back() ? 0.0 : law.restitution,
                           .definition = law.definition});
        fastest = std::max({fastest, approach, std::abs(kinematics[i].slip_speed)});
    }
    const std::vector<ContactImpulse> impulses = contact_impulses(dynamics_, meeting, kinematics);
    const double before = dynamics_.ledger(time, y).kinetic;
    for (std::size_t k = 0; k < points.size(); ++k) {
        if (impulses[k].normal > 0.0) {
            dynamics_.apply_impulse(points[k], kinematics[points[k]], impulses[k].normal,
                                    impulses[k].tangential, y);
        }
    }
    double total_loss = 0.0;
    for (std::size_t k = 0; k < points.size(); ++k) {
        const std::size_t i = points[k];
        ContactState& state = dynamics_.contact_states[i];
        const ContactImpulse& impulse = impulses[k];
        const double separation_speed = impulse.separation_speed;
        total_loss += impulse.normal_loss + impulse.friction_loss;
        dynamics_.normal_work(y, i) += impulse.normal_loss;
        dynamics_.friction_work(y, i) += impulse.friction_loss;
        if (state.phase == ContactState::Phase::resting) {
            contact_impacts_[i].impacts.back().dissipated += impulse.normal_loss;
            // The impulse of another contact opens it.
            if (impulse.normal == 0.0 && separation_speed > 0.0) end(i, time, kinematics[i], y);
            continue;
        }
        const bool rests =
            stays[k] && !rebounds(i, std::max(separation_speed, 0.0), approach_accelerations[k]);
        if (!rests && !(impulse.normal > 0.0)) continue;
        contact_impacts_[i].impacts.push_back(
            {.start = time,
             .end = rests ? Impact::none : time,
             .impact_speed = std::max(kinematics[i].approach_speed, 0.0),
             .separation_speed = rests ? Impact::none : separation_speed,
             .peak_force = Impact::none,
             .peak_time = time,
             .largest_overlap = 0.0,
             .dissipated = impulse.normal_loss,
             .mass = 1.0 / impulse.inverse_mass,
             .poisson_restitution = impulse.poisson_restitution,
             .stronge_restitution = impulse.stronge_restitution});
        if (rests) state.phase = ContactState::Phase::resting;
    }
    dynamics_.set_slip_directions(time, y, 1e-10 * fastest);
    // Motors hold their speeds against the impulses, which takes work. Without a motor the ledger
    // shows whether the impulses conserve energy as they should.
    const bool motors = std::ranges::any_of(
        dynamics_.mechanism.joints, [](const Joint& joint) { return joint.motor.has_value(); });
    if (motors) y.back() += dynamics_.ledger(time, y).kinetic - before + total_loss;
}

}  // namespace beadwave::mechanism

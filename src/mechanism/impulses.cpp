// The part of Events for the law "impulse".
#include "mechanism/contact_impulses.hpp"
#include "mechanism/events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace beadwave::mechanism {

bool Events::follows_impulse_law(std::size_t point) const {
    return std::holds_alternative<Impulse>(
        dynamics_.mechanism.contacts[dynamics_.contact_states[point].point.contact].law);
}

/// The largest rebound height that counts as rounding [m].
double Events::least_rebound_height(std::size_t point) const {
    return 10.0 * dynamics_.contact_states[point].point.tolerance;
}

double Events::rounding_overlap(std::size_t point) const {
    return follows_impulse_law(point) ? dynamics_.contact_states[point].point.tolerance : 0.0;
}

double Events::normal_reaction(std::size_t point, double step) {
    stepper_.step(step, scratch_);
    dydt_.resize(scratch_.size());
    dynamics_.derivatives(stepper_.time() + step, scratch_, dydt_);
    return dynamics_.contact_states[point].normal_reaction;
}

bool Events::pulls(std::size_t point, double step, const std::vector<double>& y) {
    dydt_.resize(y.size());
    dynamics_.derivatives(stepper_.time() + step, y, dydt_);
    return dynamics_.contact_states[point].normal_reaction < -dynamics_.negligible_force(point);
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

std::vector<ContactImpulse> Events::find_impulses(
    double time, std::vector<ImpactPoint>& meeting,
    const std::vector<ContactKinematics>& kinematics,
    const std::function<bool(std::size_t, double)>& leaves) {
    try {
        for (;;) {
            std::vector<ContactImpulse> found = contact_impulses(dynamics_, meeting, kinematics);
            bool all_leave = true;
            for (std::size_t k = 0; k < meeting.size(); ++k) {
                if (!meeting[k].rests || meeting[k].restitution == 0.0) continue;
                if (leaves(meeting[k].point, found[k].separation_speed)) continue;
                meeting[k].restitution = 0.0;
                all_leave = false;
            }
            if (all_leave) return found;
        }
    } catch (const std::runtime_error& error) {
        std::vector<std::size_t> points;
        for (const ImpactPoint& at : meeting)
            points.push_back(at.point);
        throw std::runtime_error(fmt::format("at {:.9g} s {} ({})", time, error.what(),
                                             dynamics_.contact_names(points)));
    }
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
    double fastest = 0.0;
    for (const std::size_t i : points) {
        fastest =
            std::max({fastest, kinematics[i].approach_speed, std::abs(kinematics[i].slip_speed)});
    }
    // Without a force that presses, bodies that do not separate rest too.
    const double slow = 1e-12 * fastest;
    const auto rebounds = [&](std::size_t i, double separation_speed, double acceleration) {
        if (separation_speed <= slow && acceleration >= -dynamics_.rounding_acceleration())
            return false;
        return !(acceleration > 0.0 && separation_speed * separation_speed <=
                                           2.0 * acceleration * least_rebound_height(i));
    };
    // The speed at which a contact parts that hardly closed at all, by rounding.
    double hardly = 0.0;
    bool hardly_close = true;
    // Poisson's restitution gives back what a contact at rest passes on. A jam is no impact.
    const bool jams = dynamics_.contact_states[point].phase == ContactState::Phase::resting;
    const auto passes_on = [&](const Impulse& law) {
        return !jams && law.definition == laws::RestitutionDefinition::poisson;
    };
    for (const std::size_t i : points) {
        const ContactState& state = dynamics_.contact_states[i];
        const bool rests = state.phase == ContactState::Phase::resting;
        const auto& law = std::get<Impulse>(dynamics_.mechanism.contacts[state.point.contact].law);
        const double approach = std::max(kinematics[i].approach_speed, 0.0);
        approach_accelerations.push_back(dynamics_.approach_acceleration(i));
        stays.push_back(rests ||
                        !rebounds(i, law.restitution * approach, approach_accelerations.back()));
        const bool restores = rests ? passes_on(law) : !stays.back();
        meeting.push_back({.point = i,
                           .rests = rests,
                           .restitution = restores ? law.restitution : 0.0,
                           .definition = law.definition});
        if (!rests) {
            const double acceleration = approach_accelerations.back();
            hardly_close = hardly_close && !rebounds(i, approach, acceleration);
            hardly = std::max(
                hardly, std::sqrt(2.0 * std::max(acceleration, 0.0) * least_rebound_height(i)));
        }
    }
    const std::vector<ContactImpulse> impulses =
        find_impulses(time, meeting, kinematics, [&](std::size_t i, double separation_speed) {
            // The acceleration that the reaction of a contact at rest balances.
            const ContactState& state = dynamics_.contact_states[i];
            return rebounds(
                i, separation_speed,
                state.yielding_mass > 0.0 ? state.normal_reaction / state.yielding_mass : 0.0);
        });
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
        dynamics_.add_rubbing(i, kinematics[i], impulse.rubbed);
        if (state.phase == ContactState::Phase::resting) {
            contact_impacts_[i].impacts.back().dissipated += impulse.normal_loss;
            // The impulse of another contact opens it. But a body that rocks comes to rest: it
            // would strike ever sooner, without end.
            if ((impulse.normal == 0.0 || meeting[k].restitution > 0.0) &&
                separation_speed > std::max(slow, hardly_close ? hardly : 0.0))
                end(i, time, kinematics[i], y);
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
    if (std::ranges::any_of(impulses, [](const auto& impulse) { return impulse.reduced; }) &&
        reductions_++ == 0)
        first_reduction_ = time;
    watch_energy(time, before, -total_loss, points);
    dynamics_.set_slip_directions(time, y, 1e-10 * fastest);
    // Motors hold their speeds against the impulses, which takes work. Without a motor the ledger
    // shows whether the impulses conserve energy as they should.
    const bool motors = std::ranges::any_of(
        dynamics_.mechanism.joints, [](const Joint& joint) { return joint.motor.has_value(); });
    if (motors) y.back() += dynamics_.ledger(time, y).kinetic - before + total_loss;
}

/// Stops a jam as in a step so short that forces cannot move anything: what is left of their
/// impulses (D. E. Stewart, Arch. Ration. Mech. Anal. 145 (1998) 215-260).
void Events::stop_jam(double time, std::vector<double>& y) {
    constexpr double small = 1e-8;  // of the slip: how fast the forces press in that step
    const std::vector<std::size_t> points = dynamics_.resting();
    const CoulombProblem free = dynamics_.resting_problem();
    std::vector<ContactKinematics> kinematics;
    dynamics_.contact_kinematics(time, y, kinematics);
    double fastest = 0.0, strongest = std::numeric_limits<double>::min();
    for (std::size_t k = 0; k < points.size(); ++k) {
        fastest = std::max(fastest, std::abs(kinematics[points[k]].slip_speed));
        strongest = std::max({strongest, std::abs(free.separation[k]), std::abs(free.slip[k])});
    }
    const double step = small * fastest / strongest;
    for (std::size_t k = 0; k < points.size(); ++k) {
        kinematics[points[k]].approach_speed -= step * free.separation[k];
        kinematics[points[k]].slip_speed += step * free.slip[k];
    }
    apply_impulses(points.front(), time, kinematics, y);
    if (dynamics_.decide_friction(time, y, 10.0 * small * fastest, false)) return;
    throw std::runtime_error(
        fmt::format("at {:.9g} s friction and normal forces of the contacts that rest have no "
                    "finite values: they jam (Painleve's paradox; {})",
                    time, dynamics_.contact_names(points)));
}

/// Newton's restitution of speeds can create energy where friction couples them to the slip.
void Events::watch_energy(double time, double kinetic, double gain,
                          const std::vector<std::size_t>& points) {
    constexpr double rounding = 1e-9;
    const bool newton = std::ranges::any_of(points, [&](std::size_t i) {
        const std::size_t contact = dynamics_.contact_states[i].point.contact;
        return dynamics_.coulomb_friction(i) > 0.0 &&
               std::get<Impulse>(dynamics_.mechanism.contacts[contact].law).definition ==
                   laws::RestitutionDefinition::newton;
    });
    if (!newton || !(gain > rounding * kinetic)) return;
    ++gains_;
    if (!(gain > largest_gain_)) return;
    largest_gain_ = gain;
    largest_gain_time_ = time;
}

std::vector<std::string> Events::warnings() const {
    std::vector<std::string> all;
    if (gains_ > 0) {
        all.push_back(fmt::format(
            "{} created energy, {:.3g} J at most, at {:.6g} s: with friction, law.definition = "
            "\"newton\" can; \"poisson\" and \"stronge\" cannot",
            gains_ == 1 ? "an impact" : fmt::format("{} impacts", gains_), largest_gain_,
            largest_gain_time_));
    }
    if (reductions_ > 0) {
        all.push_back(fmt::format(
            "{} of several contacts, the first at {:.6g} s, had less restitution than "
            "law.definition asks for: all of it would have created energy, or friction wedged the "
            "bodies so that they could not part",
            reductions_ == 1 ? "an impact" : fmt::format("{} impacts", reductions_),
            first_reduction_));
    }
    return all;
}

}  // namespace beadwave::mechanism

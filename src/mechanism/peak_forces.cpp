// The part of Events for the largest force of an impact, which is mostly within a step.
#include "mechanism/events.hpp"

#include <boost/math/tools/minima.hpp>

#include <cmath>

namespace beadwave::mechanism {

using Phase = ContactState::Phase;

double Events::force_slope(std::size_t point, double time, const std::vector<double>& y,
                           std::span<const double> dydt, double step,
                           const ContactKinematics& kinematics) {
    const double shift = 1e-5 * step;
    shifted_ = y;
    for (std::size_t k = 0; k < shifted_.size(); ++k)
        shifted_[k] += shift * dydt[k];
    dynamics_.contact_kinematics(time, shifted_, kinematics_);
    const ContactState& state = dynamics_.contact_states[point];
    return (dynamics_.force(state, kinematics_[point]) - dynamics_.force(state, kinematics)) /
           shift;
}

void Events::record_peak_forces(double step, const std::vector<ContactKinematics>& before,
                                const std::vector<double>& y) {
    bool end_known = false;
    for (std::size_t i = 0; i < before.size() && step > 0.0; ++i) {
        const ContactState& state = dynamics_.contact_states[i];
        if (state.phase != Phase::touching) continue;
        Impact& impact = contact_impacts_[i].impacts.back();
        const double time = stepper_.time();
        const auto update_peak = [&](double force, double when) {
            if (force <= impact.peak_force) return;
            impact.peak_force = force;
            impact.peak_time = when;
        };
        update_peak(dynamics_.force(state, before[i]), time);
        update_peak(dynamics_.force(state, kinematics_after_[i]), time + step);
        const double rise =
            force_slope(i, time, stepper_.begin(), stepper_.first_derivatives(), step, before[i]);
        if (rise <= 0.0) continue;
        if (!end_known) {
            dydt_.resize(y.size());
            dynamics_.derivatives(time + step, y, dydt_);
            end_known = true;
        }
        const double fall = -force_slope(i, time + step, y, dydt_, step, kinematics_after_[i]);
        if (fall < 0.0) continue;
        // The peak of a parabola with these slopes above its end: without damping the step ends at
        // the peak itself.
        const double above = 0.5 * fall * fall * step / (rise + fall);
        if (above <= 1e-10 * impact.peak_force) continue;
        const auto minus_force = [&](double h) {
            return -dynamics_.force(state, kinematics_at(i, h));
        };
        const auto lowest = boost::math::tools::brent_find_minima(minus_force, 0.0, step, 26);
        update_peak(-lowest.second, time + lowest.first);
    }
}

}  // namespace beadwave::mechanism

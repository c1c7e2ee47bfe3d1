#include "mechanism/step_size.hpp"

#include "mechanism/finite_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace beadwave::mechanism {
namespace {

/// An error minus the rounding of numbers of this size.
double beyond_rounding(double error, double size) {
    return std::max(0.0, error - 4.0 * std::numeric_limits<double>::epsilon() * size);
}

double ratio(double error, double scale) {
    return error == 0.0 ? 0.0 : error / scale;
}

}  // namespace

StepSize::StepSize(Dynamics& dynamics)
    : dynamics_(dynamics), n_(dynamics.coordinates()), length_(dynamics.size) {}

void StepSize::update_ranges(const std::vector<double>& y, double energy) {
    for (std::size_t k = 0; k < n_; ++k)
        fastest_ = std::max(fastest_, std::abs(y[n_ + k]) * range(k));
    energy_ = energy;
}

double StepSize::range(std::size_t k) const {
    return dynamics_.multibody.is_angle(k) ? length_ : 1.0;
}

double StepSize::error(const Stepper& stepper, const std::vector<double>& before,
                       const std::vector<double>& after, double step) {
    // A number that is not finite counts as an error without bound.
    constexpr double unbounded = 1e300;
    if (!is_finite(after)) return unbounded;
    stepper.error(error_);
    if (!is_finite(error_)) return unbounded;
    const double time = stepper.time() + 0.5 * step;
    const double jerk =
        dynamics_.force_elements.largest_jerk(time, dynamics_.multibody.bodies(), length_);
    double fastest = fastest_;  // from rest: the speed that this step brings
    for (std::size_t k = 0; k < n_; ++k) {
        fastest =
            std::max(fastest, step * std::abs(stepper.first_derivatives()[n_ + k]) * range(k));
        // The load rises from zero: its first derivative is none.
        if (jerk > 0.0) fastest = std::max(fastest, std::abs(after[n_ + k]) * range(k));
    }
    // A structure has no speed of its own: its rounding is far below that of a free fall.
    if (!dynamics_.multibody.moves())
        fastest = std::max(fastest, step * dynamics_.largest_acceleration());
    // Forces in balance leave speeds of rounding: an error of that size is none.
    // So are those of a time that is rounded, where a load is steep.
    const double rounding = std::numeric_limits<double>::epsilon() * step *
                            (64.0 * dynamics_.largest_acceleration() + 4.0 * time * jerk);
    double largest = 0.0;
    for (std::size_t k = 0; k < n_; ++k) {
        const double speed_error = std::abs(error_[n_ + k]) * range(k);
        largest = std::max({largest, std::abs(error_[k]) * range(k) / length_,
                            speed_error > rounding ? ratio(speed_error, fastest) : 0.0});
    }
    // Energies of a mechanism that rests are rounding of its weight's.
    const double energy_rounding =
        4.0 * std::numeric_limits<double>::epsilon() * dynamics_.energy_of_weight();
    for (std::size_t k = 2 * n_; k < error_.size(); ++k) {
        if (k == dynamics_.first_path()) k = dynamics_.first_sum();
        const double energy_error = std::abs(error_[k]);
        if (energy_error <= energy_rounding) continue;
        const double scale = std::max({energy_, std::abs(after[k]), std::abs(before[k])});
        largest = std::max(largest, ratio(energy_error, scale));
    }
    largest = std::max(largest, contact_error(stepper, after, step));
    return largest <= unbounded ? largest / dynamics_.mechanism.accuracy : unbounded;
}

double StepSize::contact_error(const Stepper& stepper, const std::vector<double>& after,
                               double step) {
    if (dynamics_.contact_states.empty()) return 0.0;
    const double time = stepper.time() + step;
    shifted_ = after;
    for (std::size_t k = 0; k < 2 * n_; ++k)
        shifted_[k] += error_[k];
    dynamics_.contact_kinematics(time, after, kinematics_);
    dynamics_.contact_kinematics(time, shifted_, shifted_kinematics_);
    double largest = 0.0;
    for (std::size_t i = 0; i < kinematics_.size(); ++i) {
        const ContactState& state = dynamics_.contact_states[i];
        if (dynamics_.has_tangential_spring(i)) {
            largest = std::max(largest, std::abs(error_[dynamics_.slip_index(i)]) /
                                            dynamics_.spring_range(i, kinematics_[i]));
        }
        // Rounding is no error.
        const double overlap_error = beyond_rounding(
            std::abs(shifted_kinematics_[i].overlap - kinematics_[i].overlap), length_);
        if (state.phase == ContactState::Phase::open ||
            state.phase == ContactState::Phase::resting) {
            const double range = state.point.kind == ContactPoint::Kind::journal
                                     ? state.point.contact_distance
                                     : length_;
            largest = std::max(largest, overlap_error / range);
            continue;
        }
        const double speed_error = beyond_rounding(
            std::abs(shifted_kinematics_[i].approach_speed - kinematics_[i].approach_speed),
            fastest_);
        const double slowest = dynamics_.mechanism.contacts[state.point.contact].min_impact_speed;
        largest = std::max(
            {largest, ratio(overlap_error, std::max(kinematics_[i].overlap, state.largest_overlap)),
             speed_error /
                 std::max({std::abs(kinematics_[i].approach_speed), state.impact_speed, slowest})});
    }
    return largest;
}

double StepSize::factor(double error) {
    constexpr double longest = 6.0, shortest = 0.15;
    if (!(error > 0.0)) return longest;
    return std::clamp(0.9 * std::pow(error, -1.0 / StepMethod::order), shortest, longest);
}

}  // namespace beadwave::mechanism

#include "mechanism/step_size.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace beadwave::mechanism {
namespace {

/// An error less what rounding makes of numbers of this size.
double above(double error, double size) {
    return std::max(0.0, error - 4.0 * std::numeric_limits<double>::epsilon() * size);
}

double over(double error, double scale) {
    return error == 0.0 ? 0.0 : error / scale;
}

}  // namespace

StepSize::StepSize(Dynamics& dynamics)
    : dynamics_(dynamics), n_(dynamics.coordinates()), length_(dynamics.size) {}

void StepSize::notice(const std::vector<double>& y, double energy) {
    for (std::size_t k = 0; k < n_; ++k)
        fastest_ = std::max(fastest_, std::abs(y[n_ + k]) * range(k));
    energy_ = energy;
}

double StepSize::range(std::size_t k) const {
    return dynamics_.multibody.is_angle(k) ? length_ : 1.0;
}

double StepSize::error(const Stepper& stepper, const std::vector<double>& before,
                       const std::vector<double>& after, double step) {
    // What is no number is an error beyond all bounds.
    constexpr double endless = 1e300;
    if (!Dynamics::is_finite(after)) return endless;
    stepper.error(error_);
    if (!Dynamics::is_finite(error_)) return endless;
    double fastest = fastest_;  // from rest: the speed that this step brings
    for (std::size_t k = 0; k < n_; ++k)
        fastest = std::max(fastest, step * std::abs(stepper.first_rates()[n_ + k]) * range(k));
    double largest = 0.0;
    for (std::size_t k = 0; k < n_; ++k) {
        largest = std::max({largest, std::abs(error_[k]) * range(k) / length_,
                            over(std::abs(error_[n_ + k]) * range(k), fastest)});
    }
    for (std::size_t k = 2 * n_; k < error_.size(); ++k) {
        const double scale = std::max({energy_, std::abs(after[k]), std::abs(before[k])});
        largest = std::max(largest, over(std::abs(error_[k]), scale));
    }
    largest = std::max(largest, contact_error(stepper, after, step));
    return largest <= endless ? largest / dynamics_.mechanism.accuracy : endless;
}

double StepSize::contact_error(const Stepper& stepper, const std::vector<double>& after,
                               double step) {
    if (dynamics_.touches.empty()) return 0.0;
    const double time = stepper.time() + step;
    shifted_ = after;
    for (std::size_t k = 0; k < 2 * n_; ++k)
        shifted_[k] += error_[k];
    dynamics_.see(time, after, seen_);
    dynamics_.see(time, shifted_, moved_);
    double largest = 0.0;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
        const Touch& touch = dynamics_.touches[i];
        // What is rounding alone is no error.
        const double overlap_error = above(std::abs(moved_[i].overlap - seen_[i].overlap), length_);
        if (touch.state == Touch::State::open || touch.state == Touch::State::resting) {
            const double range =
                touch.spot.kind == Spot::Kind::journal ? touch.spot.reach : length_;
            largest = std::max(largest, overlap_error / range);
            continue;
        }
        const double speed_error =
            above(std::abs(moved_[i].approach - seen_[i].approach), fastest_);
        const double slowest = dynamics_.mechanism.contacts[touch.spot.contact].impact_speed_floor;
        largest = std::max(
            {largest, over(overlap_error, std::max(seen_[i].overlap, touch.largest_overlap)),
             speed_error / std::max({std::abs(seen_[i].approach), touch.closing_speed, slowest})});
    }
    return largest;
}

double StepSize::factor(double error) {
    constexpr double longest = 6.0, shortest = 0.15;
    if (!(error > 0.0)) return longest;
    return std::clamp(0.9 * std::pow(error, -1.0 / StepMethod::order), shortest, longest);
}

}  // namespace beadwave::mechanism

#include "mechanism/step_size.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::mechanism {
namespace {

/// The largest distance between what the mechanism is made of [m].
double size_of(const Mechanism& mechanism) {
    std::vector<Vector> points;
    for (const Body& body : mechanism.bodies)
        points.push_back(body.centre);
    for (const Joint& joint : mechanism.joints) {
        if (joint.kind == JointKind::revolute) points.push_back(joint.point);
    }
    for (const Spot& spot : spots_of(mechanism)) {
        for (const std::size_t k : {0, 1}) {
            const std::size_t body = spot.bodies[k];
            points.push_back(body == ground ? spot.points[k]
                                            : mechanism.bodies[body].centre + spot.points[k]);
        }
    }
    double largest = 0.0;
    for (const Vector& a : points) {
        for (const Vector& b : points)
            largest = std::max(largest, length(a - b));
    }
    return largest > 0.0 ? largest : 1.0;
}

double over(double error, double scale) {
    return error == 0.0 ? 0.0 : error / scale;
}

}  // namespace

StepSize::StepSize(Dynamics& dynamics)
    : dynamics_(dynamics), n_(dynamics.coordinates()), length_(size_of(dynamics.mechanism)) {}

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
    stepper.error(error_);
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
    // What is no number is an error beyond all bounds.
    return largest <= 1e300 ? largest / dynamics_.mechanism.accuracy : 1e300;
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
        const double overlap_error = std::abs(moved_[i].overlap - seen_[i].overlap);
        if (touch.state == Touch::State::open) {
            const double range =
                touch.spot.kind == Spot::Kind::journal ? touch.spot.reach : length_;
            largest = std::max(largest, overlap_error / range);
        } else {
            const double speed_error = std::abs(moved_[i].approach - seen_[i].approach);
            largest = std::max(
                {largest, over(overlap_error, std::max(seen_[i].overlap, touch.largest_overlap)),
                 over(speed_error, std::max(std::abs(seen_[i].approach), touch.closing_speed))});
        }
    }
    return largest;
}

double StepSize::factor(double error) {
    constexpr double longest = 6.0, shortest = 0.15;
    if (!(error > 0.0)) return longest;
    return std::clamp(0.9 * std::pow(error, -1.0 / StepMethod::order), shortest, longest);
}

}  // namespace beadwave::mechanism

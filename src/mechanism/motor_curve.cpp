#include "mechanism/motor_curve.hpp"

namespace beadwave::mechanism {

Motor motor_through(const SmoothCurve& curve) {
    const std::vector<double>& times = curve.rows();
    const std::vector<double>& places = curve.values();
    Motor motor{.times = times, .speeds = curve.slopes(), .mean_speeds = {}};
    for (std::size_t i = 1; i < times.size(); ++i)
        motor.mean_speeds.push_back((places[i] - places[i - 1]) / (times[i] - times[i - 1]));
    return motor;
}

}  // namespace beadwave::mechanism

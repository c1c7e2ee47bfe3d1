#include "beadwave/stepping/force_signal.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

namespace beadwave::stepping {

struct ForceSignal::Rows {
    std::vector<double> times, forces;
};

ForceSignal ForceSignal::constant(double force) {
    ForceSignal signal;
    signal.amplitude_ = force;
    signal.largest_ = std::abs(force);
    return signal;
}

ForceSignal ForceSignal::sine(double frequency, double amplitude, double cycles) {
    ForceSignal signal;
    signal.kind_ = Kind::sine;
    signal.frequency_ = frequency;
    signal.amplitude_ = amplitude;
    signal.end_ = cycles / frequency;
    signal.period_ = 1.0 / frequency;
    signal.largest_ = std::abs(amplitude);
    return signal;
}

ForceSignal ForceSignal::table(std::vector<double> times, std::vector<double> forces) {
    ForceSignal signal;
    signal.kind_ = Kind::table;
    double steepest = 0.0;
    for (std::size_t k = 0; k < forces.size(); ++k) {
        signal.largest_ = std::max(signal.largest_, std::abs(forces[k]));
        if (k > 0) {
            steepest =
                std::max(steepest, std::abs(forces[k] - forces[k - 1]) / (times[k] - times[k - 1]));
        }
    }
    if (steepest > 0.0) signal.period_ = 2.0 * std::numbers::pi * signal.largest_ / steepest;
    signal.rows_ = std::make_shared<const Rows>(Rows{std::move(times), std::move(forces)});
    return signal;
}

std::vector<double> ForceSignal::numbers() const {
    std::vector<double> all{static_cast<double>(kind_), frequency_, amplitude_, end_};
    if (rows_) {
        all.insert(all.end(), rows_->times.begin(), rows_->times.end());
        all.insert(all.end(), rows_->forces.begin(), rows_->forces.end());
    }
    return all;
}

double ForceSignal::at(double time) const {
    if (kind_ == Kind::constant) return amplitude_;
    if (kind_ == Kind::sine) {
        return time >= end_ ? 0.0
                            : amplitude_ * std::sin(2.0 * std::numbers::pi * frequency_ * time);
    }
    const auto& [times, forces] = *rows_;
    const auto after = std::ranges::upper_bound(times, time);
    if (after == times.begin()) return forces.front();
    if (after == times.end()) return forces.back();
    const auto k = static_cast<std::size_t>(after - times.begin());
    return std::lerp(forces[k - 1], forces[k], (time - times[k - 1]) / (times[k] - times[k - 1]));
}

}  // namespace beadwave::stepping

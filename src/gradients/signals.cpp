#include "gradients/signals.hpp"

#include "beadwave/running/run_error.hpp"
#include "beadwave/stepping/drive.hpp"
#include "beadwave/stepping/force_signal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

namespace beadwave::gradients {
namespace {

using stepping::Drive;
using stepping::ForceSignal;

enum class Part { amplitude, frequency, samples };

Part part_of(std::string_view name) {
    return name.ends_with("amplitude")   ? Part::amplitude
           : name.ends_with("frequency") ? Part::frequency
                                         : Part::samples;
}

/// A signal taken apart: a sine, rows, or neither.
struct Shape {
    bool is_sine = false;
    double frequency = 0.0, amplitude = 0.0, cycles = std::numeric_limits<double>::infinity();
    std::vector<double> time{}, samples{};

    std::size_t count(Part part) const {
        return part == Part::samples ? samples.size() : is_sine ? 1 : 0;
    }
};

Shape shape_of(const std::vector<double>& numbers, std::size_t head, std::size_t first,
               bool oscillates) {
    Shape shape;
    if (numbers.size() > head) {
        const std::size_t count = (numbers.size() - head) / 2;
        const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(head);
        shape.time.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
        shape.samples.assign(begin + static_cast<std::ptrdiff_t>(count), numbers.end());
    } else if (oscillates) {
        shape.is_sine = true;
        shape.frequency = numbers[first];
        shape.amplitude = numbers[first + 1];
        shape.cycles = numbers[first + 2] * shape.frequency;
    }
    return shape;
}

Shape shape_of(const ForceSignal& force) {
    return shape_of(force.numbers(), 4, 1, std::isfinite(force.period()));
}
/// Steady motions, and those of velocities, have numbers of another meaning, and no input.
Shape shape_of(const Drive& drive) {
    Shape shape = shape_of(drive.numbers(), 6, 0, drive.numbers()[0] > 0.0);
    if (!shape.time.empty() && drive.numbers()[2] == std::numeric_limits<double>::infinity())
        return {};
    return shape;
}

ForceSignal signal_of(const Shape& shape) {
    return shape.is_sine ? ForceSignal::sine(shape.frequency, shape.amplitude, shape.cycles)
                         : ForceSignal::table(shape.time, shape.samples);
}
Drive motion_of(const Shape& shape) {
    return shape.is_sine ? Drive::sine(shape.frequency, shape.amplitude, shape.cycles)
                         : Drive::through(shape.time, shape.samples, "inputs: drive.samples");
}

std::vector<double> values_of(const Shape& shape, Part part) {
    if (part == Part::samples) return shape.samples;
    if (!shape.is_sine) return {};
    return {part == Part::amplitude ? shape.amplitude : shape.frequency};
}

/// The signal with one number of it changed.
Shape with(Shape shape, Part part, std::size_t index, double value) {
    (part == Part::samples     ? shape.samples[index]
     : part == Part::amplitude ? shape.amplitude
                               : shape.frequency) = value;
    return shape;
}

/// Calls visit(signal, place in the lists over time) for each force, or for each motion.
template <class Numbers, class Visit>
void each_motion(Numbers& numbers, const Visit& visit) {
    if (numbers.left_drive) visit(*numbers.left_drive, MotionNumbers::left_wall);
    for (std::size_t k = 0; k < numbers.elements.driven.size(); ++k)
        visit(numbers.elements.driven[k].motion, MotionNumbers::driven_bead(k));
    if (numbers.right_drive) visit(*numbers.right_drive, numbers.right_wall());
}
template <class Numbers, class Visit>
void each_force(Numbers& numbers, const Visit& visit) {
    for (std::size_t k = 0; k < numbers.elements.loads.size(); ++k)
        visit(numbers.elements.loads[k].force, k);
}

void refuse_rest(const Shape& shape) {
    for (std::size_t k = 0; k + 1 < shape.samples.size(); ++k) {
        if (shape.samples[k] != shape.samples[k + 1]) continue;
        throw running::RunError(
            fmt::format("drive.samples: the motion rests between {:g} s and {:g} s, where its rows "
                        "are equal, and has no derivative there; expected rows that differ",
                        shape.time[k], shape.time[k + 1]));
    }
}

/// The derivatives by the numbers of one signal, by differences of the signals made(shape), of
/// which sum(signal) is linear in amplitude and samples.
template <class Make, class Sum>
void add_differences(std::vector<double>& gradient, const Shape& shape, Part part, const Make& made,
                     const Sum& sum) {
    double scale = 0.0;
    for (const double x : values_of(shape, part))
        scale = std::max(scale, std::fabs(x));
    // Irregular, so that no row becomes equal to another one.
    const double h = (scale > 0.0 ? scale : 1.0) * 0.0371;
    for (std::size_t k = 0; k < shape.count(part); ++k) {
        const double own = values_of(shape, part)[k];
        gradient.push_back(
            (sum(made(with(shape, part, k, own + h))) - sum(made(with(shape, part, k, own - h)))) /
            (2.0 * h));
    }
}

/// Derivatives of a sine A sin(2 pi f t) by f, at a time within its cycles, with A = 1.
double by_frequency(double f, double t) {
    const double turn = 2.0 * std::numbers::pi;
    return turn * t * std::cos(turn * f * t);
}
/// Of its velocity.
double speed_by_frequency(double f, double t) {
    const double turn = 2.0 * std::numbers::pi, angle = turn * f * t;
    return turn * (std::cos(angle) - angle * std::sin(angle));
}

}  // namespace

std::vector<double> signal_values(const MotionNumbers& numbers, std::string_view name) {
    std::vector<double> all;
    const auto add = [&](const auto& signal, std::size_t) {
        const std::vector<double> own = values_of(shape_of(signal), part_of(name));
        all.insert(all.end(), own.begin(), own.end());
    };
    if (name.starts_with("load"))
        each_force(numbers, add);
    else
        each_motion(numbers, add);
    return all;
}

void set_signals(MotionNumbers& numbers, std::string_view name, const std::vector<double>& values) {
    const Part part = part_of(name);
    std::size_t at = 0;
    const auto changed = [&](Shape shape) {
        const std::size_t count = shape.count(part);
        for (std::size_t k = 0; k < count; ++k)
            shape = with(std::move(shape), part, k, values[at++]);
        return std::pair{shape, count > 0};
    };
    if (name.starts_with("load")) {
        each_force(numbers, [&](ForceSignal& signal, std::size_t) {
            const auto [shape, any] = changed(shape_of(signal));
            if (any) signal = signal_of(shape);
        });
    } else {
        each_motion(numbers, [&](Drive& signal, std::size_t) {
            const auto [shape, any] = changed(shape_of(signal));
            if (any) signal = motion_of(shape);
        });
    }
}

std::vector<double> signal_gradient(const MotionNumbers& numbers, std::string_view name,
                                    const MotionNumbers& bars, double time_step) {
    const Part part = part_of(name);
    std::vector<double> gradient;
    const auto time = [&](std::size_t s) { return static_cast<double>(s) * time_step; };
    /// Sum over the steps of a bar times what a function of time has there.
    const auto over_time = [&](const std::vector<double>& bar, const auto& at) {
        double sum = 0.0;
        for (std::size_t s = 0; s < bar.size(); ++s) {
            if (bar[s] != 0.0) sum += bar[s] * at(time(s));
        }
        return sum;
    };
    const auto within = [&](const Shape& shape, const auto& at) {
        return [&shape, at](double t) {
            return t < shape.cycles / shape.frequency ? shape.amplitude * at(shape.frequency, t)
                                                      : 0.0;
        };
    };
    if (name.starts_with("load")) {
        each_force(numbers, [&](const ForceSignal& signal, std::size_t k) {
            const Shape shape = shape_of(signal);
            const std::vector<double>& bar = bars.load_over_time[k];
            if (part == Part::frequency && shape.is_sine) {
                gradient.push_back(over_time(bar, within(shape, by_frequency)));
                return;
            }
            add_differences(gradient, shape, part, signal_of, [&](const ForceSignal& one) {
                return over_time(bar, [&](double t) { return one.at(t); });
            });
        });
        return gradient;
    }
    each_motion(numbers, [&](const Drive& signal, std::size_t k) {
        const Shape shape = shape_of(signal);
        const std::vector<double>&place = bars.place_over_time[k], &speed = bars.speed_over_time[k];
        if (part == Part::frequency && shape.is_sine) {
            gradient.push_back(over_time(place, within(shape, by_frequency)) +
                               over_time(speed, within(shape, speed_by_frequency)));
            return;
        }
        if (part == Part::samples) refuse_rest(shape);
        add_differences(gradient, shape, part, motion_of, [&](const Drive& one) {
            return over_time(place, [&](double t) { return one.displacement(t); }) +
                   over_time(speed, [&](double t) { return one.velocity(t); });
        });
    });
    return gradient;
}

}  // namespace beadwave::gradients

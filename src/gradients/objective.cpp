#include "gradients/objective.hpp"

#include "beadwave/input_error.hpp"
#include "observers/arrival.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::gradients {
namespace {

/// The target by straight lines between the rows; `from`: the row to start the search at.
double target_at(const Objective& objective, double time, std::size_t& from) {
    const std::vector<double>&t = objective.target_time, &x = objective.target;
    while (from + 2 < t.size() && t[from + 1] <= time)
        ++from;
    if (t.size() == 1 || time <= t[from]) return x[from];
    if (time >= t[from + 1]) return x[from + 1];
    return x[from] + (x[from + 1] - x[from]) * ((time - t[from]) / (t[from + 1] - t[from]));
}

/// Readings and seeds of the steps that count, in order.
struct Counted {
    const Objective& objective;
    double time_step;
    Window window;
    std::span<const double> readings;
    std::span<double> seeds;

    double x(std::int64_t step) const { return readings[static_cast<std::size_t>(step)]; }
    double time(std::int64_t step) const { return static_cast<double>(step) * time_step; }
    void add(std::int64_t step, double derivative) const {
        if (!seeds.empty()) seeds[static_cast<std::size_t>(step)] += objective.weight * derivative;
    }
};

double trace(const Counted& c) {
    double sum = 0.0;
    std::size_t row = 0;
    for (std::int64_t s = c.window.first; s <= c.window.last; ++s) {
        const double misfit = c.x(s) - target_at(c.objective, c.time(s), row);
        sum += misfit * misfit;
        c.add(s, c.time_step * misfit);
    }
    return 0.5 * c.time_step * sum;
}

/// The peak, from powers over the largest reading, so that they neither overflow nor vanish.
double peak(const Counted& c) {
    const double p = c.objective.smoothing;
    double largest = 0.0, sum = 0.0;
    for (std::int64_t s = c.window.first; s <= c.window.last; ++s)
        largest = std::max(largest, std::fabs(c.x(s)));
    if (largest == 0.0) return 0.0;
    for (std::int64_t s = c.window.first; s <= c.window.last; ++s)
        sum += std::pow(std::fabs(c.x(s)) / largest, p);
    const double mean = sum / static_cast<double>(c.window.count());
    const double value = largest * std::pow(mean, 1.0 / p);
    const double scale = value / largest / sum;
    for (std::int64_t s = c.window.first; s <= c.window.last; ++s) {
        const double part = std::fabs(c.x(s)) / largest;
        if (part > 0.0) c.add(s, std::copysign(scale * std::pow(part, p - 1.0), c.x(s)));
    }
    return value;
}

double impulse(const Counted& c) {
    double sum = 0.0;
    for (std::int64_t s = c.window.first; s <= c.window.last; ++s) {
        sum += c.x(s);
        c.add(s, c.time_step);
    }
    return c.time_step * sum;
}

double spectrum(const Counted& c) {
    const auto turn = [&](std::int64_t s) {
        const double turns = c.objective.frequency * c.time(s);
        return 2.0 * std::numbers::pi * (turns - std::floor(turns));
    };
    double re = 0.0, im = 0.0;
    for (std::int64_t s = c.window.first; s <= c.window.last; ++s) {
        re += c.time_step * c.x(s) * std::cos(turn(s));
        im -= c.time_step * c.x(s) * std::sin(turn(s));
    }
    for (std::int64_t s = c.window.first; s <= c.window.last; ++s)
        c.add(s, 2.0 * c.time_step * (re * std::cos(turn(s)) - im * std::sin(turn(s))));
    return re * re + im * im;
}

double arrival(const Counted& c) {
    observers::Arrival of_sensor;
    const std::int64_t begin = c.window.first == 1 ? 0 : c.window.first;
    for (std::int64_t s = begin; s <= c.window.last; ++s)
        of_sensor.add(c.x(s));
    const double place = of_sensor.step();
    const std::int64_t top = begin + std::llround(place);
    const double before = top > begin ? c.x(top - 1) : c.x(top), peak = c.x(top),
                 after = top < c.window.last ? c.x(top + 1) : peak;
    const double bend = before - 2.0 * peak + after;
    if (top == begin || top == c.window.last || !(bend < 0.0)) {
        throw InputError(fmt::format(
            "{}: the reading has no hump within the run and its time; expected a sensor that the "
            "wave passes",
            c.objective.name));
    }
    // t = top + (before - after) / (2 bend)
    const double part = 0.5 * (before - after) / bend;
    c.add(top - 1, c.time_step * (0.5 - part) / bend);
    c.add(top, c.time_step * 2.0 * part / bend);
    c.add(top + 1, c.time_step * (-0.5 - part) / bend);
    return c.time_step * (static_cast<double>(begin) + place);
}

}  // namespace

Window window_of(const Objective& objective, double time_step, std::int64_t steps) {
    const auto all = static_cast<double>(steps);
    constexpr double near = 1e-9;
    const double from = objective.from / time_step, to = objective.to / time_step;
    const double first = std::ceil(from - near * std::max(1.0, from));
    const double last = std::floor(to + near * std::max(1.0, to));
    if (!(first <= all)) return {.first = 1, .last = 0};
    return {.first = std::max<std::int64_t>(1, static_cast<std::int64_t>(first)),
            .last = static_cast<std::int64_t>(std::min(last, all))};
}

double evaluate(const Objective& objective, double time_step, std::span<const double> readings,
                std::span<double> seeds) {
    const Counted counted{
        .objective = objective,
        .time_step = time_step,
        .window = window_of(objective, time_step, static_cast<std::int64_t>(readings.size()) - 1),
        .readings = readings,
        .seeds = seeds};
    switch (objective.kind) {
        case ObjectiveKind::trace:
            return trace(counted);
        case ObjectiveKind::peak:
            return peak(counted);
        case ObjectiveKind::impulse:
            return impulse(counted);
        case ObjectiveKind::spectrum:
            return spectrum(counted);
        case ObjectiveKind::arrival:
            return arrival(counted);
        case ObjectiveKind::energy:
        case ObjectiveKind::transmission:
            break;
    }
    return 0.0;  // of the chain: adjoint_run.hpp; of two channels: evaluate_transmission()
}

double evaluate_transmission(const Objective& objective, double time_step,
                             const ChannelReadings& transmitted, const ChannelReadings& incident) {
    const auto steps = static_cast<std::int64_t>(transmitted.readings.size()) - 1;
    Objective before = objective;
    before.from = objective.incident_from;
    before.to = objective.incident_to;
    const Window after = window_of(objective, time_step, steps),
                 first = window_of(before, time_step, steps);
    const auto squares = [](const ChannelReadings& of, const Window& window) {
        double sum = 0.0;
        for (std::int64_t s = window.first; s <= window.last; ++s) {
            const double x = of.readings[static_cast<std::size_t>(s)];
            sum += x * x;
        }
        return sum;
    };
    const double out = squares(transmitted, after), in = squares(incident, first);
    if (!(in > 0.0)) {
        throw InputError(fmt::format(
            "{}: nothing passes the incident sensor within the run and its time; expected a sensor "
            "that the wave passes",
            objective.name));
    }
    const auto add = [&](const ChannelReadings& of, const Window& window, double by_square) {
        for (std::int64_t s = window.first; s <= window.last && !of.seeds.empty(); ++s) {
            const auto at = static_cast<std::size_t>(s);
            of.seeds[at] += objective.weight * by_square * 2.0 * of.readings[at];
        }
    };
    add(transmitted, after, 1.0 / in);
    add(incident, first, -out / (in * in));
    return out / in;
}

}  // namespace beadwave::gradients

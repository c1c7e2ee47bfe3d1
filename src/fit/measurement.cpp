#include "fit/measurement.hpp"

#include "beadwave/input_error.hpp"
#include "fit/spikes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace beadwave::fit {
namespace {

/// The rows at the largest value where the sensor or its amplifier is saturated: the trace has this
/// value far more often than the next lower one. A rounded peak is not saturated, even with few
/// levels.
std::vector<bool> saturated_rows(const std::vector<double>& force) {
    const double top = std::ranges::max(force);
    double below = -std::numeric_limits<double>::infinity();
    for (const double f : force) {
        if (f < top) below = std::max(below, f);
    }
    const auto at_top = std::ranges::count(force, top), under = std::ranges::count(force, below);
    std::vector<bool> saturated(force.size(), false);
    constexpr std::ptrdiff_t few = 5, times_more = 4;
    if (at_top < few || at_top <= times_more * under) return saturated;
    // Noise sometimes dips below the largest value: the whole plateau is saturated, not only its
    // highest rows.
    std::size_t last = force.size();
    const std::size_t bridge = 20;
    for (std::size_t i = 0; i < force.size(); ++i) {
        if (force[i] != top) continue;
        const std::size_t from = last < i && i - last <= bridge ? last : i;
        for (std::size_t j = from; j <= i; ++j)
            saturated[j] = true;
        last = i;
    }
    return saturated;
}

void check_span(const std::string& name, const std::vector<double>& time, double end) {
    constexpr double another_unit = 200.0;
    const double span = time.back() - time.front();
    if (span > another_unit * end || span < end / another_unit) {
        throw InputError(fmt::format(
            "{}: the times span {:.4g}, but the run lasts {:.4g} s; expected times in s", name,
            span, end));
    }
}

/// `offset`: it may be below 0 throughout.
void check_sign(const std::string& name, const std::vector<double>& trace, std::size_t column,
                bool offset, const std::string& unit) {
    const auto [least, most] = std::ranges::minmax(trace);
    // A spike may be larger than the wave, but its impulse is not.
    std::vector<double> sorted = trace;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::ranges::nth_element(sorted, middle);
    double impulse = 0.0;
    for (const double force : trace)
        impulse += force - *middle;
    const double from = offset ? *middle : 0.0;
    if (!(most > from) || (from - least > most - from && impulse < 0.0)) {
        throw InputError(
            fmt::format("{}: column {} ranges from {:.4g} to {:.4g} {}; expected positive forces "
                        "in compression",
                        name, column, least, most, unit));
    }
}

/// Leaves the rows of the masks and those of weight 0 out.
void leave_out(MeasuredTrace& trace, const std::vector<double>& time, std::span<const Mask> masks) {
    trace.left_out.assign(time.size(), false);
    for (std::size_t row = 0; row < time.size(); ++row) {
        const bool masked = std::ranges::any_of(masks, [&](const Mask& mask) {
            return (!mask.id || *mask.id == trace.id) && time[row] >= mask.from &&
                   time[row] <= mask.to;
        });
        trace.left_out[row] = masked || trace.root_weight(row) == 0.0;
        if (trace.left_out[row]) trace.used[row] = false;
    }
    if (std::ranges::count(trace.left_out, true) == 0) trace.left_out.clear();
}

}  // namespace

std::string text_of(Component component) {
    constexpr std::array<const char*, 4> names{"x", "y", "z", "norm"};
    return names[static_cast<std::size_t>(component)];
}

std::vector<MeasuredArrival> measured_arrivals(const io::MeasuredTraces& all,
                                               std::span<const std::int64_t> sensors,
                                               std::span<const Mask> masks) {
    std::vector<MeasuredArrival> arrivals;
    for (std::size_t c = 0; c < all.force.size(); ++c) {
        MeasuredTrace trace{.sensor = all.sensors[c],
                            .id = sensors[all.sensors[c]],
                            .force = all.force[c],
                            .used = std::vector<bool>(all.time.size(), true),
                            .weight = all.weight.empty() ? std::vector<double>{} : all.weight[c]};
        leave_out(trace, all.time, masks);
        if (std::ranges::count(trace.used, true) == 0) continue;
        const std::vector<double> kept = bridged(trace.force, trace.left_out);
        arrivals.push_back({trace.sensor, observers::measured_peak(all.time, kept).time});
    }
    return arrivals;
}

Measurement measurement_of(const std::string& name, const io::MeasuredTraces& all,
                           std::span<const std::int64_t> sensors, double end, double least_shift,
                           double most_shift, std::span<const Mask> masks, Component component,
                           bool offset) {
    Measurement measured{name, {}, {}, {}, all.unit};
    if (!all.skipped.empty()) {
        measured.warnings.push_back(fmt::format("{}: columns that name no sensor are left out: {}",
                                                name, fmt::join(all.skipped, ", ")));
    }
    check_span(measured.name, all.time, end);
    const double first = most_shift, last = end + least_shift;
    const double rounding = 1e-9 * end;
    const auto begin = std::ranges::lower_bound(all.time, first - rounding);
    const auto stop = std::ranges::upper_bound(all.time, last + rounding);
    if (stop - begin < 3) {
        throw InputError(fmt::format(
            "{}: the times range from {:.4g} to {:.4g} s; the run covers only {:.4g} to {:.4g} s "
            "of this clock",
            measured.name, all.time.front(), all.time.back(), first, last));
    }
    measured.time.assign(begin, stop);
    const std::size_t left_out = all.time.size() - measured.time.size();
    if (left_out > 0) {
        measured.warnings.push_back(
            fmt::format("{}: {} of {} rows are outside the run, 0 to {:.4g} s, and are left out",
                        measured.name, left_out, all.time.size(), end));
    }
    for (std::size_t c = 0; c < all.force.size(); ++c) {
        const std::size_t sensor = all.sensors[c];
        MeasuredTrace trace{sensor, sensors[sensor], {}, {}, false};
        const auto from = begin - all.time.begin(), to = stop - all.time.begin();
        trace.force.assign(all.force[c].begin() + from, all.force[c].begin() + to);
        if (!all.weight.empty()) {
            trace.weight.assign(all.weight[c].begin() + from, all.weight[c].begin() + to);
        }
        trace.used.assign(measured.time.size(), true);
        leave_out(trace, measured.time, masks);
        if (std::ranges::count(trace.used, true) == 0) {
            throw InputError(fmt::format(
                "{}: no row of sensor {} is left; the masks and the weights of 0 leave all out",
                measured.name, trace.id));
        }
        const std::vector<double> kept = bridged(trace.force, trace.left_out);
        // A component of a force has either sign, and no plateau that it must stay below.
        const bool magnitude = component == Component::norm;
        if (magnitude) check_sign(measured.name, kept, all.columns[c], offset, measured.unit);
        trace.peak = observers::measured_peak(measured.time, kept);
        const std::vector<bool> lost =
            magnitude ? saturated_rows(kept) : std::vector<bool>(kept.size(), false);
        const auto count = std::ranges::count(lost, true);
        for (std::size_t row = 0; row < lost.size(); ++row)
            trace.used[row] = trace.used[row] && !lost[row];
        trace.saturated = count > 0;
        trace.has_peak = !trace.saturated && magnitude;
        if (trace.saturated) {
            measured.warnings.push_back(fmt::format(
                "{}: sensor {} is saturated at {:.4g} {}; {} of its rows and its peak are left out",
                measured.name, trace.id, std::ranges::max(trace.force), measured.unit, count));
        }
        measured.traces.push_back(std::move(trace));
    }
    return measured;
}

}  // namespace beadwave::fit

#include "fit/residual_function.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "fit/interpolation.hpp"
#include "fit/spectra.hpp"
#include "fit/spikes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace beadwave::fit {
namespace {

/// The peak of the first hump that no later hump clearly exceeds (`arrival`), or of the highest.
PeakFit peak_in(std::span<const double> times, std::span<const double> force, double half_width,
                bool arrival) {
    const double near =
        arrival ? observers::measured_peak(times, force).time
                : times[static_cast<std::size_t>(std::ranges::max_element(force) - force.begin())];
    return fit_peak(times, force, near, half_width);
}

double norm_of(const std::vector<double>& numbers) {
    return std::sqrt(std::inner_product(numbers.begin(), numbers.end(), numbers.begin(), 0.0));
}

}  // namespace

void Weights::multiply(double factor) {
    for (std::vector<double>* const deviations : {&trace, &peak, &arrival}) {
        for (double& deviation : *deviations)
            deviation *= factor;
    }
}

ResidualFunction::ResidualFunction(const Measurement& measured,
                                   std::vector<FreeParameter> parameters,
                                   std::function<bool()> stop)
    : measured_(measured),
      parameters_(std::move(parameters)),
      stop_(std::move(stop)),
      varied_(static_cast<std::size_t>(
          std::ranges::count(parameters_, Role::scenario, &FreeParameter::role))) {
    for (const MeasuredTrace& trace : measured_.traces) {
        has_peak_.push_back(trace.has_peak);
        measured_peaks_.push_back(trace.peak);
        peak_deviations_.push_back({0.0, 0.0});
        half_width_.push_back(0.0);
        hump_.push_back(0.0);
    }
}

ResidualFunction ResidualFunction::copy() const {
    ResidualFunction other(measured_, parameters_, stop_);
    other.forward_ = forward_;
    other.has_peak_ = has_peak_;
    other.half_width_ = half_width_;
    other.hump_ = hump_;
    other.measured_peaks_ = measured_peaks_;
    other.peak_deviations_ = peak_deviations_;
    return other;
}

std::vector<std::int64_t> ResidualFunction::drop_missed_peaks(std::span<const double> x) {
    respond(x);
    const Window seen = window(x), whole{0, response_.times};
    std::vector<std::int64_t> dropped;
    for (std::size_t c = 0; c < measured_.traces.size(); ++c) {
        const double time = observers::measured_peak(whole.times, force_of(c, whole)).time;
        const bool outside = time < seen.times.front() || time > seen.times.back();
        if (!has_peak_[c] || !(outside || left_out(c, time + shift_of(x)))) continue;
        has_peak_[c] = false;
        dropped.push_back(measured_.traces[c].id);
    }
    return dropped;
}

bool ResidualFunction::left_out(std::size_t trace, double time) const {
    const std::vector<bool>& rows = measured_.traces[trace].left_out;
    if (rows.empty()) return false;
    const auto after = std::ranges::lower_bound(measured_.time, time) - measured_.time.begin();
    const auto row = static_cast<std::size_t>(after);
    return (row < rows.size() && rows[row]) || (row > 0 && rows[row - 1]);
}

const Response& ResidualFunction::respond(std::span<const double> x, bool derivatives) {
    std::vector<double> values;
    for (std::size_t k = 0; k < x.size(); ++k) {
        if (parameters_[k].role == Role::scenario) values.push_back(x[k]);
    }
    const bool known = !response_.times.empty() && values == asked_ &&
                       (!derivatives || values.empty() || !response_.derivatives.empty());
    if (!known) {
        if (stopped()) throw running::RunError("interrupted");
        response_ = forward_->at(values, derivatives);
        asked_ = values;
        sensors_ = response_.forces.size() / response_.times.size();
    }
    return response_;
}

ResidualFunction::Sensor ResidualFunction::sensor_of(std::span<const double> x,
                                                     std::size_t trace) const {
    Sensor sensor{1.0, 0.0};
    for (std::size_t k = 0; k < x.size(); ++k) {
        if (parameters_[k].trace != trace) continue;
        if (parameters_[k].role == Role::gain) sensor.gain = x[k];
        if (parameters_[k].role == Role::offset) sensor.offset = x[k];
    }
    return sensor;
}

double ResidualFunction::shift_of(std::span<const double> x) const {
    for (std::size_t k = 0; k < x.size(); ++k) {
        if (parameters_[k].role == Role::clock_shift) return x[k];
    }
    return 0.0;
}

std::size_t ResidualFunction::count(const Target& target) const {
    std::size_t count = 0;
    for (std::size_t c = 0; c < measured_.traces.size(); ++c) {
        const std::vector<bool>& used = measured_.traces[c].used;
        if (target.traces) count += static_cast<std::size_t>(std::ranges::count(used, true));
        if (target.spectra && hump_[c] > 0.0) count += spectrum_frequencies;
        if (!has_peak_[c]) continue;
        count += target.peaks ? 1 : 0;
        count += target.arrivals ? 1 : 0;
    }
    return count;
}

Residuals ResidualFunction::residuals(std::span<const double> x, const Target& target,
                                      const Weights& weights, bool derivatives) {
    respond(x, derivatives);
    Residuals result;
    result.columns.resize(derivatives ? x.size() : 0);
    if (target.traces) add_traces(x, weights, result);
    if (target.peaks || target.arrivals) add_peaks(x, target, weights, result);
    if (target.spectra) add_spectra(x, result);
    return result;
}

void ResidualFunction::add_column_entries(std::span<const double> x, std::size_t trace,
                                          const Change& change, double weight,
                                          Residuals& result) const {
    std::size_t scenario_key = 0;
    const double gain = sensor_of(x, trace).gain;
    for (std::size_t k = 0; k < result.columns.size(); ++k) {
        double d = 0.0;
        switch (parameters_[k].role) {
            case Role::scenario:
                for (std::size_t i = 0; i < change.weight.size(); ++i) {
                    const std::size_t at =
                        (change.first + i) * sensors_ + measured_.traces[trace].sensor;
                    d += change.weight[i] * response_.derivatives[at * varied_ + scenario_key];
                }
                d *= change.takes_gain ? gain : 1.0;
                ++scenario_key;
                break;
            case Role::clock_shift:
                d = change.by_shift;
                break;
            case Role::gain:
                d = parameters_[k].trace == trace ? change.by_gain : 0.0;
                break;
            case Role::offset:
                d = parameters_[k].trace == trace && change.takes_gain ? 1.0 : 0.0;
                break;
        }
        result.columns[k].push_back(weight * d);
    }
}

void ResidualFunction::add_traces(std::span<const double> x, const Weights& weights,
                                  Residuals& result) const {
    const double shift = shift_of(x);
    std::vector<Place> places;
    for (const double time : measured_.time)
        places.push_back(place_of(response_.times, time - shift));
    for (std::size_t c = 0; c < measured_.traces.size(); ++c) {
        const MeasuredTrace& trace = measured_.traces[c];
        const Sensor sensor = sensor_of(x, c);
        for (std::size_t row = 0; row < places.size(); ++row) {
            if (!trace.used[row]) continue;
            const double weight = trace.root_weight(row) / weights.trace[c];
            const Place& place = places[row];
            double force = 0.0, slope = 0.0;
            for (std::size_t i = 0; i < 4; ++i) {
                const double f = response_.forces[(place.first + i) * sensors_ + trace.sensor];
                force += place.value[i] * f;
                slope += place.slope[i] * f;
            }
            result.values.push_back(weight * (sensor.reading(force) - trace.force[row]));
            add_column_entries(x, c, {place.first, place.value, true, -sensor.gain * slope, force},
                               weight, result);
        }
    }
}

ResidualFunction::Window ResidualFunction::window(std::span<const double> x) const {
    const double shift = shift_of(x), rounding = 1e-9 * response_.times.back();
    const auto from =
        std::ranges::lower_bound(response_.times, measured_.time.front() - shift - rounding);
    const auto to =
        std::ranges::upper_bound(response_.times, measured_.time.back() - shift + rounding);
    const auto first = std::min<std::size_t>(
        static_cast<std::size_t>(from - response_.times.begin()), response_.times.size() - 3);
    const auto end = std::max(static_cast<std::size_t>(to - response_.times.begin()), first + 3);
    return {first, std::span(response_.times).subspan(first, end - first)};
}

std::vector<double> ResidualFunction::force_of(std::size_t trace, const Window& window) const {
    std::vector<double> force;
    for (std::size_t i = 0; i < window.times.size(); ++i) {
        force.push_back(
            response_.forces[(window.first + i) * sensors_ + measured_.traces[trace].sensor]);
    }
    return force;
}

PeakFit ResidualFunction::fitted_peak(std::size_t trace, const Window& window, bool arrival) const {
    const std::vector<double> force = force_of(trace, window);
    return peak_in(window.times, force, half_width_[trace], arrival);
}

void ResidualFunction::add_peaks(std::span<const double> x, const Target& target,
                                 const Weights& weights, Residuals& result) const {
    const Window seen = window(x);
    for (std::size_t c = 0; c < measured_.traces.size(); ++c) {
        if (!has_peak_[c]) continue;
        const Sensor sensor = sensor_of(x, c);
        if (target.peaks) {
            const PeakFit fitted = fitted_peak(c, seen, false);
            const double weight = 1.0 / weights.peak[c];
            result.values.push_back(weight *
                                    (sensor.reading(fitted.peak.force) - measured_peaks_[c].force));
            add_column_entries(
                x, c, {seen.first + fitted.first, fitted.height, true, 0.0, fitted.peak.force},
                weight, result);
        }
        if (target.arrivals) {
            const PeakFit fitted = fitted_peak(c, seen, true);
            const double weight = 1.0 / weights.arrival[c];
            result.values.push_back(weight *
                                    (fitted.peak.time + shift_of(x) - measured_peaks_[c].time));
            add_column_entries(x, c, {seen.first + fitted.first, fitted.time, false, 1.0, 0.0},
                               weight, result);
        }
    }
}

std::vector<std::vector<double>> ResidualFunction::computed(std::span<const double> x) {
    respond(x);
    const double shift = shift_of(x);
    std::vector<std::vector<double>> computed(measured_.traces.size());
    for (const double time : measured_.time) {
        const Place place = place_of(response_.times, time - shift);
        for (std::size_t c = 0; c < computed.size(); ++c) {
            double force = 0.0;
            for (std::size_t i = 0; i < 4; ++i)
                force +=
                    place.value[i] *
                    response_.forces[(place.first + i) * sensors_ + measured_.traces[c].sensor];
            computed[c].push_back(sensor_of(x, c).reading(force));
        }
    }
    return computed;
}

std::vector<observers::SensorPeak> ResidualFunction::peaks(std::span<const double> x) {
    respond(x);
    const Window seen = window(x);
    std::vector<observers::SensorPeak> peaks;
    for (std::size_t c = 0; c < measured_.traces.size(); ++c) {
        peaks.push_back({sensor_of(x, c).reading(fitted_peak(c, seen, false).peak.force),
                         fitted_peak(c, seen, true).peak.time + shift_of(x)});
    }
    return peaks;
}

std::vector<std::int64_t> ResidualFunction::refine_measured_peaks(std::span<const double> x) {
    respond(x);
    const Window seen = window(x);
    std::vector<std::int64_t> spiky;
    const double spacing = (measured_.time.back() - measured_.time.front()) /
                           static_cast<double>(measured_.time.size() - 1);
    for (std::size_t c = 0; c < measured_.traces.size(); ++c) {
        const std::vector<double> wave = force_of(c, seen);
        const double width =
            half_width_of(seen.times, wave, observers::measured_peak(seen.times, wave).time);
        hump_[c] = width;
        const Despiked clean =
            without_spikes(bridged(measured_.traces[c].force, measured_.traces[c].left_out),
                           2.0 * width / spacing);
        const std::vector<double>& force = clean.force;
        if (clean.spikes > 0) spiky.push_back(measured_.traces[c].id);
        // Without noise, three samples give the peak, and the shape of the hump does not matter.
        constexpr double little = 1e-4;
        if (observers::noise_of(force) > little * measured_peaks_[c].force) {
            half_width_[c] = width;
        }
        const PeakFit highest = peak_in(measured_.time, force, half_width_[c], false);
        const PeakFit arrival = peak_in(measured_.time, force, half_width_[c], true);
        measured_peaks_[c] = {highest.peak.force, arrival.peak.time};
        if (half_width_[c] > 0.0) {
            const double noise = observers::noise_of(force);
            peak_deviations_[c] = {noise * norm_of(highest.height), noise * norm_of(arrival.time)};
        }
    }
    return spiky;
}

std::vector<std::vector<double>> ResidualFunction::jacobian(std::span<const double> x) {
    Weights units;
    units.trace.assign(measured_.traces.size(), 1.0);
    const Residuals all = residuals(x, {}, units);
    std::vector<std::vector<double>> jacobian(measured_.traces.size());
    std::size_t next = 0;
    for (std::size_t c = 0; c < jacobian.size(); ++c) {
        const MeasuredTrace& trace = measured_.traces[c];
        for (std::size_t row = 0; row < trace.used.size(); ++row) {
            for (const std::vector<double>& column : all.columns) {
                jacobian[c].push_back(trace.used[row] ? column[next] / trace.root_weight(row)
                                                      : std::numeric_limits<double>::quiet_NaN());
            }
            next += trace.used[row] ? 1 : 0;
        }
    }
    return jacobian;
}

double lag1_autocorrelation(const std::vector<std::vector<double>>& computed,
                            const Measurement& measured) {
    double products = 0.0, squares = 0.0;
    for (std::size_t c = 0; c < computed.size(); ++c) {
        const MeasuredTrace& trace = measured.traces[c];
        for (std::size_t row = 0; row + 1 < computed[c].size(); ++row) {
            if (!trace.used[row] || !trace.used[row + 1]) continue;
            const double now = computed[c][row] - trace.force[row];
            const double next = computed[c][row + 1] - trace.force[row + 1];
            products += now * next;
            squares += 0.5 * (now * now + next * next);
        }
    }
    return squares > 0.0 ? products / squares : 0.0;
}

double relative_misfit(const std::vector<std::vector<double>>& computed,
                       const Measurement& measured) {
    double left = 0.0, all = 0.0;
    for (std::size_t c = 0; c < computed.size(); ++c) {
        const MeasuredTrace& trace = measured.traces[c];
        for (std::size_t row = 0; row < trace.force.size(); ++row) {
            if (!trace.used[row]) continue;
            const double misfit = computed[c][row] - trace.force[row];
            left += misfit * misfit;
            all += trace.force[row] * trace.force[row];
        }
    }
    return std::sqrt(left / all);
}

}  // namespace beadwave::fit

#include "fit/noise_weights.hpp"

#include "beadwave/input_error.hpp"
#include "fit/estimates.hpp"
#include "fit/robust_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::fit {

Weights first_weights(const FitInput& input) {
    const std::vector<MeasuredTrace>& traces = input.measured.traces;
    const std::vector<double>& noise = input.settings.noise;
    constexpr double part = 0.01;  // of a peak force, and of the largest arrival time
    Weights weights;
    for (std::size_t c = 0; c < traces.size(); ++c) {
        const double given = noise.empty() ? 0.0 : noise[noise.size() == 1 ? 0 : c];
        weights.trace.push_back(given > 0.0 ? given : 1.0);
        weights.peak.push_back(given > 0.0 ? given : part * traces[c].peak.force);
        double latest = 0.0;
        for (const MeasuredTrace& trace : traces)
            latest = std::max(latest, std::abs(trace.peak.time));
        weights.arrival.push_back(
            input.settings.arrival_noise.value_or(part * std::max(latest, 1e-300)));
    }
    return weights;
}

void weigh_peaks(const ResidualFunction& function, const FitSettings& settings, Weights& weights) {
    if (settings.target.traces) return;
    double force = 0.0, time = 0.0, count = 0.0;
    for (std::size_t c = 0; c < weights.peak.size(); ++c) {
        if (!function.has_peak(c)) continue;
        const observers::SensorPeak& deviation = function.peak_deviation(c);
        if (!(deviation.force > 0.0) || !(deviation.time > 0.0)) return;
        force += deviation.force;
        time += deviation.time;
        count += 1.0;
    }
    const GivenNoise given = given_noise(settings);
    const double peak = *std::ranges::max_element(weights.peak);
    for (std::size_t c = 0; c < weights.peak.size(); ++c) {
        if (!function.has_peak(c)) continue;
        const observers::SensorPeak& deviation = function.peak_deviation(c);
        if (!given.forces) weights.peak[c] = peak * deviation.force * count / force;
        if (!given.arrivals) weights.arrival[c] *= deviation.time * count / time;
    }
}

GivenNoise given_noise(const FitSettings& settings) {
    return {!settings.noise.empty(), settings.arrival_noise.has_value()};
}

bool noise_is_given(const FitSettings& settings) {
    const bool forces =
        !(settings.target.traces || settings.target.peaks) || !settings.noise.empty();
    return forces && (!settings.target.arrivals || settings.arrival_noise.has_value());
}

bool has_two_noises(const FitSettings& settings) {
    return settings.target.peaks && settings.target.arrivals && !noise_is_given(settings);
}

NoiseGroups groups_at(ResidualFunction& function, const Point& best, const Target& target,
                      const Weights& weights, const std::vector<bool>& fitted) {
    Residuals all = function.residuals(best.x, target, weights);
    std::vector<std::vector<double>> columns;
    for (std::size_t k = 0; k < all.columns.size(); ++k) {
        if (fitted[k]) columns.push_back(std::move(all.columns[k]));
    }
    all.columns = std::move(columns);
    const std::size_t sensors = all.values.size() / 2;
    if (sensors <= all.columns.size()) {
        throw InputError(fmt::format(
            "{}: the peaks and arrivals of {} sensors do not give {} parameters and the noise of "
            "both; measure at more than {} sensors, or give --noise and --arrival-noise",
            function.measured().name, sensors, all.columns.size(), all.columns.size()));
    }
    return noise_groups(all);
}

double estimate_weights(const Search& search, ResidualFunction& function, const FitInput& input,
                        Point& best, Weights& weights) {
    const GivenNoise given = given_noise(input.settings);
    const std::vector<Spread> any(input.parameters.size());
    double logarithm = 0.0;
    constexpr int most_rounds = 20;
    for (int round = 0; round < most_rounds; ++round) {
        const std::vector<bool> fitted =
            estimate_parameters(input.parameters, best, 1.0, any).fitted;
        const NoiseGroups groups =
            groups_at(function, best, input.settings.target, weights, fitted);
        const double peaks = given.forces ? 1.0 : groups.mean_square[0];
        const double arrivals = given.arrivals ? 1.0 : groups.mean_square[1];
        if (!(peaks > 0.0) || !(arrivals > 0.0)) break;
        // Two unknown deviations: their ratio is the weights', their size is LawFit::noise.
        const double factor = given.arrivals ? std::sqrt(peaks) : std::sqrt(arrivals / peaks);
        for (double& weight : given.arrivals ? weights.peak : weights.arrival)
            weight *= factor;
        logarithm += std::log(factor);
        constexpr double converged = 0.01;
        if (std::abs(factor - 1.0) < converged) break;
        best = search.descend_from(best.x, weights);
    }
    return static_cast<double>(function.count(input.settings.target)) * logarithm;
}

std::vector<Prior> priors_of(const FitInput& input) {
    std::vector<Prior> priors;
    for (const KeyPrior& given : input.settings.priors) {
        const auto found = std::ranges::find(input.parameters, given.key, &FreeParameter::key);
        priors.push_back({static_cast<std::size_t>(found - input.parameters.begin()), given.mean,
                          given.deviation});
    }
    return priors;
}

double scale_weights(const Search& search, ResidualFunction& function, const FitInput& input,
                     Point& best, Weights& weights) {
    const FitSettings& settings = input.settings;
    double scale = 1.0;
    constexpr int most_rounds = 30;
    for (int round = 0; round < most_rounds; ++round) {
        const Residuals all = function.residuals(best.x, settings.target, weights, false);
        const double freedom = std::max(
            static_cast<double>(all.values.size()) - static_cast<double>(best.x.size()), 1.0);
        const double factor = noise_scale(all.values, settings.loss, freedom);
        weights.multiply(factor);
        scale *= factor;
        constexpr double converged = 0.003;
        const bool done = round > 0 && std::abs(factor - 1.0) < converged;
        weights.loss = settings.loss;
        weights.priors = priors_of(input);
        if (done) break;
        best = search.descend_from(best.x, weights);
    }
    best.qr = factors_at(function, best.x, settings.target, weights);
    return scale;
}

}  // namespace beadwave::fit

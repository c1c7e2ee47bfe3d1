#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "fit/estimates.hpp"
#include "fit/fit.hpp"
#include "fit/fit_problem.hpp"
#include "fit/residual_checks.hpp"
#include "fit/search.hpp"
#include "fit/shared_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>

namespace beadwave::fit {
namespace {

/// Makes the forward model, with dual numbers where that is possible, and sets it.
std::unique_ptr<ForwardModel> begin(ResidualFunction& function, const FitProblem& problem,
                                    const std::vector<double>& start) {
    std::string why = "no key of the scenario varies";
    std::unique_ptr<ForwardModel> forward;
    if (!problem.keys.empty()) forward = by_dual_numbers(problem, why);
    if (forward) {
        function.set_forward_model(*forward);
        try {
            function.peaks(start);
            return forward;
        } catch (const running::RunError& error) {
            if (function.stopped()) throw;
            why = error.what();
        }
    }
    forward = by_differences(problem, why);
    function.set_forward_model(*forward);
    return forward;
}

/// Throws InputError if the start is so far off that the measurement must be in another unit.
void check_unit(ResidualFunction& function, const std::vector<double>& start) {
    if (std::ranges::count(function.parameters(), Role::gain, &FreeParameter::role) > 0) return;
    double measured = 0.0, computed = 0.0;
    const std::vector<observers::SensorPeak> peaks = function.peaks(start);
    for (std::size_t c = 0; c < peaks.size(); ++c) {
        measured = std::max(measured, function.measured().traces[c].peak.force);
        computed = std::max(computed, peaks[c].force);
    }
    constexpr double another_unit = 200.0;
    if (measured > another_unit * computed || computed > another_unit * measured) {
        throw InputError(fmt::format(
            "{}: the largest force is {:.4g}, and {:.4g} N in a run at the start of the fit; "
            "expected forces in N",
            function.measured().name, measured, computed));
    }
}

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

/// Which standard deviations the user gave.
struct GivenNoise {
    bool forces, arrivals;
};

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

/// Throws InputError if a group of residuals could be fitted exactly.
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

/// Peaks and arrivals have different noise, which follows from their residuals. Each sum of squares
/// is divided by the degrees of freedom of its group: otherwise, with few sensors, the weights
/// grow until one group is fitted exactly. Returns the logarithm of what the weights of one group
/// were divided by, times two for each of its residuals.
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

/// The distribution of each estimate, from the noise that was estimated.
std::vector<Spread> spreads_of(ResidualFunction& function, const FitInput& input, const Point& best,
                               const Weights& weights, const std::vector<bool>& fitted,
                               double freedom) {
    const FitSettings& settings = input.settings;
    std::vector<Spread> spreads(fitted.size());
    if (noise_is_given(settings)) return spreads;
    if (!has_two_noises(settings)) {
        spreads.assign(fitted.size(), {freedom, 1.0});
        return spreads;
    }
    NoiseGroups groups = groups_at(function, best, settings.target, weights, fitted);
    const GivenNoise given = given_noise(settings);
    constexpr double known = std::numeric_limits<double>::infinity();
    if (given.forces) groups.freedom[0] = known;
    if (given.arrivals) groups.freedom[1] = known;
    std::size_t column = 0;
    for (std::size_t k = 0; k < fitted.size(); ++k) {
        if (fitted[k]) spreads[k] = spread_of(groups.arrival_share[column++], groups.freedom);
    }
    return spreads;
}

void add_misfits(ResidualFunction& function, const Point& best, LawFit& fit) {
    fit.computed = function.computed(best.x);
    const std::vector<observers::SensorPeak> peaks = function.peaks(best.x);
    double all = 0.0, rows = 0.0;
    for (std::size_t c = 0; c < peaks.size(); ++c) {
        const MeasuredTrace& trace = function.measured().traces[c];
        double squares = 0.0, used = 0.0;
        for (std::size_t row = 0; row < trace.force.size(); ++row) {
            if (!trace.used[row]) continue;
            const double misfit = fit.computed[c][row] - trace.force[row];
            squares += misfit * misfit;
            used += 1.0;
        }
        fit.sensors.push_back({trace.id, std::sqrt(squares / used), function.measured_peak(c),
                               peaks[c], function.has_peak(c)});
        all += squares;
        rows += used;
    }
    fit.rms = std::sqrt(all / rows);
    fit.lag1_autocorrelation = lag1_autocorrelation(fit.computed, function.measured());
}

/// Another minimum that the measurement does not rule out: it fits nearly as well, and its values
/// are far from the best. Empty if there is none.
std::string other_minimum(const std::vector<Point>& others, const LawFit& fit) {
    constexpr double certain_difference = 9.0, far = 5.0;  // variances; standard errors
    for (const Point& other : others) {
        const double worse = other.qr.sum_of_squares() - fit.chi_squared;
        if (!(worse < certain_difference * fit.noise * fit.noise)) continue;
        std::vector<std::string> values;
        for (std::size_t k = 0; k < fit.estimates.size(); ++k) {
            const Estimate& estimate = fit.estimates[k];
            if (estimate.known &&
                std::abs(other.x[k] - estimate.value) > far * estimate.standard_error)
                values.push_back(fmt::format("{} = {:.4g}", estimate.key, other.x[k]));
        }
        if (values.empty()) continue;
        return fmt::format(
            "another start ended at {}, which fits as well: the measurement does "
            "not decide between them",
            fmt::join(values, ", "));
    }
    return {};
}

/// The rows that were fitted.
std::vector<TraceRows> rows_of(const LawFit& fit, const Measurement& measured) {
    std::vector<TraceRows> traces;
    for (std::size_t c = 0; c < fit.computed.size(); ++c) {
        const MeasuredTrace& trace = measured.traces[c];
        TraceRows& rows = traces.emplace_back();
        for (std::size_t row = 0; row < trace.force.size(); ++row) {
            if (!trace.used[row]) continue;
            rows.residual.push_back(fit.computed[c][row] - trace.force[row]);
            rows.computed.push_back(fit.computed[c][row]);
            rows.measured.push_back(trace.force[row]);
        }
    }
    return traces;
}

}  // namespace

void set_aicc(std::vector<LawFit>& laws) {
    const LawFit* best = nullptr;
    for (const LawFit& fit : laws) {
        if (fit.failed.empty() && (best == nullptr || fit.deviance < best->deviance)) best = &fit;
    }
    if (best == nullptr) return;
    const double part = best->effective_data / static_cast<double>(best->data);
    for (LawFit& fit : laws) {
        if (!fit.failed.empty()) continue;
        const auto k = static_cast<double>(fit.effective_parameters);
        const double left = part * static_cast<double>(fit.data) - k - 1.0;
        fit.aicc = part * fit.deviance + 2.0 * k + (left > 0.0 ? 2.0 * k * (k + 1.0) / left : 0.0);
    }
}

LawFit fit_law(const FitInput& input, const std::string& law) {
    const auto began = std::chrono::steady_clock::now();
    const FitSettings& settings = input.settings;
    SharedRuns shared(settings.ranks);
    FitProblem problem = make_fit_problem(input, law);
    problem.shared = &shared;
    ResidualFunction function(input.measured, input.parameters, settings.stop);
    const Target& target = settings.target;
    Weights weights = first_weights(input);
    std::vector<double> start;
    for (const FreeParameter& parameter : input.parameters)
        start.push_back(parameter.start);
    const std::unique_ptr<ForwardModel> forward = begin(function, problem, start);
    check_unit(function, start);
    function.refine_measured_peaks(start);
    const std::vector<std::int64_t> missed = function.drop_missed_peaks(start);
    const std::size_t data = function.count(target), p = input.parameters.size();
    if (data <= p) {
        throw InputError(
            fmt::format("{}: {} numbers are too few for {} free parameters; there must be more "
                        "numbers than parameters",
                        input.measured.name, data, p));
    }
    LawFit fit{.law = law, .data = data};
    if (!missed.empty()) {
        fit.warnings.push_back(fmt::format(
            "the wave passes sensor {} outside the measured time: no peak and no arrival there",
            fmt::join(missed, ", ")));
    }

    const Search search{function, target, settings.multistart, settings.threads, shared};
    Minima minima = search.minima_from(start, weights);
    Point best = std::move(minima.best);
    const bool given = noise_is_given(settings), two_noises = has_two_noises(settings);
    const double log_weights =
        two_noises ? estimate_weights(search, function, input, best, weights) : 0.0;
    fit.chi_squared = best.qr.sum_of_squares();
    const std::vector<bool> fitted =
        estimate_parameters(input.parameters, best, 1.0, std::vector<Spread>(p)).fitted;
    const double freedom =
        static_cast<double>(data) - static_cast<double>(std::ranges::count(fitted, true));
    const bool scaled =
        !given && !(two_noises && (!settings.noise.empty() || settings.arrival_noise.has_value()));
    fit.noise = scaled ? std::sqrt(fit.chi_squared / freedom) : 1.0;
    const std::vector<Spread> spreads = spreads_of(function, input, best, weights, fitted, freedom);
    const Estimates estimates = estimate_parameters(input.parameters, best, fit.noise, spreads);
    fit.estimates = estimates.estimates;
    fit.correlation = estimates.correlation;
    const auto count = static_cast<double>(data);
    fit.deviance =
        log_weights +
        (scaled ? count * std::log(std::max(fit.chi_squared / count, 1e-300)) : fit.chi_squared);
    fit.effective_parameters =
        estimates.effective + (given ? 0 : 1) + (two_noises && scaled ? 1 : 0);
    fit.effective_data = count;
    add_misfits(function, best, fit);
    fit.by = function.by();
    for (const std::string& key : settings.profile_likelihood)
        fit.profiles.push_back(
            search.profile(key, best, weights, fit.estimates, fit.noise, spreads));
    fit.scenario = scenario_with(input, law, fit.estimates);
    fit.evaluations = forward->evaluations() + shared.elsewhere();
    fit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    // With two estimated noises the descent went on with other weights.
    if (const std::string other = two_noises ? "" : other_minimum(minima.others, fit);
        !other.empty())
        fit.warnings.push_back(other);
    for (const Estimate& estimate : fit.estimates) {
        if (!estimate.remark.empty()) fit.warnings.push_back(estimate.key + ": " + estimate.remark);
    }
    constexpr double strongly_correlated = 0.99;
    for (std::size_t i = 0; i < p; ++i) {
        for (std::size_t j = i + 1; j < p; ++j) {
            const double c = fit.correlation[i * p + j];
            if (!(std::abs(c) > strongly_correlated)) continue;
            fit.warnings.push_back(
                fmt::format("the measurement hardly distinguishes {} and {} (correlation {:.5f}): "
                            "other pairs of values may fit as well; --profile-likelihood and "
                            "--multistart find them",
                            fit.estimates[i].key, fit.estimates[j].key, c));
        }
    }
    shared.results({}, 1, {});  // collective: the ranks end the fit together
    constexpr double by_rounding = 1e-6;
    double largest = 0.0;
    for (const SensorMisfit& sensor : fit.sensors)
        largest = std::max(largest, sensor.measured.force);
    double correlated = 0.0;
    if (target.traces) {
        const std::vector<TraceRows> rows = rows_of(fit, function.measured());
        const Correlation found = row_correlation(rows);
        fit.lag1_autocorrelation = found.value;
        if (std::abs(found.significance) > certain) correlated = found.value;
        if (correlated > 0.0) fit.effective_data *= (1.0 - correlated) / (1.0 + correlated);
        if (fit.rms > by_rounding * largest)
            std::ranges::copy(residual_warnings(rows), std::back_inserter(fit.warnings));
    }
    if (given) {
        const GoodnessOfFit goodness = goodness_of_fit(fit.chi_squared, freedom, correlated);
        fit.chi_squared_per_dof = goodness.per_dof;
        fit.p_value = goodness.p_value;
        const std::string warning = goodness_warning(goodness);
        if (!warning.empty()) fit.warnings.push_back(warning);
    }
    return fit;
}

}  // namespace beadwave::fit

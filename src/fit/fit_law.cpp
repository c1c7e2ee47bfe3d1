#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "fit/estimates.hpp"
#include "fit/fit.hpp"
#include "fit/fit_problem.hpp"
#include "fit/noise_weights.hpp"
#include "fit/residual_checks.hpp"
#include "fit/robust_errors.hpp"
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
    const std::vector<std::vector<double>> forces = function.computed(start);
    for (std::size_t c = 0; c < forces.size(); ++c) {
        const MeasuredTrace& trace = function.measured().traces[c];
        measured = std::max(measured, std::abs(function.measured_peak(c).force));
        for (std::size_t row = 0; row < forces[c].size(); ++row) {
            if (!trace.has_peak && trace.used[row])
                measured = std::max(measured, std::abs(trace.force[row]));
            computed = std::max(computed, std::abs(forces[c][row]));
        }
    }
    constexpr double another_unit = 200.0;
    if (measured > another_unit * computed || computed > another_unit * measured) {
        throw InputError(fmt::format(
            "{}: the largest force is {:.4g}, and {:.4g} N in a run at the start of the fit; "
            "expected forces in N, and a scenario whose stiffness, speed and end are about right",
            function.measured().name, measured, computed));
    }
}

/// The distribution of each estimate, from the noise that was estimated.
std::vector<Spread> spreads_of(ResidualFunction& function, const FitInput& input, const Point& best,
                               const Weights& weights, const std::vector<bool>& fitted,
                               double freedom, std::vector<std::string>& warnings) {
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
    constexpr double few = 6.0;
    if (const double least = std::min(groups.freedom[0], groups.freedom[1]); least < few) {
        warnings.push_back(fmt::format(
            "the noise of the {} follows from {:.2g} degrees of freedom: the standard errors, "
            "which assume it, are themselves uncertain; measure at more sensors, or give --noise "
            "and --arrival-noise",
            groups.freedom[0] < groups.freedom[1] ? "peaks" : "arrivals", least));
    }
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

/// Another minimum that the measurement does not rule out: it fits nearly as well as the best, and
/// its values are far from those. Empty if there is none. `noise`: of a residual.
std::string other_minimum(const std::vector<Point>& others, const Point& best, double noise,
                          const LawFit& fit) {
    constexpr double certain_difference = 9.0, far = 5.0;  // variances; standard errors
    for (const Point& other : others) {
        const double worse = other.qr.sum_of_squares() - best.qr.sum_of_squares();
        if (!(worse < certain_difference * noise * noise)) continue;
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

/// The rows that were fitted; the residuals as if each had weight 1.
std::vector<TraceRows> rows_of(const LawFit& fit, const Measurement& measured) {
    std::vector<TraceRows> traces;
    for (std::size_t c = 0; c < fit.computed.size(); ++c) {
        const MeasuredTrace& trace = measured.traces[c];
        TraceRows& rows = traces.emplace_back();
        for (std::size_t row = 0; row < trace.force.size(); ++row) {
            if (!trace.used[row]) continue;
            rows.residual.push_back(trace.root_weight(row) *
                                    (fit.computed[c][row] - trace.force[row]));
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
    const std::vector<std::int64_t> spiky = function.refine_measured_peaks(start);
    check_unit(function, start);
    const std::vector<std::int64_t> missed = function.drop_missed_peaks(start);
    weigh_peaks(function, settings, weights);
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
            "the wave passes sensor {} outside the measured time, or where rows are left out: no "
            "peak and no arrival there",
            fmt::join(missed, ", ")));
    }
    if (!spiky.empty() && !target.traces) {
        fit.warnings.push_back(fmt::format(
            "the trace of sensor {} has single rows far off their neighbours; its peak is found "
            "without them",
            fmt::join(spiky, ", ")));
    }

    const Search search{function, target, settings.multistart, settings.threads, shared};
    const bool given = noise_is_given(settings), two_noises = has_two_noises(settings);
    const bool weighs = settings.loss != Loss::squares || !settings.priors.empty();
    if (given) {
        weights.loss = settings.loss;
        weights.priors = priors_of(input);
    }
    Minima minima = search.minima_from(start, weights);
    Point best = std::move(minima.best);
    const double scale =
        weighs && !given ? scale_weights(search, function, input, best, weights) : 1.0;
    const double log_weights =
        two_noises ? estimate_weights(search, function, input, best, weights) : 0.0;
    fit.chi_squared = best.qr.sum_of_squares();
    const std::vector<bool> fitted =
        estimate_parameters(input.parameters, best, 1.0, std::vector<Spread>(p)).fitted;
    const double freedom = static_cast<double>(data + settings.priors.size()) -
                           static_cast<double>(std::ranges::count(fitted, true));
    const bool scaled =
        !given && !weighs &&
        !(two_noises && (!settings.noise.empty() || settings.arrival_noise.has_value()));
    fit.noise = scaled ? std::sqrt(fit.chi_squared / freedom) : 1.0;
    add_misfits(function, best, fit);
    ErrorModel model{.qr = best.qr, .noise = fit.noise, .loss_noise = fit.noise};
    if (settings.loss != Loss::squares)
        model = errors_with_loss(function, best.x, target, weights, freedom);
    std::vector<TraceRows> rows;
    if (target.traces) rows = rows_of(fit, function.measured());
    if (settings.robust_errors) add_blocks(model, function, best.x, weights, fitted, rows);
    fit.correlation_length = target.traces ? correlation_length(rows) : 1.0;
    fit.block_rows = model.block_rows;
    std::vector<Spread> spreads =
        spreads_of(function, input, best, weights, fitted, freedom, fit.warnings);
    for (std::size_t k = 0; k < model.freedom.size(); ++k)
        spreads[k] = {model.freedom[k], 1.0};
    const Estimates estimates =
        estimate_parameters(input.parameters, {best.x, model.qr, best.at_bound}, model.noise,
                            spreads, model.covariance);
    fit.estimates = estimates.estimates;
    fit.correlation = estimates.correlation;
    const auto count = static_cast<double>(data);
    fit.deviance =
        log_weights +
        (scaled ? count * std::log(std::max(fit.chi_squared / count, 1e-300)) : fit.chi_squared) +
        2.0 * count * std::log(scale);
    // Reported in the units of the first weights.
    fit.chi_squared *= scale * scale;
    if (weighs && !given) fit.noise = scale;
    fit.effective_parameters =
        estimates.effective + (given ? 0 : 1) + (two_noises && scaled ? 1 : 0);
    fit.effective_data = count;
    fit.jacobian = function.jacobian(best.x);
    fit.by = function.by();
    // Where the noise is estimated on the way, the best went on with other weights.
    if (two_noises || (weighs && !given)) {
        for (Point& other : minima.others)
            other = search.descend_from(other.x, weights);
    }
    for (const std::string& key : settings.profile_likelihood)
        fit.profiles.push_back(
            search.profile(key, best, weights, fit.estimates, model.loss_noise, spreads));
    fit.scenario = scenario_with(input, law, fit.estimates);
    fit.evaluations = input.evaluations + forward->evaluations() + shared.elsewhere();
    fit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (const std::string other = other_minimum(minima.others, best, model.loss_noise, fit);
        !other.empty())
        fit.warnings.push_back(other);
    constexpr double a_step = 0.1;  // standard errors
    const double left = distance_to_minimum(reduced(best.qr, fitted), freedom);
    fit.converged = left < a_step;
    if (!fit.converged) {
        fit.warnings.push_back(fmt::format(
            "the fit has not converged: its next step would be {:.2g} standard errors; a --start "
            "elsewhere or --multistart may find the minimum",
            left));
    }
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
        const Correlation found = row_correlation(rows);
        fit.lag1_autocorrelation = found.value;
        if (std::abs(found.significance) > certain) correlated = found.value;
        if (correlated > 0.0) fit.effective_data /= fit.correlation_length;
        if (fit.rms > by_rounding * largest)
            std::ranges::copy(
                residual_warnings(rows, {settings.robust_errors, settings.loss != Loss::squares}),
                std::back_inserter(fit.warnings));
        constexpr double few = 5.0;
        for (std::size_t k = 0; k < model.freedom.size(); ++k) {
            if (!fitted[k] || model.freedom[k] >= few) continue;
            fit.warnings.push_back(fmt::format(
                "{}: only about {:.2g} independent blocks of {} rows determine it; its robust "
                "standard error is itself uncertain",
                input.parameters[k].key, model.freedom[k] + 1.0, model.block_rows));
        }
    }
    if (given && settings.loss == Loss::squares) {
        const GoodnessOfFit goodness = goodness_of_fit(fit.chi_squared, freedom, correlated);
        fit.chi_squared_per_dof = goodness.per_dof;
        fit.p_value = goodness.p_value;
        const std::string warning = goodness_warning(goodness);
        if (!warning.empty()) fit.warnings.push_back(warning);
    }
    return fit;
}

}  // namespace beadwave::fit

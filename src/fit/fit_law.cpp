#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "fit/estimates.hpp"
#include "fit/fit.hpp"
#include "fit/fit_problem.hpp"
#include "fit/fit_warnings.hpp"
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

/// The fit of one law, from its start to its report.
class LawFitting {
  public:
    LawFitting(const FitInput& input, const std::string& law)
        : input_(input),
          shared_(input.settings.ranks),
          problem_(make_fit_problem(input, law)),
          function_(input.measured, input.parameters, input.settings.stop),
          weights_(first_weights(input)) {
        problem_.shared = &shared_;
        fit_.law = law;
        for (const FreeParameter& parameter : input.parameters)
            start_.push_back(parameter.start);
    }

    LawFit run() {
        const auto began = std::chrono::steady_clock::now();
        const std::unique_ptr<ForwardModel> forward = begin(function_, problem_, start_);
        take_measurement();
        find_minimum();
        model_errors();
        estimate();
        if (two_noises_ || (weighs_ && !given_)) descend_with_last_weights();
        for (const std::string& key : settings().profile_likelihood)
            fit_.profiles.push_back(
                search_.profile(key, best_, weights_, fit_.estimates, model_.loss_noise, spreads_));
        fit_.scenario = scenario_with(input_, fit_.law, fit_.estimates);
        fit_.evaluations = input_.evaluations + forward->evaluations() + shared_.elsewhere();
        fit_.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        warn_of_minimum(fit_, {minima_.others, best_, model_.loss_noise,
                               distance_to_minimum(reduced(best_.qr, fitted_), freedom_)});
        shared_.results({}, 1, {});  // collective: the ranks end the fit together
        check_residuals();
        return std::move(fit_);
    }

  private:
    const FitSettings& settings() const { return input_.settings; }

    /// Drops peaks that the wave does not have. Throws InputError if too few numbers are left.
    void take_measurement() {
        const std::vector<std::int64_t> spiky = function_.refine_measured_peaks(start_);
        check_unit(function_, start_);
        const std::vector<std::int64_t> missed = function_.drop_missed_peaks(start_);
        weigh_peaks(function_, settings(), weights_);
        fit_.data = function_.count(settings().target);
        if (const std::size_t p = input_.parameters.size(); fit_.data <= p) {
            throw InputError(
                fmt::format("{}: {} numbers are too few for {} free parameters; there must be more "
                            "numbers than parameters",
                            input_.measured.name, fit_.data, p));
        }
        if (!missed.empty()) {
            fit_.warnings.push_back(fmt::format(
                "the wave passes sensor {} outside the measured time, or where rows are left out: "
                "no peak and no arrival there",
                fmt::join(missed, ", ")));
        }
        if (!spiky.empty() && !settings().target.traces) {
            fit_.warnings.push_back(fmt::format(
                "the trace of sensor {} has single rows far off their neighbours; its peak is "
                "found without them",
                fmt::join(spiky, ", ")));
        }
    }

    void find_minimum() {
        if (given_) {
            weights_.loss = settings().loss;
            weights_.priors = priors_of(input_);
        }
        minima_ = search_.minima_from(start_, weights_);
        best_ = std::move(minima_.best);
        if (weighs_ && !given_) scale_ = scale_weights(search_, function_, input_, best_, weights_);
        if (two_noises_)
            log_weights_ = estimate_weights(search_, function_, input_, best_, weights_);
        fit_.chi_squared = best_.qr.sum_of_squares();
        const std::size_t p = input_.parameters.size();
        fitted_ = estimate_parameters(input_.parameters, best_, 1.0, std::vector<Spread>(p)).fitted;
        freedom_ = static_cast<double>(fit_.data + settings().priors.size()) -
                   static_cast<double>(std::ranges::count(fitted_, true));
        fit_.noise = scaled_ ? std::sqrt(fit_.chi_squared / freedom_) : 1.0;
    }

    /// The noise of the residuals, and how the estimates scatter with it.
    void model_errors() {
        add_misfits(function_, best_, fit_);
        model_ = {.qr = best_.qr, .noise = fit_.noise, .loss_noise = fit_.noise};
        if (settings().loss != Loss::squares)
            model_ = errors_with_loss(function_, best_.x, settings().target, weights_, freedom_);
        if (settings().target.traces) rows_ = rows_of(fit_, function_.measured());
        if (settings().robust_errors)
            add_blocks(model_, function_, best_.x, weights_, fitted_, rows_);
        fit_.correlation_length = settings().target.traces ? correlation_length(rows_) : 1.0;
        fit_.block_rows = model_.block_rows;
        spreads_ = spreads_of(function_, input_, best_, weights_, fitted_, freedom_, fit_.warnings);
        for (std::size_t k = 0; k < model_.freedom.size(); ++k)
            spreads_[k] = {model_.freedom[k], 1.0};
    }

    void estimate() {
        const Estimates estimates =
            estimate_parameters(input_.parameters, {best_.x, model_.qr, best_.at_bound},
                                model_.noise, spreads_, model_.covariance);
        fit_.estimates = estimates.estimates;
        fit_.correlation = estimates.correlation;
        const auto count = static_cast<double>(fit_.data);
        fit_.deviance = log_weights_ +
                        (scaled_ ? count * std::log(std::max(fit_.chi_squared / count, 1e-300))
                                 : fit_.chi_squared) +
                        2.0 * count * std::log(scale_);
        // Reported in the units of the first weights.
        fit_.chi_squared *= scale_ * scale_;
        if (weighs_ && !given_) fit_.noise = scale_;
        fit_.effective_parameters =
            estimates.effective + (given_ ? 0 : 1) + (two_noises_ && scaled_ ? 1 : 0);
        fit_.effective_data = count;
        fit_.jacobian = function_.jacobian(best_.x);
        fit_.by = function_.by();
    }

    /// Where the noise is estimated on the way, the best went on with other weights.
    void descend_with_last_weights() {
        for (Point& other : minima_.others)
            other = search_.descend_from(other.x, weights_);
    }

    void check_residuals() {
        double correlated = 0.0;
        if (settings().target.traces) {
            const Correlation found = row_correlation(rows_);
            fit_.lag1_autocorrelation = found.value;
            if (std::abs(found.significance) > certain) correlated = found.value;
            if (correlated > 0.0) fit_.effective_data /= fit_.correlation_length;
            warn_of_residuals(fit_, rows_,
                              {settings().robust_errors, settings().loss != Loss::squares});
            warn_of_blocks(fit_, input_.parameters, fitted_, model_);
        }
        if (!given_ || settings().loss != Loss::squares) return;
        const GoodnessOfFit goodness = goodness_of_fit(fit_.chi_squared, freedom_, correlated);
        fit_.chi_squared_per_dof = goodness.per_dof;
        fit_.p_value = goodness.p_value;
        const std::string warning = goodness_warning(goodness);
        if (!warning.empty()) fit_.warnings.push_back(warning);
    }

    const FitInput& input_;
    SharedRuns shared_;
    FitProblem problem_;
    ResidualFunction function_;
    Weights weights_;
    std::vector<double> start_;
    Search search_{function_, settings().target, settings().multistart, settings().threads,
                   shared_};
    bool given_ = noise_is_given(settings()), two_noises_ = has_two_noises(settings());
    bool weighs_ = settings().loss != Loss::squares || !settings().priors.empty();
    /// Whether the noise follows from the sum of squares.
    bool scaled_ =
        !given_ && !weighs_ &&
        !(two_noises_ && (!settings().noise.empty() || settings().arrival_noise.has_value()));
    Minima minima_{};
    Point best_{};
    double scale_ = 1.0, log_weights_ = 0.0, freedom_ = 0.0;
    std::vector<bool> fitted_;
    ErrorModel model_{};
    std::vector<TraceRows> rows_;
    std::vector<Spread> spreads_;
    LawFit fit_{};
};

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
    return LawFitting(input, law).run();
}

}  // namespace beadwave::fit

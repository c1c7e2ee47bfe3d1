#include "fit/fit_warnings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

namespace beadwave::fit {
namespace {

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

void warn_of_correlations(LawFit& fit) {
    constexpr double strongly_correlated = 0.99;
    const std::size_t p = fit.estimates.size();
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
}

}  // namespace

void warn_of_minimum(LawFit& fit, const FoundMinimum& at) {
    if (const std::string other = other_minimum(at.others, at.best, at.noise, fit); !other.empty())
        fit.warnings.push_back(other);
    constexpr double a_step = 0.1;  // standard errors
    fit.converged = at.left < a_step;
    if (!fit.converged) {
        fit.warnings.push_back(fmt::format(
            "the fit has not converged: its next step would be {:.2g} standard errors; a --start "
            "elsewhere or --multistart may find the minimum",
            at.left));
    }
    for (const Estimate& estimate : fit.estimates) {
        if (!estimate.remark.empty()) fit.warnings.push_back(estimate.key + ": " + estimate.remark);
    }
    warn_of_correlations(fit);
}

void warn_of_residuals(LawFit& fit, const std::vector<TraceRows>& rows, const Allowances& allowed) {
    constexpr double by_rounding = 1e-6;
    double largest = 0.0;
    for (const SensorMisfit& sensor : fit.sensors)
        largest = std::max(largest, sensor.measured.force);
    if (fit.rms > by_rounding * largest)
        std::ranges::copy(residual_warnings(rows, allowed), std::back_inserter(fit.warnings));
}

void warn_of_blocks(LawFit& fit, std::span<const FreeParameter> parameters,
                    const std::vector<bool>& fitted, const ErrorModel& model) {
    constexpr double few = 5.0;
    for (std::size_t k = 0; k < model.freedom.size(); ++k) {
        if (!fitted[k] || model.freedom[k] >= few) continue;
        fit.warnings.push_back(fmt::format(
            "{}: only about {:.2g} independent blocks of {} rows determine it; its robust "
            "standard error is itself uncertain",
            parameters[k].key, model.freedom[k] + 1.0, model.block_rows));
    }
}

}  // namespace beadwave::fit

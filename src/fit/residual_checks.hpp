// Whether the residuals of traces are white, normal and equally large, as least squares assumes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace beadwave::fit {

/// One trace, row by row [N].
struct TraceRows {
    std::vector<double> residual, computed, measured;
};

/// `significance`: the number, divided by its standard deviation for white normal residuals.
struct Correlation {
    double value = 0.0, significance = 0.0;
};

/// Correlations beyond this many standard deviations are more than chance.
constexpr double certain = 4.0;

/// Correlation of each residual with that of the next row, each trace in units of its own noise.
Correlation row_correlation(std::span<const TraceRows> traces);

/// Rank correlation (Spearman) of |residual| with |computed|. `from_row_to_row`: lag-1
/// autocorrelation of the residuals; it leaves fewer independent rows.
Correlation growth_with_force(std::span<const TraceRows> traces, double from_row_to_row);

/// Single rows that are more than five standard deviations off their neighbours; 0 if chance can
/// explain them.
std::size_t outliers(std::span<const TraceRows> traces);

/// The step between the measured numbers of a trace, relative to the root mean square of its
/// residuals, for the trace where it is largest; 0 if they are not quantised. Above 2, rounding is
/// not white.
double quantisation(std::span<const TraceRows> traces);

/// Which broken assumptions the fit allows for.
struct Allowances {
    bool robust_errors = false;  ///< correlated and unequal noise
    bool robust_loss = false;    ///< outliers
};

/// One sentence per assumption that the residuals break.
std::vector<std::string> residual_warnings(std::span<const TraceRows> traces,
                                           const Allowances& allows = {});

struct GoodnessOfFit {
    double per_dof, p_value;
};

/// The probability that given noise leaves a larger sum of squares. Correlated residuals have fewer
/// degrees of freedom.
GoodnessOfFit goodness_of_fit(double chi_squared, double freedom, double from_row_to_row);

/// A sentence if the noise cannot be as it was given; empty otherwise.
std::string goodness_warning(const GoodnessOfFit& fit);

}  // namespace beadwave::fit

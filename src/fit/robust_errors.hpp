// Standard errors where the residuals have a loss, or where their noise is not white.
#pragma once

#include "fit/descent.hpp"
#include "fit/sandwich.hpp"

#include <optional>
#include <vector>

namespace beadwave::fit {

/// What the standard errors of a fit follow from.
struct ErrorModel {
    QrFactors qr;             ///< of the unweighted rows, per unit of each parameter's span
    double noise = 1.0;       ///< the standard errors are those of qr times this
    double loss_noise = 1.0;  ///< one variance of the minimised sum is the square of this
    /// The covariance by parameter [unit of its key]; without blocks empty. 0: it is not fitted.
    std::vector<double> covariance{};
    std::vector<double> freedom{};  ///< of each parameter, with blocks
    double correlation_length = 1.0;
    std::size_t block_rows = 0;
};

/// For residuals in units of their noise, at the minimum of a loss. An M-estimate scatters by the
/// noise times the root of mean(psi^2), divided by mean(psi') (Huber 1981, 7.6).
ErrorModel errors_with_loss(ResidualFunction& function, std::span<const double> x,
                            const Target& target, const Weights& weights, double freedom);

/// Adds the covariance from blocks of rows. `fitted`: per parameter. `rows`: the weighted residuals
/// of the traces.
void add_blocks(ErrorModel& model, ResidualFunction& function, std::span<const double> x,
                const Weights& weights, const std::vector<bool>& fitted,
                std::span<const TraceRows> rows);

/// The noise of weighted residuals that has not been given. With a loss: from their median, which
/// outliers hardly move. Throws InputError where more than half of the residuals are zero.
double noise_scale(const std::vector<double>& residuals, Loss loss, double freedom);

}  // namespace beadwave::fit

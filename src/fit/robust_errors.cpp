#include "fit/robust_errors.hpp"

#include "beadwave/input_error.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace beadwave::fit {

ErrorModel errors_with_loss(ResidualFunction& function, std::span<const double> x,
                            const Target& target, const Weights& weights, double freedom) {
    const Residuals all = function.residuals(x, target, weights, false);
    double squares = 0.0, curve = 0.0;
    for (const double residual : all.values) {
        const LossTerms terms = loss_terms(weights.loss, residual);
        squares += terms.slope * terms.slope * residual * residual;
        curve += terms.curve;
    }
    const auto count = static_cast<double>(all.values.size());
    const double mean_curve = curve / count, mean_square = squares / freedom;
    if (!(mean_curve > 0.0)) {
        throw InputError(
            "--noise: all residuals are far beyond the noise that was given, where the loss has "
            "no curvature; give a larger noise, or none");
    }
    ErrorModel model;
    model.noise = std::sqrt(mean_square) / mean_curve;
    model.loss_noise = std::sqrt(mean_square / mean_curve);
    Weights plain = weights;
    plain.loss = Loss::squares;
    for (Prior& prior : plain.priors)
        prior.deviation /= model.noise;
    model.qr = factors_at(function, x, target, plain);
    return model;
}

void add_blocks(ErrorModel& model, ResidualFunction& function, std::span<const double> x,
                const Weights& weights, const std::vector<bool>& fitted,
                std::span<const TraceRows> rows) {
    Residuals all = function.residuals(x, {}, weights);
    const std::size_t p = fitted.size();
    std::vector<std::size_t> places;
    std::vector<std::vector<double>> columns;
    for (std::size_t k = 0; k < p; ++k) {
        if (!fitted[k]) continue;
        places.push_back(k);
        columns.push_back(std::move(all.columns[k]));
    }
    all.columns = std::move(columns);
    std::vector<PriorRow> priors;
    for (const Prior& prior : weights.priors) {
        PriorRow row;
        for (const std::size_t k : places)
            row.push_back(k == prior.parameter ? 1.0 / prior.deviation : 0.0);
        priors.push_back(row);
    }
    std::vector<std::size_t> counts;
    for (const TraceRows& trace : rows)
        counts.push_back(trace.residual.size());
    model.correlation_length = correlation_length(rows);
    model.block_rows = block_rows(model.correlation_length);
    const Sandwich found =
        sandwich(all, weights.loss, block_ends(counts, model.block_rows),
                 between_blocks(model.correlation_length, model.block_rows), priors);
    model.covariance.assign(p * p, 0.0);
    model.freedom.assign(p, 1.0);
    for (std::size_t i = 0; i < places.size(); ++i) {
        model.freedom[places[i]] = found.freedom[i];
        for (std::size_t j = 0; j < places.size(); ++j)
            model.covariance[places[i] * p + places[j]] = found.covariance[i * places.size() + j];
    }
}

double noise_scale(const std::vector<double>& residuals, Loss loss, double freedom) {
    if (loss == Loss::squares) {
        return std::sqrt(
            std::inner_product(residuals.begin(), residuals.end(), residuals.begin(), 0.0) /
            freedom);
    }
    std::vector<double> sizes;
    for (const double residual : residuals)
        sizes.push_back(std::abs(residual));
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::ranges::nth_element(sizes, middle);
    constexpr double per_median = 1.4826;  // of a normal distribution
    if (!(*middle > 0.0)) {
        throw InputError(
            "--loss: half of the residuals are zero, which leaves their noise unknown; give "
            "--noise, or mask the rows where nothing moves");
    }
    return per_median * *middle;
}

}  // namespace beadwave::fit

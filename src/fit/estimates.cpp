#include "fit/estimates.hpp"

#include "fit/qr.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace beadwave::fit {
namespace {

double column_norm(const QrFactors& qr, std::size_t k) {
    const std::size_t p = qr.qt_residuals.size();
    double square = 0.0;
    for (std::size_t i = 0; i <= k; ++i)
        square += qr.r[i * p + k] * qr.r[i * p + k];
    return std::sqrt(square);
}

/// The parameters that take part in a direction in which the residuals do not change; empty if
/// there is no such direction.
std::vector<std::size_t> null_direction(const QrFactors& qr,
                                        const std::vector<std::size_t>& places) {
    const std::size_t p = places.size();
    std::vector<double> scaled = qr.r;
    for (std::size_t k = 0; k < p; ++k) {
        const double size = column_norm(qr, k);
        for (std::size_t i = 0; i < p; ++i)
            scaled[i * p + k] /= size;
    }
    const SingularValues found = singular_values(scaled, p);
    // The columns have norm 1. Columns whose directions differ by less than this are the same
    // direction: the derivatives are not more accurate.
    constexpr double alike = 1e-6;
    std::vector<std::size_t> blind;
    if (p == 0 || found.values.back() > alike) return blind;
    constexpr double takes_part = 0.05;
    for (std::size_t k = 0; k < p; ++k) {
        if (std::abs(found.vectors.back()[k]) > takes_part) blind.push_back(places[k]);
    }
    return blind;
}

}  // namespace

double quantile(double freedom) {
    constexpr double upper = 0.975;
    if (std::isinf(freedom))
        return boost::math::quantile(boost::math::normal_distribution<double>(), upper);
    return boost::math::quantile(boost::math::students_t_distribution<double>(freedom), upper);
}

std::vector<bool> has_effect(const QrFactors& qr, const std::vector<FreeParameter>& parameters) {
    constexpr double rounding = 1e-9;  // of the derivatives, relative to the largest
    const double residuals = std::sqrt(qr.sum_of_squares());
    double largest = 0.0;
    for (std::size_t k = 0; k < qr.qt_residuals.size(); ++k)
        largest = std::max(largest, column_norm(qr, k));
    std::vector<bool> has_effect;
    for (std::size_t k = 0; k < qr.qt_residuals.size(); ++k) {
        const double norm = column_norm(qr, k), span = parameters[k].high - parameters[k].low;
        has_effect.push_back(norm > rounding * largest && norm * span > rounding * residuals);
    }
    return has_effect;
}

Estimates estimate_parameters(const std::vector<FreeParameter>& parameters, const Point& best,
                              double noise, const std::vector<Spread>& spreads,
                              const std::vector<double>& covariance) {
    const std::size_t p = parameters.size();
    Estimates result;
    result.correlation.assign(p * p, std::numeric_limits<double>::quiet_NaN());
    std::vector<bool> keep = has_effect(best.qr, parameters);
    for (std::size_t k = 0; k < p; ++k) {
        const FreeParameter& parameter = parameters[k];
        result.estimates.push_back({.key = parameter.key,
                                    .start = parameter.start,
                                    .bound_low = parameter.low,
                                    .bound_high = parameter.high,
                                    .value = best.x[k],
                                    .at_bound = best.at_bound[k]});
        Estimate& estimate = result.estimates.back();
        estimate.low = estimate.high = estimate.value;
        if (!keep[k]) {
            estimate.known = false;
            estimate.remark = "does not change anything that was measured";
        } else if (best.at_bound[k]) {
            keep[k] = false;
            estimate.remark = fmt::format("is at its bound {:.6g}", estimate.value);
        }
    }
    QrFactors qr;
    std::vector<std::size_t> places;
    while (true) {
        qr = reduced(best.qr, keep);
        places.clear();
        for (std::size_t k = 0; k < p; ++k) {
            if (keep[k]) places.push_back(k);
        }
        const std::vector<std::size_t> blind = null_direction(qr, places);
        if (blind.empty()) break;
        std::vector<std::string> names;
        for (const std::size_t k : blind)
            names.push_back(parameters[k].key);
        for (const std::size_t k : blind) {
            result.estimates[k].known = false;
            result.estimates[k].remark =
                fmt::format("the measurement does not distinguish {}", fmt::join(names, ", "));
        }
        keep[blind.back()] = false;
    }
    result.fitted = keep;
    result.effective = places.size();
    for (std::size_t k = 0; k < p; ++k)
        result.effective += result.estimates[k].known && best.at_bound[k] ? 1 : 0;
    std::vector<double> inverse = inverse_normal_matrix(qr.r, places.size());
    const auto span_of = [&](std::size_t k) { return parameters[k].high - parameters[k].low; };
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (std::size_t j = 0; j < places.size(); ++j) {
            double& entry = inverse[i * places.size() + j];
            entry = covariance.empty()
                        ? noise * noise * entry * span_of(places[i]) * span_of(places[j])
                        : covariance[places[i] * p + places[j]];
        }
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        Estimate& estimate = result.estimates[places[i]];
        const double span = span_of(places[i]);
        const double spread = std::sqrt(inverse[i * places.size() + i]);
        if (!estimate.known) continue;
        const Spread& own = spreads[places[i]];
        const double interval = quantile(own.freedom);
        estimate.standard_error = own.widening * spread;
        estimate.low = estimate.value - interval * estimate.standard_error;
        estimate.high = estimate.value + interval * estimate.standard_error;
        if (estimate.high - estimate.low > span)
            estimate.remark = "is not determined: its 95 % interval is wider than its bounds";
        for (std::size_t j = 0; j < places.size(); ++j) {
            if (!result.estimates[places[j]].known) continue;
            const double other = std::sqrt(inverse[j * places.size() + j]);
            result.correlation[places[i] * p + places[j]] =
                i == j ? 1.0 : inverse[i * places.size() + j] / (spread * other);
        }
    }
    return result;
}

}  // namespace beadwave::fit

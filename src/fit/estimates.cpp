#include "fit/estimates.hpp"

#include "fit/triangle.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace beadwave::fit {
namespace {

double size_of_column(const Local& local, std::size_t k) {
    const std::size_t p = local.along.size();
    double square = 0.0;
    for (std::size_t i = 0; i <= k; ++i)
        square += local.triangle[i * p + k] * local.triangle[i * p + k];
    return std::sqrt(square);
}

/// The parameters of a direction in which nothing changes; empty if there is none.
std::vector<std::size_t> blind_direction(const Local& local,
                                         const std::vector<std::size_t>& places) {
    const std::size_t p = places.size();
    std::vector<double> scaled = local.triangle;
    for (std::size_t k = 0; k < p; ++k) {
        const double size = size_of_column(local, k);
        for (std::size_t i = 0; i < p; ++i)
            scaled[i * p + k] /= size;
    }
    const Singular found = singular(scaled, p);
    // Of columns of size 1: two that differ in direction by less. Derivatives are not better.
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

std::vector<bool> matters(const Local& local) {
    constexpr double rounding = 1e-9;  // of derivatives, against the largest
    double largest = 0.0;
    for (std::size_t k = 0; k < local.along.size(); ++k)
        largest = std::max(largest, size_of_column(local, k));
    std::vector<bool> matters;
    for (std::size_t k = 0; k < local.along.size(); ++k)
        matters.push_back(size_of_column(local, k) > rounding * largest);
    return matters;
}

Judged judge(const std::vector<Parameter>& parameters, const Point& best, double noise,
             double freedom) {
    const std::size_t p = parameters.size();
    Judged judged;
    judged.correlation.assign(p * p, std::numeric_limits<double>::quiet_NaN());
    std::vector<bool> keep = matters(best.local);
    for (std::size_t k = 0; k < p; ++k) {
        const Parameter& parameter = parameters[k];
        judged.estimates.push_back({.key = parameter.key,
                                    .start = parameter.start,
                                    .bound_low = parameter.low,
                                    .bound_high = parameter.high,
                                    .value = best.x[k],
                                    .at_bound = best.at_bound[k]});
        Estimate& estimate = judged.estimates.back();
        estimate.low = estimate.high = estimate.value;
        if (!keep[k]) {
            estimate.known = false;
            estimate.why = "changes nothing that was measured";
        } else if (best.at_bound[k]) {
            keep[k] = false;
            estimate.why = fmt::format("is at its bound {:.6g}", estimate.value);
        }
    }
    Local local;
    std::vector<std::size_t> places;
    while (true) {
        local = reduced(best.local, keep);
        places.clear();
        for (std::size_t k = 0; k < p; ++k) {
            if (keep[k]) places.push_back(k);
        }
        const std::vector<std::size_t> blind = blind_direction(local, places);
        if (blind.empty()) break;
        std::vector<std::string> names;
        for (const std::size_t k : blind)
            names.push_back(parameters[k].key);
        for (const std::size_t k : blind) {
            judged.estimates[k].known = false;
            judged.estimates[k].why =
                fmt::format("{} cannot be told apart by what was measured", fmt::join(names, ", "));
        }
        keep[blind.back()] = false;
    }
    const double interval = quantile(freedom);
    const std::vector<double> inverse = inverse_of_square(local.triangle, places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        Estimate& estimate = judged.estimates[places[i]];
        const double span = estimate.bound_high - estimate.bound_low;
        const double spread = std::sqrt(inverse[i * places.size() + i]);
        if (!estimate.known) continue;
        estimate.standard_error = noise * spread * span;
        estimate.low = estimate.value - interval * estimate.standard_error;
        estimate.high = estimate.value + interval * estimate.standard_error;
        if (estimate.high - estimate.low > span)
            estimate.why = "is left open: its interval is wider than its bounds";
        for (std::size_t j = 0; j < places.size(); ++j) {
            if (!judged.estimates[places[j]].known) continue;
            const double other = std::sqrt(inverse[j * places.size() + j]);
            judged.correlation[places[i] * p + places[j]] =
                i == j ? 1.0 : inverse[i * places.size() + j] / (spread * other);
        }
    }
    return judged;
}

}  // namespace beadwave::fit

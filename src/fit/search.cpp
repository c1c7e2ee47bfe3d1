#include "fit/search.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "fit/estimates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace beadwave::fit {
namespace {

/// Descents end when the next step is this part of a standard error.
constexpr double fine = 1e-2;

/// The point number `i` of a sequence that fills the unit cube evenly: multiples of powers of the
/// root of x^(p+1) = x + 1 (M. Roberts, 2018), the golden ratio for p = 1.
std::vector<double> even_point(int i, std::size_t p) {
    double root = 1.5;
    for (int round = 0; round < 60; ++round)
        root = std::pow(1.0 + root, 1.0 / static_cast<double>(p + 1));
    std::vector<double> point;
    double power = 1.0;
    for (std::size_t k = 0; k < p; ++k) {
        power /= root;
        const double place = 0.5 + static_cast<double>(i) * power;
        point.push_back(place - std::floor(place));
    }
    return point;
}

}  // namespace

double Search::misfit(const std::vector<double>& x, const Weights& weights) const {
    Model model = model_.again();
    try {
        const Residuals all = model.residuals(x, target_, weights, false);
        return std::inner_product(all.values.begin(), all.values.end(), all.values.begin(), 0.0);
    } catch (const InputError&) {
    } catch (const running::RunError&) {
        if (model.stopped()) throw;
    }
    return std::numeric_limits<double>::infinity();
}

std::vector<std::vector<double>> Search::tried(const std::vector<double>& start,
                                               const Weights& weights) const {
    std::vector<std::vector<double>> points;
    for (int i = 1; i <= starts_; ++i) {
        std::vector<double> x = even_point(i, start.size());
        for (std::size_t k = 0; k < x.size(); ++k) {
            const Parameter& parameter = model_.parameters()[k];
            x[k] = parameter.low + x[k] * (parameter.high - parameter.low);
        }
        points.push_back(std::move(x));
    }
    std::vector<double> misfits;
    for (const std::vector<double>& found : shared_.results(
             points, threads_,
             [&](const std::vector<double>& x) { return std::vector{misfit(x, weights)}; }))
        misfits.push_back(found.front());
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return misfits[a] < misfits[b]; });
    constexpr std::size_t begun_from = 3;
    std::vector<std::vector<double>> best;
    for (std::size_t i = 0; i < std::min(begun_from, order.size()); ++i) {
        if (std::isfinite(misfits[order[i]])) best.push_back(points[order[i]]);
    }
    return best;
}

/// Where waves miss each other, their traces push amplitudes down rather than waves together; tops
/// tell how far they are apart. So their fit is a second start for one that ends badly.
std::optional<std::vector<double>> Search::by_tops(const std::vector<double>& start,
                                                   const Point& found,
                                                   const Weights& weights) const {
    constexpr double close = 0.01, roughly = 0.1;
    if (!target_.traces) return std::nullopt;
    // White noise leaves less, but once in a million.
    const double pattern = 5.0 / std::sqrt(static_cast<double>(model_.count(target_)));
    const std::vector<std::vector<double>> computed = model_.computed(found.x);
    if (left_over(computed, model_.measured()) < close ||
        rows_correlate(computed, model_.measured()) < pattern)
        return std::nullopt;
    const Target tops{false, true, true};
    if (model_.count(tops) <= start.size()) return std::nullopt;
    const std::vector<bool> free = free_at(start, tops, weights);
    return descend(model_, start, free, tops, weights, roughly).x;
}

Point Search::best_from(const std::vector<double>& start, const Weights& weights) const {
    Point best = descend_from(start, weights);
    if (const auto second = by_tops(start, best, weights)) {
        Point other = descend_from(*second, weights);
        if (other.local.sum_of_squares() < best.local.sum_of_squares()) best = std::move(other);
    }
    for (const std::vector<double>& point : tried(start, weights)) {
        Point other = descend_from(point, weights);
        if (other.local.sum_of_squares() < best.local.sum_of_squares()) best = std::move(other);
    }
    return best;
}

std::vector<bool> Search::free_at(const std::vector<double>& x, const Target& target,
                                  const Weights& weights) const {
    const std::vector<bool> none(x.size(), false);
    return matters(descend(model_, x, none, target, weights, fine).local);
}

Point Search::descend_from(const std::vector<double>& start, const Weights& weights) const {
    return descend(model_, start, free_at(start, target_, weights), target_, weights, fine);
}

Profile Search::profile(const std::string& key, const Point& best, const Weights& weights,
                        const std::vector<Estimate>& estimates, double noise,
                        double freedom) const {
    const auto found = std::ranges::find(estimates, key, &Estimate::key);
    const auto k = static_cast<std::size_t>(found - estimates.begin());
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    Profile profile{key, {}, {}, nan, nan};
    if (!found->known) return profile;
    std::vector<bool> free = matters(best.local);
    free[k] = false;
    constexpr int to_a_side = 6;
    constexpr double reach = 3.0;  // standard errors
    const double span = found->bound_high - found->bound_low;
    const double error = found->standard_error > 0.0 ? found->standard_error : 0.1 * span / reach;
    const double least = best.local.sum_of_squares(), half = quantile(freedom);
    profile.values.push_back(found->value);
    profile.chi_squared.push_back(least);
    for (const double side : {-1.0, 1.0}) {
        std::vector<double> x = best.x;
        double before = 0.0, value_before = found->value;
        double& end = side < 0.0 ? profile.low : profile.high;
        for (int i = 1; i <= to_a_side; ++i) {
            const double value =
                found->value + side * reach * error * static_cast<double>(i) / to_a_side;
            if (value < found->bound_low || value > found->bound_high) break;
            x[k] = value;
            const Point point = descend(model_, x, free, target_, weights, fine);
            x = point.x;
            const double square = point.local.sum_of_squares();
            profile.values.push_back(value);
            profile.chi_squared.push_back(square);
            // In standard errors, nearly a straight line.
            const double now = std::sqrt(std::max(square - least, 0.0)) / noise;
            if (std::isnan(end) && now >= half)
                end = value_before + (half - before) / (now - before) * (value - value_before);
            before = now;
            value_before = value;
        }
        if (side < 0.0) {
            std::ranges::reverse(profile.values);
            std::ranges::reverse(profile.chi_squared);
        }
    }
    return profile;
}

}  // namespace beadwave::fit

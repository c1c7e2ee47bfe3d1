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

/// A descent ends when the next step is below this fraction of a standard error.
constexpr double fine = 1e-2;

/// Point `i` of a sequence that fills the unit cube evenly: multiples of powers of the root of
/// x^(p+1) = x + 1 (M. Roberts, 2018), which is the golden ratio for p = 1.
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

/// The value at `part` of the way from the lower to the upper bound; in equal ratios where the
/// bounds are decades apart.
double between(const FreeParameter& parameter, double part) {
    constexpr double decades = 100.0;
    if (parameter.low > 0.0 && parameter.high > decades * parameter.low)
        return parameter.low * std::pow(parameter.high / parameter.low, part);
    return parameter.low + part * (parameter.high - parameter.low);
}

constexpr Target peaks_and_arrivals{false, true, true},
    arrivals_and_spectra{false, false, true, true};

}  // namespace

double Search::misfit(const std::vector<double>& x, const Target& target,
                      const Weights& weights) const {
    ResidualFunction function = function_.copy();
    try {
        const Residuals all = function.residuals(x, target, weights, false);
        return std::inner_product(all.values.begin(), all.values.end(), all.values.begin(), 0.0);
    } catch (const InputError&) {
    } catch (const running::RunError&) {
        if (function.stopped()) throw;
    }
    return std::numeric_limits<double>::infinity();
}

std::vector<std::vector<double>> Search::more_starts(const std::vector<double>& start,
                                                     const Weights& weights) const {
    std::vector<std::vector<double>> points;
    for (int i = 1; i <= multistart_; ++i) {
        std::vector<double> x = even_point(i, start.size());
        for (std::size_t k = 0; k < x.size(); ++k) {
            x[k] = between(function_.parameters()[k], x[k]);
        }
        points.push_back(std::move(x));
    }
    // Traces whose waves do not overlap in time say nothing about which start is nearer.
    const Target target = first_stage().value_or(target_);
    std::vector<double> misfits;
    for (const std::vector<double>& found : shared_.results(
             points, threads_,
             [&](const std::vector<double>& x) { return std::vector{misfit(x, target, weights)}; }))
        misfits.push_back(found.front());
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return misfits[a] < misfits[b]; });
    constexpr std::size_t descents = 3;
    std::vector<std::vector<double>> best;
    for (std::size_t i = 0; i < std::min(descents, order.size()); ++i) {
        if (std::isfinite(misfits[order[i]])) best.push_back(points[order[i]]);
    }
    return best;
}

std::optional<Target> Search::first_stage() const {
    if (!target_.traces) return std::nullopt;
    for (const Target& stage : {peaks_and_arrivals, arrivals_and_spectra}) {
        if (function_.count(stage) > function_.parameters().size()) return stage;
    }
    return std::nullopt;
}

/// Where the computed and the measured wave do not overlap in time, a fit of the traces reduces the
/// amplitude and does not move the waves together. Peaks, arrivals and spectra tell how far apart
/// the waves are: their fit gives a second start if the first descent ends badly.
std::optional<std::vector<double>> Search::start_from_first_stage(const std::vector<double>& start,
                                                                  const Point& found,
                                                                  const Weights& weights) const {
    constexpr double close = 0.01;
    const std::optional<Target> stage = first_stage();
    if (!stage) return std::nullopt;
    // White noise exceeds this once in a million.
    const double pattern = 5.0 / std::sqrt(static_cast<double>(function_.count(target_)));
    const std::vector<std::vector<double>> computed = function_.computed(found.x);
    if (relative_misfit(computed, function_.measured()) < close ||
        lag1_autocorrelation(computed, function_.measured()) < pattern)
        return std::nullopt;
    return descend_first_stage(start, *stage, weights);
}

Minima Search::minima_from(const std::vector<double>& start, const Weights& weights) const {
    Minima minima{descend_from(start, weights), {}};
    const auto add = [&](Point other) {
        if (other.qr.sum_of_squares() < minima.best.qr.sum_of_squares())
            std::swap(other, minima.best);
        minima.others.push_back(std::move(other));
    };
    if (const auto second = start_from_first_stage(start, minima.best, weights))
        add(descend_from(*second, weights));
    for (const std::vector<double>& point : more_starts(start, weights)) {
        try {
            std::vector<double> near = point;
            if (const std::optional<Target> stage = first_stage())
                near = descend_first_stage(point, *stage, weights);
            add(descend_from(near, weights));
        } catch (const running::RunError&) {  // a run fails here: the start is skipped
            if (function_.stopped()) throw;
        }
    }
    return minima;
}

std::vector<double> Search::descend_first_stage(const std::vector<double>& start,
                                                const Target& stage, const Weights& weights) const {
    constexpr double roughly = 0.1;
    const std::vector<bool> free = free_at(start, stage, weights);
    return descend(function_, start, free, stage, weights, roughly).x;
}

std::vector<bool> Search::free_at(const std::vector<double>& x, const Target& target,
                                  const Weights& weights) const {
    const std::vector<bool> none(x.size(), false);
    return has_effect(descend(function_, x, none, target, weights, fine).qr,
                      function_.parameters());
}

Point Search::descend_from(const std::vector<double>& start, const Weights& weights) const {
    return descend(function_, start, free_at(start, target_, weights), target_, weights, fine);
}

ProfileLikelihood Search::profile(const std::string& key, const Point& best, const Weights& weights,
                                  const std::vector<Estimate>& estimates, double noise,
                                  const std::vector<Spread>& spreads) const {
    const auto found = std::ranges::find(estimates, key, &Estimate::key);
    const auto k = static_cast<std::size_t>(found - estimates.begin());
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    ProfileLikelihood profile{key, {}, {}, nan, nan};
    if (!found->known) return profile;
    std::vector<bool> free = has_effect(best.qr, function_.parameters());
    free[k] = false;
    constexpr int per_side = 6;
    constexpr double reach = 3.0;  // standard errors
    const double span = found->bound_high - found->bound_low;
    const double error = found->standard_error > 0.0 ? found->standard_error : 0.1 * span / reach;
    const double least = best.qr.sum_of_squares(),
                 half = quantile(spreads[k].freedom) * spreads[k].widening;
    profile.values.push_back(found->value);
    profile.chi_squared.push_back(least);
    for (const double side : {-1.0, 1.0}) {
        std::vector<double> x = best.x;
        double before = 0.0, value_before = found->value;
        double& end = side < 0.0 ? profile.low : profile.high;
        for (int i = 1; i <= per_side; ++i) {
            const double value =
                found->value + side * reach * error * static_cast<double>(i) / per_side;
            if (value < found->bound_low || value > found->bound_high) break;
            x[k] = value;
            const Point point = descend(function_, x, free, target_, weights, fine);
            x = point.x;
            const double square = point.qr.sum_of_squares();
            profile.values.push_back(value);
            profile.chi_squared.push_back(square);
            // In standard errors; nearly a straight line over the value.
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

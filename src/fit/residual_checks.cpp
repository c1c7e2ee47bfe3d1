#include "fit/residual_checks.hpp"

#include "fit/median.hpp"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace beadwave::fit {
namespace {

double rms_of(const std::vector<double>& numbers) {
    const double sum = std::inner_product(numbers.begin(), numbers.end(), numbers.begin(), 0.0);
    return numbers.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(numbers.size()));
}

/// Ranks of the absolute values, minus their mean; equal numbers share their mean rank.
std::vector<double> centred_ranks(const std::vector<double>& numbers) {
    std::vector<std::size_t> order(numbers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::abs(numbers[i]); });
    std::vector<double> ranks(numbers.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t end = first + 1;
        while (end < order.size() &&
               std::abs(numbers[order[end]]) == std::abs(numbers[order[first]]))
            ++end;
        for (std::size_t i = first; i < end; ++i)
            ranks[order[i]] =
                0.5 * static_cast<double>(first + end) - 0.5 * static_cast<double>(order.size());
        first = end;
    }
    return ranks;
}

}  // namespace

Correlation row_correlation(std::span<const TraceRows> traces) {
    double products = 0.0, squares = 0.0, spread = 0.0;
    for (const TraceRows& trace : traces) {
        const double rms = rms_of(trace.residual);
        if (!(rms > 0.0)) continue;
        for (std::size_t i = 0; i + 1 < trace.residual.size(); ++i) {
            const double now = trace.residual[i] / rms, next = trace.residual[i + 1] / rms;
            products += now * next;
            squares += 0.5 * (now * now + next * next);
            // For white residuals this is 1 on average. It stays right where the size varies.
            spread += now * now * next * next;
        }
    }
    if (!(squares > 0.0) || !(spread > 0.0)) return {};
    return {products / squares, products / std::sqrt(spread)};
}

Correlation growth_with_force(std::span<const TraceRows> traces, double from_row_to_row) {
    double correlation = 0.0, rows = 0.0;
    for (const TraceRows& trace : traces) {
        const std::vector<double> a = centred_ranks(trace.residual);
        const std::vector<double> b = centred_ranks(trace.computed);
        const double scale = rms_of(a) * rms_of(b);
        if (!(scale > 0.0)) continue;
        correlation += std::inner_product(a.begin(), a.end(), b.begin(), 0.0) / scale;
        rows += static_cast<double>(a.size());
    }
    if (!(rows > 1.0)) return {};
    // The sizes of normal numbers with correlation rho correlate by about rho^2, and the force
    // varies slowly.
    const double square = from_row_to_row * from_row_to_row;
    const double independent = rows * (1.0 - square) / (1.0 + square);
    return {correlation / rows, correlation / rows * std::sqrt(independent)};
}

std::size_t outliers(std::span<const TraceRows> traces) {
    constexpr double five = 5.0, chance_of_five = 5.7e-7, per_median = 1.4826;
    constexpr std::size_t few = 30;
    std::size_t count = 0;
    bool far = false;  // so far that chance explains not even one
    constexpr double seven = 7.0;
    double rows = 0.0;
    for (const TraceRows& trace : traces) {
        const std::vector<double>& r = trace.residual;
        if (r.size() < few) continue;
        // Off the neighbours: a misfit of the wave lasts over several rows and is no outlier.
        std::vector<double> off(r.size(), 0.0), inner;
        for (std::size_t i = 1; i + 1 < r.size(); ++i) {
            off[i] = std::abs(r[i] - 0.5 * (r[i - 1] + r[i + 1]));
            inner.push_back(off[i]);
        }
        // The median of n numbers is off by 1.2/sqrt(n) of itself; three times that is certain.
        const double n = static_cast<double>(inner.size());
        const double limit = five * per_median * upper_median(inner) * (1.0 + 3.5 / std::sqrt(n));
        rows += n;
        for (std::size_t i = 1; i + 1 < r.size(); ++i) {
            // An outlier puts its neighbours off, too, by half.
            if (limit > 0.0 && off[i] > limit && off[i] > off[i - 1] && off[i] >= off[i + 1])
                ++count;
            far = far || (limit > 0.0 && off[i] > seven / five * limit);
        }
    }
    if (count == 0 || far) return count;
    const boost::math::poisson_distribution<double> chance(rows * chance_of_five);
    constexpr double improbable = 1e-3;
    const double probability =
        boost::math::cdf(complement(chance, static_cast<double>(count) - 1.0));
    return probability < improbable ? count : 0;
}

double quantisation(std::span<const TraceRows> traces) {
    double largest = 0.0;
    for (const TraceRows& trace : traces) {
        const double rms = rms_of(trace.residual);
        std::vector<double> levels = trace.measured;
        if (levels.empty() || !(rms > 0.0)) continue;
        std::ranges::sort(levels);
        const double scale = std::max(std::abs(levels.front()), std::abs(levels.back()));
        constexpr double printed = 1e-8;  // the file has this many digits
        const auto end = std::unique(levels.begin(), levels.end(),
                                     [&](double a, double b) { return b - a <= printed * scale; });
        levels.erase(end, levels.end());
        // Numbers that are not quantised hardly repeat.
        if (levels.size() < 2 || 2 * levels.size() > trace.measured.size()) continue;
        double step = levels.back() - levels.front();
        for (std::size_t i = 0; i + 1 < levels.size(); ++i)
            step = std::min(step, levels[i + 1] - levels[i]);
        largest = std::max(largest, step / rms);
    }
    return largest;
}

std::vector<std::string> residual_warnings(std::span<const TraceRows> traces,
                                           const Allowances& allows) {
    std::vector<std::string> warnings;
    const Correlation rows = row_correlation(traces);
    const double rho = std::clamp(rows.value, -0.999, 0.999);
    const double factor = std::sqrt((1.0 + std::abs(rho)) / (1.0 - std::abs(rho)));
    if (rows.significance > certain) {
        warnings.push_back(fmt::format(
            "the residuals correlate from row to row ({:.2f}, {:.0f} standard deviations): the law "
            "or the scenario is incomplete, or the noise is not white; {}",
            rows.value, rows.significance,
            allows.robust_errors
                ? "the robust standard errors allow for noise, not for what the law lacks"
                : fmt::format("the standard errors are too small by a factor of about {:.3g}; "
                              "--errors robust allows for such noise",
                              factor)));
    } else if (rows.significance < -certain) {
        warnings.push_back(fmt::format(
            "the residuals alternate from row to row ({:.2f}, {:.0f} standard deviations): the "
            "noise is not white; {}",
            rows.value, -rows.significance,
            allows.robust_errors
                ? "the robust standard errors allow for it"
                : fmt::format("the standard errors are too large by a factor of about {:.3g}; "
                              "--errors robust allows for such noise",
                              factor)));
    }
    const Correlation growth = growth_with_force(traces, rho);
    const bool grows = growth.significance > certain;
    if (grows) {
        warnings.push_back(fmt::format(
            "the residuals grow with the force (rank correlation {:.2f}, {:.0f} standard "
            "deviations): the law or the scenario is incomplete, or the noise is not equal in all "
            "rows; {}",
            growth.value, growth.significance,
            allows.robust_errors
                ? "the robust standard errors allow for noise, not for what the law lacks"
                : "the standard errors assume that it is; --errors robust does not assume it"));
    }
    // Where the noise grows with the force, the rows of the wave look like outliers.
    if (const std::size_t count = outliers(traces); count > 0 && !grows) {
        warnings.push_back(fmt::format(
            "{} {} more than five standard deviations off: {}", count,
            count == 1 ? "row is" : "rows are",
            allows.robust_loss
                ? "the loss limits their weight"
                : "outliers move the best values, and the standard errors assume normal noise; "
                  "--loss huber limits their weight"));
    }
    constexpr double not_white = 2.0;
    if (const double steps = quantisation(traces); steps > not_white) {
        warnings.push_back(fmt::format(
            "the measured forces are rounded to steps of {:.2g} times the residuals: such rounding "
            "is not random, and the standard errors do not contain it",
            steps));
    }
    return warnings;
}

GoodnessOfFit goodness_of_fit(double chi_squared, double freedom, double from_row_to_row) {
    const double square = from_row_to_row * from_row_to_row;
    const double independent = freedom * (1.0 - square) / (1.0 + square);
    // Wilson and Hilferty: the cube root is nearly normal. Boost overflows far out, where p is 0 or
    // 1 to all digits.
    constexpr double far = 20.0;
    const double variance = 2.0 / (9.0 * independent);
    const double off = (std::cbrt(chi_squared / freedom) - 1.0 + variance) / std::sqrt(variance);
    if (std::abs(off) > far) return {chi_squared / freedom, off > 0.0 ? 0.0 : 1.0};
    const boost::math::chi_squared_distribution<double> distribution(independent);
    return {chi_squared / freedom,
            boost::math::cdf(complement(distribution, chi_squared / freedom * independent))};
}

std::string goodness_warning(const GoodnessOfFit& fit) {
    constexpr double improbable = 1e-3;
    const double times = std::sqrt(fit.per_dof);
    if (fit.p_value < improbable) {
        return fmt::format(
            "the residuals are {:.3g} times the noise that was given (p = {:.1g}): the noise was "
            "given too small, and the standard errors are too small by this factor, or the law or "
            "the scenario is incomplete",
            times, fit.p_value);
    }
    if (fit.p_value > 1.0 - improbable) {
        return fmt::format(
            "the residuals are only {:.3g} times the noise that was given (1 - p = {:.1g}): the "
            "noise was given too large, and so are the standard errors",
            times, 1.0 - fit.p_value);
    }
    return {};
}

}  // namespace beadwave::fit

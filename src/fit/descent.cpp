#include "fit/descent.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "fit/qr.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace beadwave::fit {
namespace {

/// The residuals over scaled parameters: 0 is the lower bound, 1 the upper bound.
class Scaled {
  public:
    Scaled(ResidualFunction& function, const Target& target, const Weights& weights)
        : function_(function), target_(target), weights_(weights) {}

    double span(std::size_t k) const {
        return function_.parameters()[k].high - function_.parameters()[k].low;
    }
    double part(std::size_t k, double x) const {
        return std::clamp((x - function_.parameters()[k].low) / span(k), 0.0, 1.0);
    }
    double value(std::size_t k, double u) const {
        const FreeParameter& parameter = function_.parameters()[k];
        return std::clamp(parameter.low + u * span(k), parameter.low, parameter.high);
    }

    QrFactors at(std::span<const double> x) const {
        Residuals now = function_.residuals(x, target_, weights_);
        const double lost = weigh_by_loss(now);
        for (const Prior& prior : weights_.priors) {
            now.values.push_back((x[prior.parameter] - prior.mean) / prior.deviation);
            for (std::size_t k = 0; k < now.columns.size(); ++k)
                now.columns[k].push_back(k == prior.parameter ? 1.0 / prior.deviation : 0.0);
        }
        for (std::size_t k = 0; k < now.columns.size(); ++k) {
            for (double& d : now.columns[k])
                d *= span(k);
        }
        QrFactors qr = qr_factorise(std::move(now.columns), std::move(now.values));
        qr.remainder = std::sqrt(qr.remainder * qr.remainder + lost);
        return qr;
    }

  private:
    /// Multiplies each row by the root of the slope of its loss, so that the gradient is that of
    /// the loss. Returns what the sum of squares then lacks of the sum of the losses; never
    /// negative, as the slope falls.
    double weigh_by_loss(Residuals& all) const {
        if (weights_.loss == Loss::squares) return 0.0;
        double lost = 0.0;
        for (std::size_t i = 0; i < all.values.size(); ++i) {
            const double residual = all.values[i];
            const LossTerms terms = loss_terms(weights_.loss, residual);
            lost += terms.value - terms.slope * residual * residual;
            const double root = std::sqrt(terms.slope);
            all.values[i] *= root;
            for (std::vector<double>& column : all.columns)
                column[i] *= root;
        }
        return std::max(lost, 0.0);
    }

    ResidualFunction& function_;
    const Target& target_;
    const Weights& weights_;
};

/// The parameters at a bound, where the sum of squares decreases beyond that bound.
std::vector<bool> held_back(const QrFactors& qr, std::span<const double> u) {
    const std::size_t p = u.size();
    std::vector<bool> held(p, false);
    constexpr double close = 1e-9;
    for (std::size_t k = 0; k < p; ++k) {
        double slope = 0.0;
        for (std::size_t i = 0; i <= k; ++i)
            slope += qr.r[i * p + k] * qr.qt_residuals[i];
        held[k] = (u[k] < close && slope > 0.0) || (u[k] > 1.0 - close && slope < 0.0);
    }
    return held;
}

/// Whether the next step would be smaller than `nothing`, a part of each parameter's span. With
/// data without noise, a fit converges to rounding.
bool has_converged(const QrFactors& qr, double nothing = 1e-8) {
    const std::size_t p = qr.qt_residuals.size();
    for (std::size_t k = 0; k < p; ++k) {
        if (qr.r[k * p + k] == 0.0) return false;
    }
    return std::ranges::all_of(solve_upper(qr.r, qr.qt_residuals),
                               [&](double step) { return std::abs(step) < nothing; });
}

}  // namespace

double distance_to_minimum(const QrFactors& qr, double freedom) {
    constexpr double nothing = 1e-6;  // the derivatives by differences are not more accurate
    if (has_converged(qr, nothing)) return 0.0;
    double reach = 0.0;
    for (const double residual : qr.qt_residuals)
        reach += residual * residual;
    if (reach == 0.0) return 0.0;
    const double variance = qr.remainder * qr.remainder / std::max(freedom, 1.0);
    return std::sqrt(reach / variance);
}

QrFactors reduced(const QrFactors& qr, const std::vector<bool>& keep) {
    const std::size_t p = qr.qt_residuals.size();
    std::vector<std::vector<double>> columns;
    for (std::size_t k = 0; k < p; ++k) {
        if (!keep[k]) continue;
        columns.emplace_back(p + 1, 0.0);
        for (std::size_t i = 0; i < p; ++i)
            columns.back()[i] = qr.r[i * p + k];
    }
    std::vector<double> residuals = qr.qt_residuals;
    residuals.push_back(qr.remainder);
    return qr_factorise(std::move(columns), std::move(residuals));
}

namespace {

/// One descent by Ceres with some parameters held. It ends early where another parameter has to be
/// held.
class Descent {
  public:
    Descent(ResidualFunction& function, const Target& target, const Weights& weights, double part)
        : function_(function),
          scaled_(function, target, weights),
          part_(part),
          count_(static_cast<double>(function.count(target) + weights.priors.size())) {}

    const Scaled& scaled() const { return scaled_; }

    std::vector<double> from(const std::vector<double>& start, const std::vector<bool>& moves) {
        std::vector<std::size_t> places;
        LeastSquares problem;
        for (std::size_t k = 0; k < start.size(); ++k) {
            if (!moves[k]) continue;
            places.push_back(k);
            problem.start.push_back(scaled_.part(k, start[k]));
        }
        if (places.empty()) return start;
        problem.low.assign(places.size(), 0.0);
        problem.high.assign(places.size(), 1.0);
        const auto point_at = [&](std::span<const double> u) {
            std::vector<double> x = start;
            for (std::size_t i = 0; i < places.size(); ++i)
                x[places[i]] = scaled_.value(places[i], u[i]);
            return x;
        };
        problem.evaluate = [&](std::span<const double> u, bool, QrFactors& qr) {
            return evaluate(point_at(u), moves, qr);
        };
        double before = std::numeric_limits<double>::infinity();
        int idle = 0;  // successive steps without a gain
        problem.enough = [&](std::span<const double> u, const QrFactors& qr) {
            const double now = qr.sum_of_squares();
            idle = before - now < part_ * part_ * variance(qr) ? idle + 1 : 0;
            before = now;
            constexpr int most_idle = 2;
            return idle >= most_idle || is_least(qr) ||
                   std::ranges::count(held_back(qr, u), true) > 0;
        };
        return point_at(minimise(problem));
    }

  private:
    bool evaluate(const std::vector<double>& x, const std::vector<bool>& moves, QrFactors& qr) {
        try {
            qr = reduced(scaled_.at(x), moves);
        } catch (const InputError&) {
            if (!has_run_) throw;
            return false;
        } catch (const running::RunError&) {
            if (!has_run_ || function_.stopped()) throw;
            return false;
        }
        has_run_ = true;
        return std::isfinite(qr.sum_of_squares());
    }

    double variance(const QrFactors& qr) const {
        const double left = count_ - static_cast<double>(qr.qt_residuals.size());
        return qr.remainder * qr.remainder / std::max(left, 1.0);
    }

    /// Whether the next step would be a small part of a standard error, or zero.
    bool is_least(const QrFactors& qr) const {
        double reach = 0.0;  // of the sum of squares
        for (const double residual : qr.qt_residuals)
            reach += residual * residual;
        return reach <= part_ * part_ * variance(qr) || has_converged(qr);
    }

    ResidualFunction& function_;
    Scaled scaled_;
    double part_, count_;
    bool has_run_ = false;
};

}  // namespace

QrFactors factors_at(ResidualFunction& function, std::span<const double> x, const Target& target,
                     const Weights& weights) {
    return Scaled(function, target, weights).at(x);
}

Point descend(ResidualFunction& function, std::span<const double> start,
              const std::vector<bool>& free, const Target& target, const Weights& weights,
              double part) {
    Descent descent(function, target, weights, part);
    const Scaled& scaled = descent.scaled();
    const std::size_t p = start.size();
    Point point{std::vector<double>(start.begin(), start.end()), {}, std::vector<bool>(p, false)};
    // Ceres projects its steps onto the bounds: where one is met, the step of the other parameters
    // is wrong. Therefore a parameter at a bound is held, and is released when the sum of squares
    // decreases away from the bound.
    const std::size_t most_rounds = 3 * p + 1;
    for (std::size_t round = 0; round < most_rounds; ++round) {
        std::vector<bool> moves = free;
        for (std::size_t k = 0; k < p; ++k)
            moves[k] = free[k] && !point.at_bound[k];
        point.x = descent.from(point.x, moves);
        point.qr = scaled.at(point.x);
        std::vector<double> u;
        for (std::size_t k = 0; k < p; ++k)
            u.push_back(scaled.part(k, point.x[k]));
        std::vector<bool> held = held_back(point.qr, u);
        for (std::size_t k = 0; k < p; ++k)
            held[k] = held[k] && free[k];
        if (held == std::exchange(point.at_bound, held)) break;
    }
    return point;
}

}  // namespace beadwave::fit

#include "fit/descent.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "fit/triangle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace beadwave::fit {
namespace {

/// The model in parts of each parameter's span: 0 is its lower bound, 1 its upper one.
class Scaled {
  public:
    Scaled(Model& model, const Target& target, const Weights& weights)
        : model_(model), target_(target), weights_(weights) {}

    double span(std::size_t k) const {
        return model_.parameters()[k].high - model_.parameters()[k].low;
    }
    double part(std::size_t k, double x) const {
        return std::clamp((x - model_.parameters()[k].low) / span(k), 0.0, 1.0);
    }
    double value(std::size_t k, double u) const {
        const Parameter& parameter = model_.parameters()[k];
        return std::clamp(parameter.low + u * span(k), parameter.low, parameter.high);
    }

    Local at(std::span<const double> x) const {
        Residuals now = model_.residuals(x, target_, weights_);
        for (std::size_t k = 0; k < now.columns.size(); ++k) {
            for (double& d : now.columns[k])
                d *= span(k);
        }
        return rotated(std::move(now.columns), std::move(now.values));
    }

  private:
    Model& model_;
    const Target& target_;
    const Weights& weights_;
};

/// Which stand at a bound that the sum of squares would cross.
std::vector<bool> held_back(const Local& local, std::span<const double> u) {
    const std::size_t p = u.size();
    std::vector<bool> held(p, false);
    constexpr double close = 1e-9;
    for (std::size_t k = 0; k < p; ++k) {
        double slope = 0.0;
        for (std::size_t i = 0; i <= k; ++i)
            slope += local.triangle[i * p + k] * local.along[i];
        held[k] = (u[k] < close && slope > 0.0) || (u[k] > 1.0 - close && slope < 0.0);
    }
    return held;
}

/// Whether the next step would be nothing: data without noise let a fit go on to rounding.
bool has_arrived(const Local& local) {
    const std::size_t p = local.along.size();
    for (std::size_t k = 0; k < p; ++k) {
        if (local.triangle[k * p + k] == 0.0) return false;
    }
    constexpr double nothing = 1e-8;  // of a parameter's span
    return std::ranges::all_of(solve(local.triangle, local.along),
                               [](double step) { return std::abs(step) < nothing; });
}

}  // namespace

Local reduced(const Local& local, const std::vector<bool>& keep) {
    const std::size_t p = local.along.size();
    std::vector<std::vector<double>> columns;
    for (std::size_t k = 0; k < p; ++k) {
        if (!keep[k]) continue;
        columns.emplace_back(p + 1, 0.0);
        for (std::size_t i = 0; i < p; ++i)
            columns.back()[i] = local.triangle[i * p + k];
    }
    std::vector<double> residuals = local.along;
    residuals.push_back(local.beyond);
    return rotated(std::move(columns), std::move(residuals));
}

Point descend(Model& model, std::span<const double> start, const std::vector<bool>& free,
              const Target& target, const Weights& weights, double part) {
    const Scaled scaled(model, target, weights);
    std::vector<std::size_t> moved;  // the parameters' places
    LeastSquares problem;
    for (std::size_t k = 0; k < start.size(); ++k) {
        if (!free[k]) continue;
        moved.push_back(k);
        problem.start.push_back(scaled.part(k, start[k]));
    }
    problem.low.assign(moved.size(), 0.0);
    problem.high.assign(moved.size(), 1.0);
    const auto point_at = [&](std::span<const double> u) {
        std::vector<double> x(start.begin(), start.end());
        for (std::size_t i = 0; i < moved.size(); ++i)
            x[moved[i]] = scaled.value(moved[i], u[i]);
        return x;
    };
    bool first = true;
    problem.evaluate = [&](std::span<const double> u, bool, Local& local) {
        try {
            local = reduced(scaled.at(point_at(u)), free);
        } catch (const InputError&) {
            if (first) throw;
            return false;
        } catch (const running::RunError&) {
            if (first || model.stopped()) throw;
            return false;
        }
        first = false;
        return std::isfinite(local.sum_of_squares());
    };
    const double count = static_cast<double>(model.count(target));
    problem.enough = [&](std::span<const double> u, const Local& local) {
        std::vector<bool> moves = held_back(local, u);
        moves.flip();
        const Local rest = reduced(local, moves);
        double reach = 0.0;  // of the sum of squares
        for (const double along : rest.along)
            reach += along * along;
        const double left = count - static_cast<double>(u.size());
        const double variance = rest.beyond * rest.beyond / std::max(left, 1.0);
        return reach <= part * part * variance || has_arrived(rest);
    };
    Point point;
    const std::vector<double> best = moved.empty() ? std::vector<double>{} : minimise(problem);
    point.x = point_at(best);
    point.local = scaled.at(point.x);
    point.at_bound.assign(start.size(), false);
    const std::vector<bool> held = held_back(reduced(point.local, free), best);
    for (std::size_t i = 0; i < moved.size(); ++i)
        point.at_bound[moved[i]] = held[i];
    return point;
}

}  // namespace beadwave::fit

#include "fit/descent.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "fit/triangle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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

namespace {

/// One descent by Ceres with some parameters held; it ends early where another has to be.
class Descent {
  public:
    Descent(Model& model, const Target& target, const Weights& weights, double part)
        : model_(model),
          scaled_(model, target, weights),
          part_(part),
          count_(static_cast<double>(model.count(target))) {}

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
        problem.evaluate = [&](std::span<const double> u, bool, Local& local) {
            return evaluate(point_at(u), moves, local);
        };
        double before = std::numeric_limits<double>::infinity();
        int idle = 0;  // steps in a row that gained nothing
        problem.enough = [&](std::span<const double> u, const Local& local) {
            const double now = local.sum_of_squares();
            idle = before - now < part_ * part_ * variance(local) ? idle + 1 : 0;
            before = now;
            constexpr int patience = 2;
            return idle >= patience || is_least(local) ||
                   std::ranges::count(held_back(local, u), true) > 0;
        };
        return point_at(minimise(problem));
    }

  private:
    bool evaluate(const std::vector<double>& x, const std::vector<bool>& moves, Local& local) {
        try {
            local = reduced(scaled_.at(x), moves);
        } catch (const InputError&) {
            if (!has_run_) throw;
            return false;
        } catch (const running::RunError&) {
            if (!has_run_ || model_.stopped()) throw;
            return false;
        }
        has_run_ = true;
        return std::isfinite(local.sum_of_squares());
    }

    double variance(const Local& local) const {
        const double left = count_ - static_cast<double>(local.along.size());
        return local.beyond * local.beyond / std::max(left, 1.0);
    }

    /// Whether the next step would be a small part of a standard error, or nothing.
    bool is_least(const Local& local) const {
        double reach = 0.0;  // of the sum of squares
        for (const double along : local.along)
            reach += along * along;
        return reach <= part_ * part_ * variance(local) || has_arrived(local);
    }

    Model& model_;
    Scaled scaled_;
    double part_, count_;
    bool has_run_ = false;
};

}  // namespace

Point descend(Model& model, std::span<const double> start, const std::vector<bool>& free,
              const Target& target, const Weights& weights, double part) {
    Descent descent(model, target, weights, part);
    const Scaled& scaled = descent.scaled();
    const std::size_t p = start.size();
    Point point{std::vector<double>(start.begin(), start.end()), {}, std::vector<bool>(p, false)};
    // Ceres projects its steps onto the bounds: where one is met, what else moves goes astray. So
    // who stands at a bound is held, and moves again when the sum of squares falls off it.
    const std::size_t most_rounds = 3 * p + 1;
    for (std::size_t round = 0; round < most_rounds; ++round) {
        std::vector<bool> moves = free;
        for (std::size_t k = 0; k < p; ++k)
            moves[k] = free[k] && !point.at_bound[k];
        point.x = descent.from(point.x, moves);
        point.local = scaled.at(point.x);
        std::vector<double> u;
        for (std::size_t k = 0; k < p; ++k)
            u.push_back(scaled.part(k, point.x[k]));
        std::vector<bool> held = held_back(point.local, u);
        for (std::size_t k = 0; k < p; ++k)
            held[k] = held[k] && free[k];
        if (held == std::exchange(point.at_bound, held)) break;
    }
    return point;
}

}  // namespace beadwave::fit

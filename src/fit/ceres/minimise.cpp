// The only file that uses Ceres: a module of its own, loaded on demand.

#include "fit/minimise.hpp"

#include <ceres/ceres.h>
#include <glog/logging.h>

#include <algorithm>
#include <map>

namespace {

using beadwave::fit::LeastSquares;
using beadwave::fit::QrFactors;

/// Evaluates the residuals once per point: Ceres asks first for the value, then for the
/// derivatives.
class Cost : public ceres::CostFunction {
  public:
    explicit Cost(const LeastSquares& problem) : problem_(problem) {
        const auto parameters = static_cast<int>(problem.start.size());
        set_num_residuals(parameters + 1);
        mutable_parameter_block_sizes()->push_back(parameters);
    }

    bool Evaluate(const double* const* x, double* residuals, double** jacobians) const override {
        const std::size_t p = problem_.start.size();
        const std::vector<double> point(x[0], x[0] + p);
        const bool derivatives = jacobians != nullptr && jacobians[0] != nullptr;
        if (point != point_ || (derivatives && !has_derivatives_)) {
            has_value_ = problem_.evaluate(point, derivatives, qr_);
            point_ = point;
            has_derivatives_ = derivatives;
        }
        if (!has_value_) return false;
        std::copy(qr_.qt_residuals.begin(), qr_.qt_residuals.end(), residuals);
        residuals[p] = qr_.remainder;
        if (!derivatives) return true;
        std::copy(qr_.r.begin(), qr_.r.end(), jacobians[0]);
        std::fill_n(jacobians[0] + p * p, p, 0.0);
        return true;
    }

    const QrFactors& qr() const { return qr_; }

  private:
    const LeastSquares& problem_;
    mutable std::vector<double> point_;
    mutable QrFactors qr_;
    mutable bool has_value_ = false, has_derivatives_ = false;
};

class Enough : public ceres::IterationCallback {
  public:
    Enough(const LeastSquares& problem, const std::vector<double>& x, const Cost& cost)
        : problem_(problem), x_(x), cost_(cost) {}

    ceres::CallbackReturnType operator()(const ceres::IterationSummary& step) override {
        if (!step.step_is_successful) {
            constexpr int most_failed = 6;  // in a row; the step is then a thousand times shorter
            return ++failed_ < most_failed ? ceres::SOLVER_CONTINUE
                                           : ceres::SOLVER_TERMINATE_SUCCESSFULLY;
        }
        failed_ = 0;
        return problem_.enough(x_, cost_.qr()) ? ceres::SOLVER_TERMINATE_SUCCESSFULLY
                                               : ceres::SOLVER_CONTINUE;
    }

  private:
    const LeastSquares& problem_;
    const std::vector<double>& x_;
    const Cost& cost_;
    int failed_ = 0;
};

}  // namespace

extern "C" const char* beadwave_minimise(const LeastSquares* problem, std::vector<double>* best) {
    // Without this, Ceres repeats its summary on standard error. Set once: several threads may call
    // this function at the same time.
    [[maybe_unused]] static const int quiet = FLAGS_minloglevel = 3;
    std::vector<double> x = problem->start;
    Cost cost(*problem);
    ceres::Problem::Options ownership;
    ownership.cost_function_ownership = ceres::DO_NOT_TAKE_OWNERSHIP;
    ceres::Problem all(ownership);
    all.AddResidualBlock(&cost, nullptr, x.data());
    for (int k = 0; k < static_cast<int>(x.size()); ++k) {
        const auto i = static_cast<std::size_t>(k);
        all.SetParameterLowerBound(x.data(), k, problem->low[i]);
        all.SetParameterUpperBound(x.data(), k, problem->high[i]);
    }
    Enough enough(*problem, x, cost);
    ceres::Solver::Options options;
    options.linear_solver_type = ceres::DENSE_QR;
    options.logging_type = ceres::SILENT;
    options.max_num_line_search_step_size_iterations = 0;  // the caller holds parameters at a bound
    options.max_num_iterations = problem->most_steps;
    options.initial_trust_region_radius = 1e5;  // near Gauss-Newton until a step fails
    options.max_trust_region_radius = 1e16;
    options.function_tolerance = 0.0;  // enough() decides
    options.gradient_tolerance = 0.0;
    options.parameter_tolerance = 1e-13;
    options.update_state_every_iteration = true;
    options.callbacks.push_back(&enough);
    ceres::Solver::Summary summary;
    ceres::Solve(options, &all, &summary);
    if (summary.termination_type == ceres::FAILURE) {
        return "the residuals at the start of the fit, or their derivatives, are not finite";
    }
    *best = x;
    return nullptr;
}

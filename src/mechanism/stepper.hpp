// Trial steps of a mechanism from one start. At the ends of steps ideal joints and motors hold.
#pragma once

#include "mechanism/dynamics.hpp"
#include "mechanism/finite_numbers.hpp"
#include "mechanism/step_method.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace beadwave::mechanism {

class Stepper {
  public:
    /// Thrown by start() and step() when `stop` says so. Between two evaluations of a mechanism
    /// with thousands of closed loops seconds pass.
    struct Stopped {};

    /// `stop` is called before every evaluation; empty: never.
    Stepper(Dynamics& dynamics, std::function<bool()> stop)
        : dynamics_(dynamics),
          method_(dynamics.numbers(),
                  [&dynamics, stop = std::move(stop)](double time, std::span<const double> y,
                                                      std::span<double> dydt) {
                      if (stop && stop()) throw Stopped{};
                      try {
                          dynamics.derivatives(time, y, dydt);
                      } catch (const simbody::NoSolution&) {  // such a step is too long
                          std::ranges::fill(dydt, std::nan(""));
                      }
                  }) {}

    void start(double time, std::span<const double> y) {
        time_ = time;
        begin_.assign(y.begin(), y.end());
        dynamics_.multibody.start_step(time);
        method_.start(time, y);
    }
    double time() const { return time_; }
    /// Restores the start of the last step of a saved run [s].
    void restore_start(double time) {
        time_ = time;
        dynamics_.multibody.start_step(time);
    }
    const std::vector<double>& begin() const { return begin_; }
    std::span<const double> first_derivatives() const { return method_.first_derivatives(); }

    /// y at `step` [s] after the start; not finite if the step is far too long, or if the loops of
    /// joints do not close there. May be called any
    /// number of times from one start.
    void step(double step, std::vector<double>& y) {
        if (step == 0.0) {
            y = begin_;
            return;
        }
        method_.step(step, y);
        closes_ = !is_finite(y) || dynamics_.project_constraints(time_ + step, y, loop_tolerance);
        if (!closes_) y.assign(y.size(), std::numeric_limits<double>::quiet_NaN());
    }
    /// False if the loops of joints did not close at the end of the last step: y is NaN then.
    bool closes() const { return closes_; }
    /// The estimated error of the last step, signed.
    void error(std::vector<double>& error) const { method_.error(error); }

  private:
    /// Largest error of closed loops, in m and rad and per second.
    static constexpr double loop_tolerance = 1e-13;

    Dynamics& dynamics_;
    StepMethod method_;
    double time_ = 0.0;
    bool closes_ = true;
    std::vector<double> begin_;
};

}  // namespace beadwave::mechanism

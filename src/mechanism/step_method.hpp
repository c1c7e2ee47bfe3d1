// One step of an explicit Runge-Kutta method of order 8 with two embedded errors: DOP853 of E.
// Hairer, S. P. Norsett, G. Wanner, "Solving Ordinary Differential Equations I", 2nd ed., 1993,
// section II.10; coefficients of their program.
//
// Simbody's own integrators are of order 5 at most. They find the state at an event by a cubic
// through the ends of the step, which is far less accurate than the step. Here the state at an
// event is that of a step that ends there.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace beadwave::mechanism {

class StepMethod {
  public:
    /// Writes the time derivatives of y at a time [s].
    using Derivatives =
        std::function<void(double time, std::span<const double> y, std::span<double>)>;

    StepMethod(std::size_t numbers, Derivatives derivatives);

    /// Sets the start of the trial steps.
    void start(double time, std::span<const double> y);
    std::span<const double> first_derivatives() const { return stages_[0]; }

    /// y at `step` [s] after the start. May be called any number of times from one start.
    void step(double step, std::vector<double>& y);
    /// The estimated error of the last step, signed.
    void error(std::vector<double>& error) const;

    static constexpr double order = 8.0;

  private:
    static constexpr std::size_t stage_count = 12;

    Derivatives derivatives_;
    double time_ = 0.0, last_step_ = 0.0;
    std::vector<double> begin_, trial_;
    std::array<std::vector<double>, stage_count> stages_;
};

}  // namespace beadwave::mechanism

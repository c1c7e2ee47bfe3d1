// One step of an explicit Runge-Kutta method of order 8 with two embedded errors: DOP853 of E.
// Hairer, S. P. Norsett, G. Wanner, "Solving Ordinary Differential Equations I", 2nd ed., 1993,
// section II.10; coefficients of their program.
//
// Simbody's own integrators are of order 5 at most, and find an event's state by a cubic through
// the step's ends, which is far less accurate than the step. Here an event's state is that of a
// step which ends there.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace beadwave::mechanism {

class StepMethod {
  public:
    /// Writes the rates of y at a time [s].
    using Rates = std::function<void(double time, std::span<const double> y, std::span<double>)>;

    StepMethod(std::size_t numbers, Rates rates);

    /// Sets where steps start.
    void start(double time, std::span<const double> y);
    std::span<const double> first_rates() const { return stages_[0]; }

    /// y after `step` [s] from the start; any number of times from one start.
    void step(double step, std::vector<double>& y);
    /// The last step's estimated error, with a sign.
    void error(std::vector<double>& error) const;

    static constexpr double order = 8.0;

  private:
    static constexpr std::size_t stage_count = 12;

    Rates rates_;
    double time_ = 0.0, last_step_ = 0.0;
    std::vector<double> begin_, trial_;
    std::array<std::vector<double>, stage_count> stages_;
};

}  // namespace beadwave::mechanism

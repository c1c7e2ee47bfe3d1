// A force over time: constant, a sine F sin(2 pi f t) that may end after some cycles, or a table,
// linear between its rows and constant before and after them.
#pragma once

#include <limits>
#include <memory>
#include <vector>

namespace beadwave::stepping {

class ForceSignal {
  public:
    static ForceSignal constant(double force);  ///< [N]
    /// frequency [Hz] above 0; amplitude [N]; after `cycles` the force is zero.
    static ForceSignal sine(double frequency, double amplitude,
                            double cycles = std::numeric_limits<double>::infinity());
    /// Rising times [s], at least one, and as many forces [N].
    static ForceSignal table(std::vector<double> times, std::vector<double> forces);

    double at(double time) const;  ///< time [s], from 0; [N]
    bool is_constant() const { return kind_ == Kind::constant; }
    /// Period of the sine [s]; of a table, that of the sine with the same largest force and slope;
    /// infinite if the force is constant.
    double period() const { return period_; }
    double largest() const { return largest_; }  ///< absolute [N]
    /// All numbers that determine the force; equal for equal signals.
    std::vector<double> numbers() const;

  private:
    enum class Kind { constant, sine, table };
    struct Rows;

    Kind kind_ = Kind::constant;
    double frequency_ = 0.0, amplitude_ = 0.0, end_ = 0.0;
    double period_ = std::numeric_limits<double>::infinity(), largest_ = 0.0;
    std::shared_ptr<const Rows> rows_;
};

}  // namespace beadwave::stepping

// How a driven wall, bead or particle moves: its displacement and velocity at any time, in a chain
// positive towards higher bead numbers. The displacement counts from its initial position.
//
// Sine: u = A sin(2 pi f t). A burst ends after a number of cycles, a multiple of one half; the
// wall is then at rest at zero.
//
// Table: the text of a CSV file (csv_rows.hpp) with the columns
//
//     time_s,displacement_m
//
// Both start at zero, times rise, and there are at least four rows. Between rows the displacement
// is the cubic spline: velocity and acceleration are continuous. Rows that are equal are a rest
// (base/smooth_curve.hpp). After the last row the wall does not move.
//
// Steady: u = v t. Velocities: those of a table, linear between its rows and constant after the
// last one; u is their integral. The acceleration jumps at the rows; contacts feel displacement
// and velocity alone.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace beadwave::stepping {

class Drive {
  public:
    /// frequency [Hz] above 0; amplitude [m] of either sign.
    static Drive sine(double frequency, double amplitude,
                      double cycles = std::numeric_limits<double>::infinity());

    /// `name` is for messages. Throws InputError for a table that breaks the rules above.
    static Drive table(const std::string& csv, const std::string& name);

    /// A table given as columns, with times that rise [s], displacements [m].
    static Drive through(std::vector<double> times, std::vector<double> displacements,
                         const std::string& name);

    /// velocity [m/s]; 0: held in place.
    static Drive steady(double velocity);

    /// times that rise from 0 [s], at least one, and as many velocities [m/s].
    static Drive with_velocities(std::vector<double> times, std::vector<double> velocities);

    double displacement(double time) const;  ///< time [s], from 0; [m]
    double velocity(double time) const;      ///< [m/s]

    /// Largest absolute velocity [m/s].
    double largest_speed() const { return largest_speed_; }
    /// Period of the oscillation [s]; for a table, the period of the sine with the same largest
    /// velocity and acceleration; infinite if the velocity is constant.
    double period() const { return period_; }
    /// What is wrong with the rows of a table, as a sentence without its name: too few of them
    /// where the speed changes. Empty: nothing.
    const std::string& doubt() const { return doubt_; }
    /// All numbers that determine the motion; equal for equal drives.
    std::vector<double> numbers() const;

  private:
    Drive() = default;

    struct Table;
    struct Ramps;
    std::shared_ptr<const Table> table_;
    std::shared_ptr<const Ramps> ramps_;  // velocities; both null: a sine
    double frequency_ = 0.0, amplitude_ = 0.0;
    double end_ = 0.0;   // of all motion [s]
    double last_ = 0.0;  // displacement from then on [m]
    double largest_speed_ = 0.0;
    double period_ = 0.0;
    std::string doubt_;
};

}  // namespace beadwave::stepping

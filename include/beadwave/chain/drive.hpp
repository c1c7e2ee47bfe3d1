// How a driven end moves: displacement and velocity of its wall at any time, positive towards
// higher bead numbers. The wall starts where it stands, at displacement zero.
//
// Sine: u = A sin(2 pi f t); a burst ends after a number of cycles, a multiple of one half, at rest
// at zero.
//
// Table: the text of a CSV file (csv_rows.hpp) with columns
//
//     time_s,displacement_m
//
// both from zero, times rising, at least four rows. Between rows the displacement is the modified
// Akima interpolant and the velocity its derivative; after the last row the wall stays where it is.
#pragma once

#include <limits>
#include <memory>
#include <string>

namespace beadwave::chain {

class Drive {
  public:
    /// frequency [Hz] above 0; amplitude [m] of either sign.
    static Drive sine(double frequency, double amplitude,
                      double cycles = std::numeric_limits<double>::infinity());

    /// `name` is for messages. Throws InputError for what is not as said above.
    static Drive table(const std::string& csv, const std::string& name);

    double displacement(double time) const;  ///< time [s], from 0; [m]
    double velocity(double time) const;      ///< [m/s]

    /// Largest size of the velocity [m/s]; of a table at the rows and halfway between them.
    double largest_speed() const { return largest_speed_; }
    /// Of one oscillation [s]; of a table, the period of the sine with the same largest velocity
    /// and acceleration.
    double period() const { return period_; }

  private:
    Drive() = default;

    struct Table;
    std::shared_ptr<const Table> table_;  // none: a sine
    double frequency_ = 0.0, amplitude_ = 0.0;
    double end_ = 0.0;   // of all motion [s]
    double last_ = 0.0;  // displacement from then on [m]
    double largest_speed_ = 0.0;
    double period_ = 0.0;
};

}  // namespace beadwave::chain

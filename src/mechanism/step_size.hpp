// How long a step may be.
#pragma once

#include "mechanism/stepper.hpp"

namespace beadwave::mechanism {

class StepSize {
  public:
    explicit StepSize(Dynamics&);

    /// The last step's error over what is allowed, the largest of all numbers and contacts.
    double error(const Stepper&, const std::vector<double>& before,
                 const std::vector<double>& after, double step);
    /// Widens the ranges that errors are measured against; `energy` [J].
    void notice(const std::vector<double>& y, double energy);

    void exchange(StateNumbers& state) { state(fastest_), state(energy_); }

    /// How much longer the next step may be.
    static double factor(double error);

  private:
    /// Speed [m/s] of a unit rate.
    double range(std::size_t coordinate) const;
    double contact_error(const Stepper&, const std::vector<double>& after, double step);

    Dynamics& dynamics_;
    std::size_t n_;         ///< coordinates
    double length_;         ///< of the mechanism [m]
    double fastest_ = 0.0;  ///< largest speed so far, angles at the mechanism's length [m/s]
    double energy_ = 0.0;   ///< largest so far [J]
    std::vector<double> error_, shifted_;
    std::vector<Nearness> seen_, moved_;
};

}  // namespace beadwave::mechanism

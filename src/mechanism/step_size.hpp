// The length of the next step.
#pragma once

#include "mechanism/stepper.hpp"

namespace beadwave::mechanism {

class StepSize {
  public:
    explicit StepSize(Dynamics&);

    /// The error of the last step relative to the allowed one, the largest of all numbers and
    /// contacts.
    double error(const Stepper&, const std::vector<double>& before,
                 const std::vector<double>& after, double step);
    /// Widens the ranges that errors are compared with; `energy` [J].
    void update_ranges(const std::vector<double>& y, double energy);

    /// Largest speed so far, for angles at the mechanism's length [m/s].
    double fastest() const { return fastest_; }

    void serialize(Archive& archive) { archive(fastest_), archive(energy_); }

    /// Factor of the next step length for this relative error.
    static double factor(double error);

  private:
    /// Speed that belongs to a coordinate speed of 1 [m/s].
    double range(std::size_t coordinate) const;
    double contact_error(const Stepper&, const std::vector<double>& after, double step);

    Dynamics& dynamics_;
    std::size_t n_;         ///< number of coordinates
    double length_;         ///< of the mechanism [m]
    double fastest_ = 0.0;  ///< largest speed so far, for angles at the mechanism's length [m/s]
    double energy_ = 0.0;   ///< largest energy so far [J]
    std::vector<double> error_, shifted_;
    std::vector<ContactKinematics> kinematics_, shifted_kinematics_;
};

}  // namespace beadwave::mechanism

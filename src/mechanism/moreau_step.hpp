// One step of the scheme of Moreau and Jean: see time_stepping.hpp.
#pragma once

#include "mechanism/dynamics.hpp"

#include <vector>

namespace beadwave::mechanism {

/// What a step did at one contact point. The speeds are those in the middle of the step.
struct ContactStep {
    double normal = 0.0, tangential = 0.0;  ///< impulses [N s]
    double approach_before = 0.0;           ///< [m/s]
    double separation_after = 0.0;          ///< [m/s]
    double inverse_mass = 0.0;              ///< along the normal [1/kg]; 0: it took no part
    double normal_loss = 0.0;               ///< [J]
    double friction_loss = 0.0;             ///< [J]
};

class MoreauStep {
  public:
    /// All contacts of the mechanism follow the law "impulse". Sets Dynamics::reactions.
    explicit MoreauStep(Dynamics&);

    /// Advances y from `time` to `next` [s], and the contact states: those that push rest, with the
    /// mean force of the step as their reaction. Throws std::runtime_error, and
    /// simbody::NoSolution, where there is no such step.
    void advance(double time, double next, std::vector<double>& y);

    /// What the last step did, one per contact point.
    const std::vector<ContactStep>& contacts() const { return contacts_; }
    /// Kinetic energy that its impulses brought [J]: above zero, they created it.
    double gain() const { return gain_; }

  private:
    /// Accelerations without contacts, and the powers of dampers and of motors and forces.
    struct Smooth {
        std::vector<double> accelerations;
        double damping = 0.0, external = 0.0;
    };
    Smooth smooth(double time, const std::vector<double>& y);
    /// Which contacts can push, with the kinematics in the middle of the step.
    void activate(double time, double next, const std::vector<double>& y);
    double restitution_of(std::size_t contact) const;
    /// The impulses of the active contacts, from the speeds in problem_.
    CoulombForces find_impulses(double next);
    /// These, and the gain, where no contact separates slower than these speeds [m/s].
    CoulombForces impulses_with(double next, const std::vector<double>& restitution);
    /// The speeds at the end, from those without contacts; in `middle` both, one after the other.
    CoulombForces push(double next, std::vector<double>& middle);
    void take(double time, double next, const CoulombForces&, std::vector<double>& y);

    Dynamics& dynamics_;
    const std::size_t n_;
    const double theta_;
    const double tolerance_;  ///< a contact that pushed stays active up to this gap [m]
    const bool motors_;
    double gain_ = 0.0;
    double motor_work_ = 0.0;  ///< of the impulses of the step [J]
    std::vector<std::size_t> active_;
    std::vector<double> restitution_speeds_;              ///< of the active ones [m/s]
    std::vector<ContactKinematics> before_, kinematics_;  ///< in the middle of the step
    std::optional<CoulombProblem> problem_;
    std::vector<ContactStep> contacts_;
    std::vector<double> dydt_;
};

}  // namespace beadwave::mechanism

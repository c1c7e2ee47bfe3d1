// How accurate the time step of a packing is: from a stated relative error to numbers of steps.
#pragma once

#include "beadwave/stepping/time_step.hpp"
#include "stepping/shortest_contact.hpp"

#include <limits>
#include <optional>

namespace beadwave::packing {

/// Steps of an automatic time step in the shortest contact, or in half a period of the fastest
/// sliding or rolling vibration. A fifth of the number for chains: errors near 1e-5 at a fifth of
/// the cost.
inline constexpr double steps_per_contact = 250.0;

/// The error of a vibration with steps_per_contact; it grows with the square of the step [-].
inline constexpr double usual_vibration_error = 1e-5;
/// The mean error of a collision's rebound speed, relative to its impact speed [-]: collision_step.
inline constexpr double usual_collision_error = 1e-4;
/// With a stated error, the fewest steps in a contact and in a damping time.
inline constexpr double fewest_steps_per_contact = 20.0, fewest_steps_per_damping_time = 5.0;

/// The numbers of steps for one relative error.
struct StepAccuracy {
    /// Without `resolution` the usual errors, and the rules for jumps of the force.
    explicit StepAccuracy(std::optional<double> resolution);

    bool stated;                           ///< the user gave it
    double collision_error;                ///< [-]
    double per_contact, per_damping_time;  ///< steps

    /// Sets the limits beyond which the run restarts with a shorter step: they are to the step what
    /// they are with the usual numbers of steps.
    void set_coarse(stepping::TimeStep& step) const;
};

/// What limits the step by collisions that may happen, and by all that is in `shortest`.
class CollisionLimits {
  public:
    explicit CollisionLimits(std::optional<double> resolution) : accuracy_(resolution) {}

    /// As stepping::include_collision(); also measures the error of the collision's steps.
    double include(const laws::AnyLaw& law, double mass, double speed);

    /// `period` [s]: of the fastest drive; `turning` [rad/s]: of the fastest body; 0: none.
    stepping::StepLimit shortest_limit(double period, double turning) const;

    const StepAccuracy& accuracy() const { return accuracy_; }

    stepping::Shortest shortest{};

  private:
    StepAccuracy accuracy_;
    /// The longest step whose collisions are accurate, and the contact that it resolves [s].
    double collision_ = std::numeric_limits<double>::infinity();
    double collision_contact_ = std::numeric_limits<double>::infinity();
};

}  // namespace beadwave::packing

// The results of a mechanism: impacts, samples of the history, the energy ledger.
#pragma once

#include "beadwave/recording/ledger.hpp"
#include "mechanism/force_elements.hpp"
#include "mechanism/joint_friction.hpp"
#include "mechanism/plane.hpp"
#include "recording/archive.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace beadwave::mechanism {

/// One impact of two bodies, from its start to its end.
struct Impact {
    static constexpr double none = std::numeric_limits<double>::quiet_NaN();

    double start = 0.0;              ///< time at which the overlap or the force began [s]
    double end = none;               ///< time at which the force ended [s]; NaN: the impact lasts
    double impact_speed = 0.0;       ///< approach speed at the start [m/s]
    double separation_speed = none;  ///< at the end [m/s]; NaN: the impact lasts
    double peak_force = 0.0;         ///< [N]; NaN for an impulse and for a resting contact
    double peak_time = 0.0;          ///< [s]
    double largest_overlap = 0.0;    ///< [m]
    double dissipated =
        0.0;            ///< work of the normal force so far [J]; after the end: the energy lost
    double mass = 0.0;  ///< effective mass along the normal, at the start [kg]
    /// Three definitions of the coefficient of restitution, at the end. Newton's is
    /// separation_speed / impact_speed. Poisson's: the impulse of the normal force while the bodies
    /// separate, over that while they approach. Stronge's: the root of the work that the normal
    /// force gives back over the work that it took up. NaN: not known.
    double poisson_restitution = none;
    double stronge_restitution = none;
};

/// Every number of an impact, for the checkpoint and for tests.
inline constexpr double Impact::*impact_numbers[] = {&Impact::start,
                                                     &Impact::end,
                                                     &Impact::impact_speed,
                                                     &Impact::separation_speed,
                                                     &Impact::peak_force,
                                                     &Impact::peak_time,
                                                     &Impact::largest_overlap,
                                                     &Impact::dissipated,
                                                     &Impact::mass,
                                                     &Impact::poisson_restitution,
                                                     &Impact::stronge_restitution};

/// One contact point and all its impacts.
struct ContactImpacts {
    std::size_t contact = 0;  ///< index in Mechanism::contacts
    std::size_t corner = 0;   ///< among the points of the contact
    std::vector<Impact> impacts;
};

/// Saves or restores all impacts. Throws std::length_error if the numbers run out.
inline void serialize_impacts(Archive& archive, std::vector<ContactImpacts>& points) {
    for (ContactImpacts& point : points) {
        std::vector<Impact>& impacts = point.impacts;
        auto count = static_cast<std::int64_t>(impacts.size());
        archive(count);
        // One by one: with a damaged count the numbers run out, which is an error.
        for (std::int64_t k = 0; k < count; ++k) {
            if (k == static_cast<std::int64_t>(impacts.size())) impacts.emplace_back();
            for (double Impact::*number : impact_numbers)
                archive(impacts[static_cast<std::size_t>(k)].*number);
        }
        impacts.resize(static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
    }
}

using recording::Ledger;

/// What a contact point dissipated since the start [J].
struct ContactDissipation {
    double normal = 0.0;   ///< by the normal force
    double sliding = 0.0;  ///< by friction
};

/// A contact point at one time.
struct ContactSample {
    double overlap = 0.0;           ///< [m]; negative: the gap
    double approach_speed = 0.0;    ///< [m/s]
    double force = 0.0;             ///< [N]
    double friction = 0.0;          ///< on the first body, along left_of(normal) [N]
    Vector position{};              ///< where the forces act [m]
    Vector normal{};                ///< direction of the normal force on the first body
    Vector journal_displacement{};  ///< journal: centre of the pin minus that of the bearing [m]
    ContactDissipation dissipation{};
    double worn = 0.0;                 ///< worn volume since the start [m^3]
    std::vector<double> worn_depth{};  ///< journal: of each part of its bearing [m]
    double pin_worn = 0.0;             ///< worn volume of a journal's pin since the start [m^3]
    std::vector<double> pin_depth{};   ///< of each part of the pin [m]
};

/// The mechanism at one time.
struct Sample {
    double time = 0.0;  ///< [s]
    std::vector<BodyState> bodies;
    std::vector<ContactSample> contact_points;
    std::vector<SpringSample> springs;  ///< then torsion springs
    std::vector<JointReaction> joints;
    std::vector<JointFrictionState> joint_frictions;  ///< of the joints with friction
    Ledger ledger;
};

/// The largest overlap of a time-stepping run.
struct Penetration {
    double depth = 0.0;  ///< [m]
    double time = 0.0;   ///< [s]
    std::int64_t contact = 0;
};

struct Result {
    Sample last;
    std::vector<ContactImpacts> contact_points;
    std::int64_t steps = 0;
    std::int64_t rejected_steps = 0;  ///< trial steps that were too long
    std::int64_t evaluations = 0;     ///< of the accelerations
    std::int64_t wear_updates = 0;    ///< bearings that got the shape of their wear
    /// The largest relative energy error of all steps and samples, in size [-].
    double largest_relative_energy_error = 0.0;
    Penetration penetration{};
    std::vector<std::string> warnings{};  ///< of the run; those of the start: check_start()
};

}  // namespace beadwave::mechanism

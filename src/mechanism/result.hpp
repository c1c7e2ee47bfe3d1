// What a run of a mechanism tells: impacts, moments of its history, the energy ledger.
#pragma once

#include "mechanism/plane.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace beadwave::mechanism {

/// One contact of two bodies from its beginning to its end.
struct Impact {
    static constexpr double none = std::numeric_limits<double>::quiet_NaN();

    double start = 0.0;            ///< when the overlap began, or the force [s]
    double end = none;             ///< when the force ended [s]; NaN: it lasts
    double closing_speed = 0.0;    ///< approach speed at the start [m/s]
    double leaving_speed = none;   ///< speed of separation at the end [m/s]; NaN: it lasts
    double peak_force = 0.0;       ///< [N]; NaN for an impulse, and where a contact rests
    double peak_time = 0.0;        ///< [s]
    double largest_overlap = 0.0;  ///< [m]
    double dissipated = 0.0;       ///< work of the normal force so far: lost, once it ended [J]
    double mass = 0.0;             ///< effective, along the normal, at the start [kg]
};

/// Every number of an impact, for what saves or writes them.
inline constexpr double Impact::*impact_numbers[] = {
    &Impact::start,           &Impact::end,        &Impact::closing_speed,
    &Impact::leaving_speed,   &Impact::peak_force, &Impact::peak_time,
    &Impact::largest_overlap, &Impact::dissipated, &Impact::mass};

/// One spot of a contact and all its impacts.
struct SpotRecord {
    std::size_t contact = 0;  ///< number of the mechanism's contact
    std::size_t corner = 0;   ///< of a guide
    std::vector<Impact> impacts;
};

/// Energies since the start [J]. kinetic + potential + stored + dissipated + friction = initial +
/// work + residual.
struct Ledger {
    double initial = 0.0;  ///< kinetic and stored, at the start
    double kinetic = 0.0;
    double potential = 0.0;   ///< of gravity, against the start
    double stored = 0.0;      ///< in contacts, recoverable
    double dissipated = 0.0;  ///< by normal forces
    double friction = 0.0;    ///< dissipated by friction
    double work = 0.0;        ///< of the motors
    double residual = 0.0;
    double scale = 0.0;  ///< the largest energy that came up

    /// The residual over the largest energy [-].
    double relative_residual() const { return scale > 0.0 ? residual / scale : 0.0; }
};

/// A spot at one time.
struct SpotMoment {
    double overlap = 0.0;   ///< [m]; negative: the gap
    double approach = 0.0;  ///< [m/s]
    double force = 0.0;     ///< [N]
    double friction = 0.0;  ///< on the first body, along left_of(normal) [N]
    Vector offset{};        ///< journal: centre of the pin less that of the hole [m]
};

struct Moment {
    double time = 0.0;  ///< [s]
    std::vector<BodyMotion> bodies;
    std::vector<SpotMoment> spots;
    Ledger ledger;
};

struct Result {
    Moment last;
    std::vector<SpotRecord> spots;
    std::int64_t steps = 0;
    std::int64_t refused_steps = 0;  ///< tried and found too long
    std::int64_t evaluations = 0;    ///< of the accelerations
};

}  // namespace beadwave::mechanism

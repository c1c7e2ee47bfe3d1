// One place where two bodies of a mechanism can touch. A guide has four, every other contact one.
#pragma once

#include "mechanism/mechanism.hpp"

#include <vector>

namespace beadwave::mechanism {

/// How near the two bodies are at a spot, and how they move there.
struct Nearness {
    double overlap;   ///< delta [m]; negative: the gap
    double approach;  ///< d(delta)/dt [m/s]
    Vector normal;    ///< in which the first body is pushed
    Vector place;     ///< where forces act [m]
    double slip;      ///< speed of the first body along left_of(normal) against the second [m/s]
    Vector offset;    ///< journal: centre of the pin less that of the hole [m]; else zero
};

/// The geometry of one spot, its points relative to the bodies' centres.
struct Spot {
    enum class Kind { journal, tip, balls };

    Kind kind = Kind::journal;
    std::size_t contact = 0;              ///< number of the mechanism's contact
    std::size_t corner = 0;               ///< of a guide, 0 to 3
    std::array<std::size_t, 2> bodies{};  ///< may be `ground`
    std::array<Vector, 2> points{};  ///< pin and hole; tip and a point of the line; two centres [m]
    Vector normal{};                 ///< of the line, on the second body
    double reach = 0.0;   ///< overlap = distance - reach (journal), reach - distance (balls) [m]
    double radius = 0.0;  ///< of the hole, or of the first ball: where forces act [m]

    /// What of an overlap is rounding [m]: bodies that touch without force are open.
    double slack = 0.0;

    Nearness nearness(const std::vector<BodyMotion>& bodies_now) const;
    /// d(approach)/dt [m/s^2], of the bodies' accelerations.
    double approach_rate(const std::vector<BodyMotion>& bodies_now) const;
};

/// The spots of all contacts, in order.
std::vector<Spot> spots_of(const Mechanism&);

/// The largest distance between what the mechanism is made of [m].
double size_of(const Mechanism&, const std::vector<Spot>&);

}  // namespace beadwave::mechanism

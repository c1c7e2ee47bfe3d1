// The impact of two bodies, from the first touch to separation, through any contact law.
//
// The force acts along the common normal of each moment, on both bodies in the same line. The law,
// its stiffness and its effective mass are those of the moment at which the contact closes and stay
// (elliptic_stiffness.hpp): so a law without loss keeps the energy. No friction.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "beadwave/laws/collision.hpp"
#include "shapes/body.hpp"

#include <functional>

namespace beadwave::shapes {

struct Impact {
    double separation_speed;  ///< along the normal at the end [m/s]
    double max_force;         ///< [N]
    double max_overlap;       ///< [m]
    double residual_overlap;  ///< where the contact ended [m]
    double duration;          ///< [s]
    double compression_time;  ///< until the largest overlap [s]
    double impulse;           ///< integral of the force over time [N s]
    double contact_work;      ///< integral of force times rate of the overlap: what is lost [J]
    int steps;                ///< of the integration
};

/// Moves the pair, which touches and closes, to where its contact ends: at zero force, or at zero
/// overlap for a law that ends in tension. Adaptive Runge-Kutta method of fifth order with errors
/// of 1e-13 a step; the turning point is located and committed to the law's memory. Throws
/// ArgumentError for a law with adhesion, whose neck between curved surfaces is not known;
/// std::runtime_error if the bodies do not separate, or turn by more than 140 degrees while they
/// touch. `watch`, if given, is called at closing and for every accepted step.
Impact collide(Pair&, const laws::AnyLaw&,
               const std::function<void(const laws::CollisionMoment&)>& watch = {});

}  // namespace beadwave::shapes

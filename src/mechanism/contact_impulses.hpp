// The impulses of contacts that close at one instant, under the law "impulse".
#pragma once

#include "mechanism/dynamics.hpp"

#include <vector>

namespace beadwave::mechanism {

/// A contact point that takes part in an impact.
struct ImpactPoint {
    std::size_t point = 0;
    bool rests = false;        ///< it is closed already
    double restitution = 0.0;  ///< [-]
    laws::RestitutionDefinition definition = laws::RestitutionDefinition::newton;
};

/// What the impact does to one point.
struct ContactImpulse {
    double normal = 0.0, tangential = 0.0;          ///< [N s]
    double separation_speed = 0.0;                  ///< after the impact [m/s]
    double normal_loss = 0.0, friction_loss = 0.0;  ///< [J]
    double rubbed = 0.0;        ///< normal impulse times slip speed, through the impact [J]
    double inverse_mass = 0.0;  ///< along the normal [1/kg]
    double poisson_restitution = Impact::none, stronge_restitution = Impact::none;  ///< [-]
    bool reduced = false;  ///< the restitution is not that of the definition, but less
};

/// One contact alone: without friction all definitions of restitution are one; with friction it
/// follows laws::collide().
///
/// Several that feel each other share their impulses; the tangential ones obey Coulomb's law with
/// the slip at the end of each set (in the plane a linear complementarity problem).
///
///   Newton:   one set: each pushes, and none separates slower than its restitution requires (J. J.
///             Moreau, "Unilateral contact and dry friction in finite freedom dynamics", 1988)
///   Poisson:  compression, after which none approaches, and then restitution, which gives its part
///             of each normal impulse back, or more where a contact would close again (F. Pfeiffer
///             and C. Glocker, "Multibody Dynamics with Unilateral Contacts", 1996, chapter 8)
///   Stronge:  the same compression; the restitution gives its square of the work back that the
///             normal force of each contact took up. All impulses of a set grow in proportion, so
///             that a work is the impulse times the mean of the speeds at both ends
///
/// A contact that rests takes up no work, and Newton's and Stronge's give nothing back there;
/// Poisson's does. Where friction wedges the bodies, no impulses may give the works back; Poisson's
/// take their place. Where restitution would create energy but under Newton's definition, all its
/// impulses are reduced by one factor until it does not. Throws std::runtime_error if there are no
/// impulses at all.
std::vector<ContactImpulse> contact_impulses(Dynamics&, const std::vector<ImpactPoint>&,
                                             const std::vector<ContactKinematics>& kinematics);

}  // namespace beadwave::mechanism

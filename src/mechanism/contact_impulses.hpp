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
};

/// Without friction all push at once, and no contact separates slower than its restitution requires
/// (J. J. Moreau; see linear_complementarity.hpp).
///
/// With friction, one contact alone follows laws::collide() in its definition of restitution.
/// Several that feel each other share two sets of impulses, as F. Pfeiffer and C. Glocker propose
/// ("Multibody Dynamics with Unilateral Contacts", 1996, chapter 8): compression, after which none
/// approaches, and then restitution, which gives Poisson's part of each normal impulse back. In
/// both the tangential impulses obey Coulomb's law with the slip at the end. Where this would
/// create energy, all impulses of restitution are reduced by one factor until it does not.
std::vector<ContactImpulse> contact_impulses(Dynamics&, const std::vector<ImpactPoint>&,
                                             const std::vector<ContactKinematics>& kinematics);

}  // namespace beadwave::mechanism

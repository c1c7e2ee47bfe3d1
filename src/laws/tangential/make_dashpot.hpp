// The dashpot of a contact from the settings of friction.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/settings.hpp"
#include "laws/tangential/dashpot.hpp"
#include "laws/tangential/friction.hpp"

#include <string>

namespace beadwave::laws {

/// The dashpot of Mindlin's laws; none for others. shear_modulus: G* [Pa]; `normal` is the law that
/// `settings` make. The numbers must be good: see fault_of_damping().
TangentialDashpot make_dashpot(const Friction& friction, const Contact& contact,
                               double shear_modulus, const AnyLaw& normal,
                               const Settings& settings);

/// One clause on what is wrong with the dampings of tangential contacts beside this normal law, or
/// an empty text.
std::string fault_of_damping(const Friction& friction, const Settings& settings);

/// As fault_of_damping(), of all numbers of the friction.
std::string fault_of_friction(const Friction& friction, const Settings& settings);

}  // namespace beadwave::laws

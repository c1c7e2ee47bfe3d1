// Laws that are no curves of force over overlap, for lists and pages: those of friction, with the
// numbers that act beside them, and of rigid contacts.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace beadwave::laws {

struct ListedLaw {
    const char* name;      ///< of the law, or of the key
    const char* systems;   ///< where it is offered
    const char* equation;  ///< with what its symbols mean
    const char* source;
};

/// The values of `friction.law`.
std::span<const ListedLaw> friction_laws();

/// Keys of the tables of friction: coefficients over the slip speed, and tangential dashpots.
std::span<const ListedLaw> friction_numbers();

/// The values of `law` whose bodies do not deform.
std::span<const ListedLaw> rigid_laws();

/// All three lists.
std::array<std::span<const ListedLaw>, 3> listed_laws();

/// Of all of them; null: there is none with this name.
const ListedLaw* find_listed(std::string_view name);

}  // namespace beadwave::laws

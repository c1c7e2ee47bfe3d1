// Adhesion of a law that is held as data: how far and how strongly it holds bodies together. All of
// it is zero for laws without adhesion.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "beadwave/laws/neck.hpp"

#include <string_view>

namespace beadwave::laws {

/// Whether the law of the catalogue with this name has adhesion.
bool is_adhesive(std::string_view name);
bool is_adhesive(const AnyLaw&);

/// How far beyond contact the law holds two bodies together [m].
double neck_range(const AnyLaw&);

/// Whether the contact's neck holds, with the memory committed at its overlap. False for a law
/// that does not reach beyond contact.
bool has_neck(const AnyLaw&, const AnyMemory&);

/// Whether the bodies touch or a neck holds them together.
inline bool touches(const AnyLaw& law, double overlap, const AnyMemory& memory) {
    return overlap > 0.0 || has_neck(law, memory);
}

/// What friction and rolling resistance see of a contact that has this overlap [m] and force [N]:
/// for a law without adhesion, both as they are.
Grip<double> grip(const AnyLaw&, double overlap, double force, const AnyMemory&);

/// The overlap of Hertz's contact of the same size, for a contact loaded once to `overlap` [m].
double size_overlap(const AnyLaw&, double overlap);

/// The overlap to which the law pulls bodies at rest that just touch [m].
double well_overlap(const AnyLaw&);

/// The energy that it takes to part bodies that just touch, from the neck of zero overlap to its
/// break [J]. Without damping, bodies that meet with less stick.
double holding_energy(const AnyLaw&);

/// slopes() (slopes.hpp) of any law.
Slopes<double> slopes_of(const AnyLaw&, double overlap, double approach_speed, const AnyMemory&,
                         double speed, double time_step);

}  // namespace beadwave::laws

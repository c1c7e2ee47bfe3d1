// The parts of a scenario that only the plain engine knows.
#pragma once

#include "packing/build/scenario.hpp"

#include <algorithm>
#include <optional>

namespace beadwave::packing {

/// The first key that asks for it, and what it is.
struct PlainEngineAlone {
    const char* key;
    const char* what;
};

/// Of spheres, where `wanted` has impacts, wear, dissipation and heat as a scenario has; none: the
/// fast engine knows all of it.
template <class Wanted>
std::optional<PlainEngineAlone> plain_engine_alone_for(const Wanted& wanted) {
    if (wanted.impacts) return {{"dissipation.impacts", "impacts"}};
    if (wanted.wear && wanted.wear->law == laws::WearLaw::finnie) return {{"wear.law", "impacts"}};
    if (wanted.dissipation.triangles)
        return {{"dissipation.per", "what contacts with each triangle dissipate"}};
    if (wanted.wear && wanted.wear->per == laws::WearOf::triangle)
        return {{"wear.per", "how far contacts slide on each triangle"}};
    if (wanted.heat) return {{"heat", "temperatures"}};
    return {};
}

/// None: the fast engine runs the scenario.
inline std::optional<PlainEngineAlone> plain_engine_alone(const Scenario& scenario) {
    // Ellipsoids and clumps have an engine of their own, which knows all of this.
    if (std::ranges::any_of(scenario.groups,
                            [](const Group& group) { return group.shape != GroupShape::sphere; }))
        return {};
    return plain_engine_alone_for(scenario);
}

}  // namespace beadwave::packing

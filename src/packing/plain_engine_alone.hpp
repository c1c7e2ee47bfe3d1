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

/// None: the fast engine runs the scenario.
inline std::optional<PlainEngineAlone> plain_engine_alone(const Scenario& scenario) {
    // Ellipsoids and clumps have an engine of their own, which knows all of this.
    if (std::ranges::any_of(scenario.groups,
                            [](const Group& group) { return group.shape != GroupShape::sphere; }))
        return {};
    if (scenario.impacts) return {{"dissipation.impacts", "impacts"}};
    if (scenario.wear && scenario.wear->law == laws::WearLaw::finnie)
        return {{"wear.law", "impacts"}};
    if (scenario.dissipation.triangles)
        return {{"dissipation.per", "what contacts with each triangle dissipate"}};
    if (scenario.wear && scenario.wear->per == laws::WearOf::triangle)
        return {{"wear.per", "how far contacts slide on each triangle"}};
    if (scenario.heat) return {{"heat", "temperatures"}};
    return {};
}

}  // namespace beadwave::packing

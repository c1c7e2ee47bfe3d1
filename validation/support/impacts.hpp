// An engine of packings that knows impacts, and the simplest law for them.
#pragma once

#include "packings.hpp"

#include <memory>
#include <string>

namespace beadwave::validation {

inline std::unique_ptr<packing::PackingEngine> watching(const packing::Packing& p, double dt) {
    return packing::make_plain_packing_engine(p, dt, packing::ContactRecords::impacts);
}

/// A spring [N/m] and a dashpot [N s/m] that act until the overlap ends, or the force.
inline laws::Settings spring_and_dashpot(double stiffness, double damping, const char* separation) {
    return law_settings("kelvin-voigt", {{"stiffness", stiffness},
                                         {"restitution", std::string("from-damping")},
                                         {"damping", damping},
                                         {"separation", std::string(separation)}});
}

}  // namespace beadwave::validation

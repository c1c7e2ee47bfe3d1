// The viscous family in groups, one group per file.
#pragma once

#include "beadwave/laws/catalogue.hpp"

#include <vector>

namespace beadwave::laws {

std::vector<Entry> linear_spring_entries();    ///< K delta
std::vector<Entry> hertz_dashpot_entries();    ///< K delta^(3/2), damping set by the restitution
std::vector<Entry> empirical_entries();        ///< K delta^(3/2), damping measured
std::vector<Entry> viscosity_entries();        ///< damping from the materials' viscosities
std::vector<Entry> free_exponent_entries();    ///< K delta^n
std::vector<Entry> alternative_entries();      ///< states that depend on time
std::vector<Entry> refused_viscous_entries();  ///< laws that the texts name but do not give

/// An entry on the Hertz spring whose source does not say where contact ends: at zero force, so
/// that nothing pulls, unless `separation` = "gap".
Entry ruleless_entry(std::string name, std::string equation, std::vector<Parameter> parameters,
                     std::string validity, std::string source,
                     AnyLaw (*make)(const Contact&, const Settings&));

/// xi = |ln e| / sqrt(pi^2 + ln^2 e) [-]: returns e where contact lasts to zero overlap and the
/// restitution does not depend on the speed.
double damping_ratio(double restitution);

/// damping_ratio(restitution), or `damping` [N s/m^...] itself where restitution = "from-damping".
/// `unit` is the coefficient of damping_ratio: C = unit xi.
double damping_from(const Settings&, std::string_view damping, double unit);

/// restitution, a number or "from-damping", and the damping that can replace it.
std::vector<Parameter> restitution_or(Parameter damping);

}  // namespace beadwave::laws

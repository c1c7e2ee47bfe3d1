// Entries of the hysteresis family; the laws themselves are rows of hysteresis_factors.cpp.

#include <fmt/format.h>

#include <algorithm>

#include "families.hpp"
#include "hysteresis_factors.hpp"
#include "parameters.hpp"

namespace beadwave::laws {
namespace {

AnyLaw make_hysteresis(const Contact& c, const Settings& s) {
    const auto rows = hysteresis_factors();
    const auto row = std::ranges::find(rows, s.name, &HysteresisFactor::name);
    const double chi = row->chi(s.number("restitution"));
    if (s.is("impact_speed", "per-contact")) {
        return Hysteresis<double, ImpactSpeed::per_contact>{
            .stiffness = c.stiffness,
            .damping = chi,
            .impact_speed_floor = s.number("impact_speed_floor"),
            .lowest_force = lowest_force(s)};
    }
    return Hysteresis<double, ImpactSpeed::uniform>{.stiffness = c.stiffness,
                                                    .damping = chi / s.number("impact_speed"),
                                                    .impact_speed_floor = 0.0,
                                                    .lowest_force = lowest_force(s)};
}

Entry entry_of(const HysteresisFactor& row) {
    return {.name = std::string(row.name),
            .aliases = row.aliases,
            .family = "hysteresis",
            .equation =
                fmt::format("F = K delta^(3/2) (1 + chi delta_dot/delta_dot_0), chi = {}", row.formula),
            .parameters = dashpot_parameters(),
            .separation = "zero force or zero overlap: the same unless bodies are pulled apart",
            .stored_energy = "(2/5) K delta^(5/2)",
            .validity = std::string(row.validity),
            .source = std::string(row.source),
            .make = make_hysteresis};
}

}  // namespace

std::vector<Entry> hysteresis_entries() {
    std::vector<Entry> entries;
    for (const HysteresisFactor& row : hysteresis_factors()) entries.push_back(entry_of(row));
    return entries;
}

}  // namespace beadwave::laws

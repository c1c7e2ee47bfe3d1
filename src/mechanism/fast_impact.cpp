#include "mechanism/fast_impact.hpp"

#include "beadwave/laws/impact_limit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beadwave::mechanism {

std::optional<std::string> fast_impact(const Mechanism& mechanism, const Result& result) {
    std::optional<std::string> warning;
    double largest = 0.0;
    for (const ContactImpacts& point : result.contact_points) {
        const Contact& contact = mechanism.contacts[point.contact];
        const auto* const materials = std::get_if<Materials>(&contact.materials);
        const auto* const law = std::get_if<laws::Settings>(&contact.law);
        if (materials == nullptr || law == nullptr) continue;
        const auto& [a, b] = materials->elasticity;
        const double limit = laws::elastic_impact_speed(
            std::min(a.youngs_modulus, b.youngs_modulus), laws::assumed_density);
        const auto* const journal = std::get_if<Journal>(&contact.geometry);
        const bool line = contact.line_length || (journal != nullptr && journal->length);
        for (const Impact& impact : point.impacts) {
            if (!(impact.impact_speed / limit > largest)) continue;
            auto beyond = laws::beyond_impact_limit(
                law->name, line,
                fmt::format("contact \"{}\" (with the density of steel): an impact at",
                            contact.name),
                impact.impact_speed, limit);
            if (!beyond) continue;
            largest = impact.impact_speed / limit;
            warning = std::move(beyond);
        }
    }
    return warning;
}

}  // namespace beadwave::mechanism

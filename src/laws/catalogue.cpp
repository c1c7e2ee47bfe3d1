#include "beadwave/laws/catalogue.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/expression/settings.hpp"
#include "laws/catalogue/families.hpp"
#include "laws/expression/program.hpp"
#include "laws/neck.hpp"

#include <fmt/format.h>

#include <unordered_map>

namespace beadwave::laws {
namespace {

std::vector<Entry> all_entries() {
    std::vector<Entry> list;
    for (const auto family :
         {elastic_entries, hysteresis_entries, viscous_entries, elastoplastic_dashpot_entries,
          elastoplastic_entries, fitted_entries, adhesion_entries, own_entries}) {
        for (Entry& entry : family())
            list.push_back(std::move(entry));
    }
    return list;
}

}  // namespace

std::string StepOrder::text() const {
    return fmt::format("{:g}{}{}", order, remark.empty() ? "" : ": ", remark);
}

std::span<const Entry> catalogue() {
    static const std::vector<Entry> list = all_entries();
    return list;
}

const Entry* find(std::string_view name) {
    // A packing of unlike spheres makes a law for each pair of every neighbour list.
    static const std::unordered_map<std::string_view, const Entry*> by_name = [] {
        std::unordered_map<std::string_view, const Entry*> names;
        for (const Entry& entry : catalogue()) {
            names.emplace(entry.name, &entry);
            for (const std::string& alias : entry.aliases)
                names.emplace(alias, &entry);
        }
        return names;
    }();
    const auto found = by_name.find(name);
    return found != by_name.end() ? found->second : nullptr;
}

std::vector<std::string> known_names() {
    std::vector<std::string> names;
    for (const Entry& entry : catalogue()) {
        names.push_back(entry.name);
        names.insert(names.end(), entry.aliases.begin(), entry.aliases.end());
    }
    return names;
}

bool depends_on_impact_speed(const Settings& settings) {
    // Two bodies for which every law can be made, and two speeds; their values do not matter.
    const Elasticity steel{.youngs_modulus = 2e11, .poisson_ratio = 0.3, .yield_stress = 1e9};
    const Contact pair = sphere_contact(1e-3, 1e-3, steel, 1e-3, 1e-3, steel);
    const auto at = [&](double speed) {
        Settings given = settings;
        given.values.insert_or_assign("impact_speed", speed);
        // The numbers of a formula are checked for the contacts that are there.
        return given.name == expression_name
                   ? expression_law(expression_program(given), pair, given)
                   : make(pair, given);
    };
    try {
        return at(0.1) != at(0.2);
    } catch (const ArgumentError&) {
        return false;
    }
}

AnyLaw make(const Contact& contact, const Settings& settings) {
    const Entry* entry = find(settings.name);
    if (!entry->refused.empty()) {
        throw ArgumentError(
            fmt::format("law \"{}\" is not offered: {}", settings.name, entry->refused));
    }
    if (entry->needs_yield_stress && !(contact.yield_stress > 0.0)) {
        throw ArgumentError(
            fmt::format("law \"{}\" needs a yield stress: give yield_stress (Pa, above 0) to at "
                        "least one of two touching bodies' materials",
                        settings.name));
    }
    if (entry->needs_yield_stress && contact.axis_ratio != 1.0) {
        throw ArgumentError(fmt::format(
            "law \"{}\" yields under the pressure on a circle; these surfaces touch on an ellipse "
            "of axis ratio {:.4g}",
            settings.name, contact.axis_ratio));
    }
    if (contact.axis_ratio != 1.0 && is_adhesive(settings.name)) {
        throw ArgumentError(
            fmt::format("law \"{}\" is made for a contact on a circle; these surfaces touch on an "
                        "ellipse of axis "
                        "ratio {:.4g}",
                        settings.name, contact.axis_ratio));
    }
    return entry->make(contact, settings);
}

}  // namespace beadwave::laws

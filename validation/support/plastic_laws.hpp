// Every elastoplastic law of the catalogue, in several settings and on several contacts.
#pragma once

#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/elastoplastic/hertz_yield.hpp"
#include "scenarios.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace beadwave::validation {

using Given = std::map<std::string, laws::Value>;

inline laws::Contact pair_of(double radius, double modulus, double yield_stress) {
    return {.radius = radius,
            .modulus = modulus,
            .mass = 1e-3,
            .stiffness = laws::hertz_stiffness(modulus, radius),
            .yield_stress = yield_stress};
}

/// Small hard beads, a soft bead on a flat, a ball in a socket of nearly the same radius.
inline const laws::Contact plastic_contacts[] = {
    pair_of(1.19e-3, 1.06e11, 9e8), pair_of(5e-3, 3.9e10, 1e8), pair_of(0.82, 5.4e10, 3e7)};

/// An overlap near which the laws of this contact yield [m].
inline double yield_overlap(const laws::Contact& c) {
    return laws::HertzYield(c, 1.61 * c.yield_stress).overlap;
}

inline std::string word_of(const laws::Value& value) {
    const auto* word = std::get_if<std::string>(&value);
    return word != nullptr ? *word : std::to_string(std::get<double>(value));
}

/// [m]; every elastoplastic law remembers largest overlap, residual overlap, unloading stiffness.
inline double residual_overlap(const laws::AnyMemory& memory) {
    return memory[1];
}

/// Settings of a law to test in addition to its standard ones.
inline std::vector<Given> variants(const std::string& name) {
    if (name == "tabulated") {
        return {{{"file", std::string(BEADWAVE_SOURCE_DIR) +
                              "/validation/physics/indentation_example.csv"}}};
    }
    std::vector<Given> list = {{}};
    const auto add = [&](const char* law, const Given& given) {
        if (name == law) list.push_back(given);
    };
    add("ma-liu", {{"guard", "on"}});
    add("ma-liu", {{"guard", "on"}, {"psi", 3.0}});
    add("stronge", {{"mean_pressure_factor", 1.0}});
    add("stronge", {{"mean_pressure_factor", 1.2}});
    add("kogut-etsion", {{"transition", "printed"}});
    add("jackson-green", {{"transition", "printed"}});
    add("jackson-green", {{"unloading", "fit2005"}});
    add("jackson-green", {{"hardness", "variable"}});
    add("jackson-green",
        {{"hardness", "variable"}, {"transition", "printed"}, {"unloading", "fit2005"}});
    add("brake", {{"plastic_onset", 1.5}});
    add("brake", {{"plastic_onset", 2.0}});
    add("brake", {{"hardness", 2.0}});
    add("goldsmith", {{"exponent", 2.0}, {"stiffness", 1e12}});
    add("walton-braun", {{"hardening", 1e5}});
    return list;
}

/// Whether the parameter was given as this word.
inline bool is(const Given& given, const char* parameter, const char* word) {
    const auto found = given.find(parameter);
    return found != given.end() && word_of(found->second) == word;
}

/// Calls body(name, given, contact, law) for every elastoplastic law, variant and contact.
template <class Body>
void for_every_plastic_law(Body body) {
    for (const laws::Entry& entry : laws::catalogue()) {
        if (entry.family != "elastoplastic" || entry.make == nullptr) continue;
        for (const Given& given : variants(entry.name)) {
            std::string text = entry.name;
            for (const auto& [parameter, value] : given)
                text += " " + parameter + "=" + word_of(value);
            for (const laws::Contact& contact : plastic_contacts) {
                CAPTURE(text);
                CAPTURE(contact.radius);
                body(entry.name, given, contact,
                     laws::make(contact, law_settings(entry.name, given)));
            }
        }
    }
}

}  // namespace beadwave::validation

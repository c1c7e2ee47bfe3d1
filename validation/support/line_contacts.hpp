// The pin in its hole of Skrinjar2018 Table 5, and line laws for it.
#pragma once

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/line_catalogue.hpp"

#include <limits>
#include <map>
#include <string>

namespace beadwave::validation {

inline constexpr double infinite = std::numeric_limits<double>::infinity();
inline constexpr laws::Elasticity steel{.youngs_modulus = 2.1e11, .poisson_ratio = 0.3};
inline constexpr laws::Cylinder pin{
    .radius = 4.75e-3, .length = 15e-3, .mass = 8.29e-3, .elasticity = steel};

inline laws::Cylinder hole(bool fixed) {
    return {
        .radius = 5e-3, .length = 15e-3, .mass = fixed ? infinite : 37.6e-3, .elasticity = steel};
}

inline laws::LineContact pin_in_hole(bool fixed = false) {
    return laws::internal_line_contact(pin, hole(fixed));
}

inline laws::Settings line_settings(const std::string& name,
                                    const std::map<std::string, laws::Value>& given = {}) {
    laws::Settings settings{.name = name, .values = {}};
    for (const laws::Parameter& p : laws::find_line(name)->parameters) {
        if (p.standard) settings.values.emplace(p.name, *p.standard);
        if (!p.standard_word.empty()) settings.values.emplace(p.name, std::string(p.standard_word));
    }
    for (const auto& [key, value] : given)
        settings.values.insert_or_assign(key, value);
    return settings;
}

inline laws::LineLaw law_of(const std::string& name,
                            const std::map<std::string, laws::Value>& given = {}) {
    return laws::make_line(pin_in_hole(), line_settings(name, given), 0.2);
}

inline double force(const laws::LineLaw& law, double overlap) {
    return law.respond(overlap, 0.0, {}).force;
}

template <class Action>
std::string refusal(Action action) {
    try {
        action();
    } catch (const ArgumentError& error) {
        return error.what();
    }
    return "none";
}

}  // namespace beadwave::validation

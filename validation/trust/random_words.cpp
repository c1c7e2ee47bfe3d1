#include "random_words.hpp"

#include "beadwave/laws/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace beadwave::validation {
namespace {

struct Stuff {
    const char* name;
    double modulus, poisson, yield, density;
};

constexpr std::array stuffs = {
    Stuff{"steel", 193e9, 0.3, 9e8, 7850},    Stuff{"brass", 103e9, 0.34, 2e8, 8500},
    Stuff{"glass", 62e9, 0.2, 2e9, 2500},     Stuff{"ptfe", 0.5e9, 0.46, 2e7, 2170},
    Stuff{"rubber", 1e7, 0.48, 1e6, 1100},    Stuff{"lead", 16e9, 0.44, 1e7, 11340},
    Stuff{"carbide", 600e9, 0.22, 5e9, 15600}};

bool needs_file(const laws::Entry& entry) {
    return std::ranges::any_of(entry.parameters,
                               [](const laws::Parameter& p) { return p.is_file || p.is_text; });
}

std::string number(const laws::Parameter& p, double value) {
    return p.accepts(value) ? fmt::format("{} = {:.6g}\n", p.name, value) : "";
}

std::string impact_speed(Dice& dice, const laws::Parameter& p, double speed, bool slow) {
    const bool own = slow || dice.chance(0.4);
    if (own && p.accepts("per-contact") && dice.chance(0.7))
        return "impact_speed = \"per-contact\"\n";
    return own ? number(p, speed * dice.decades(0.1, 10.0)) : "";
}

std::string random_parameter(Dice& dice, const laws::Parameter& p, double speed, bool slow) {
    if (p.name == "restitution") return number(p, dice.between(0.02, 1.0));
    if (p.name == "impact_speed") return impact_speed(dice, p, speed, slow);
    if (p.name == "min_impact_speed") return number(p, speed * dice.decades(1e-3, 1.0));
    if (p.required() && p.number_allowed) {
        const double usual = p.example.value_or(1.0);
        const double wanted = usual * dice.decades(0.03, 30.0);
        return number(p, p.accepts(wanted) ? wanted : usual);
    }
    if (!p.words.empty() && dice.chance(0.3)) {
        const std::string_view word = p.words[dice.below(p.words.size())];
        if (word != "initial" && word != "per-contact")
            return fmt::format("{} = \"{}\"\n", p.name, word);
    }
    return "";
}

}  // namespace

const std::vector<std::string>& material_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const Stuff& stuff : stuffs)
            all.emplace_back(stuff.name);
        return all;
    }();
    return names;
}

std::string materials() {
    std::string text;
    for (const Stuff& stuff : stuffs) {
        text += fmt::format(
            "[material.{}]\nyoungs_modulus = {}\npoisson_ratio = {}\nyield_stress = {}\n"
            "density = {}\n",
            stuff.name, stuff.modulus, stuff.poisson, stuff.yield, stuff.density);
    }
    return text;
}

std::string random_law(Dice& dice, double speed, bool slow) {
    const auto all = laws::catalogue();
    const laws::Entry* entry = nullptr;
    while (entry == nullptr || entry->make == nullptr || needs_file(*entry))
        entry = &all[dice.below(all.size())];
    std::string text = fmt::format("[law]\nname = \"{}\"\n", entry->name);
    for (const laws::Parameter& p : entry->parameters)
        text += random_parameter(dice, p, speed, slow);
    return text;
}

std::string random_friction(Dice& dice, double radius) {
    const double kind = dice.part();
    if (kind < 0.2) return "";
    std::string text = fmt::format("[friction]\ncoefficient = {:.6g}\n", dice.decades(0.02, 2.0));
    if (kind < 0.45) {
        text += fmt::format("law = \"linear\"\nstiffness = {:.6g}\n",
                            1e9 * radius * dice.decades(0.01, 10.0));
        if (dice.chance(0.5)) {
            text +=
                fmt::format("damping = {:.6g}\n", 1e6 * radius * radius * dice.decades(0.01, 10.0));
        }
    } else {
        text += kind < 0.9 ? "law = \"mindlin\"\n" : "law = \"mindlin-displacement\"\n";
    }
    return text;
}

std::string random_rolling(Dice& dice, bool flat) {
    if (!dice.chance(0.3)) return "";
    std::string text = fmt::format("[rolling]\ncoefficient = {:.6g}\n", dice.decades(1e-3, 0.3));
    std::string twisting;
    if (!flat && dice.chance(0.5))
        twisting = fmt::format("[twisting]\ncoefficient = {:.6g}\n", dice.decades(1e-3, 0.3));
    if (dice.chance(0.5)) text += fmt::format("damping_ratio = {:.6g}\n", dice.decades(0.01, 1.0));
    return text + twisting;
}

std::string random_press(Dice& dice) {
    const double depth = dice.decades(1e-7, 3e-5), time = dice.decades(3e-5, 3e-3);
    std::string csv = "time_s,displacement_m\n";
    constexpr int rows = 40;
    for (int row = 0; row <= rows; ++row) {
        const double t = static_cast<double>(row) / rows;
        csv += fmt::format("{:.9g},{:.9g}\n", time * t, depth * t * t * (3.0 - 2.0 * t));
    }
    return csv;
}

}  // namespace beadwave::validation

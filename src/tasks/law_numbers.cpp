#include "tasks/law_numbers.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "tasks/laws_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace beadwave::tasks {
namespace {

constexpr std::string_view damped_law = "poursina-nikravesh";

struct ImpactKey {
    const char* name;
    const char* allowed;
    double lowest, highest;  ///< lowest 0: itself not allowed
    double laws::DampedImpact::*number;
};

constexpr double unbounded = std::numeric_limits<double>::max();
constexpr std::array impact_keys{
    ImpactKey{"restitution", "a number from 0.0001 to 1", 1e-4, 1.0,
              &laws::DampedImpact::restitution},
    ImpactKey{"exponent", "a number from 1 to 2", 1.0, 2.0, &laws::DampedImpact::exponent},
    ImpactKey{"stiffness", "a number above 0, in N/m^n", 0.0, unbounded,
              &laws::DampedImpact::stiffness},
    ImpactKey{"mass", "a number above 0, in kg: the effective mass", 0.0, unbounded,
              &laws::DampedImpact::mass},
    ImpactKey{"speed", "a number above 0, in m/s", 0.0, unbounded, &laws::DampedImpact::speed}};

const ImpactKey& impact_key(const std::string& name) {
    const auto found =
        std::ranges::find_if(impact_keys, [&](const ImpactKey& key) { return name == key.name; });
    if (found != impact_keys.end()) return *found;
    std::vector<std::string> known;
    for (const ImpactKey& key : impact_keys)
        known.emplace_back(key.name);
    throw InputError(
        fmt::format("--at: there is no key \"{}\"{}; expected restitution, exponent, stiffness, "
                    "mass or speed",
                    shortened(name), did_you_mean(name, known)));
}

double number_of(const ImpactKey& key, const std::string& text) {
    double number = 0.0;
    char rest = '\0';
    const bool is_number = std::sscanf(text.c_str(), "%lf%c", &number, &rest) == 1;
    if (is_number && number <= key.highest && number >= key.lowest && number > 0.0) return number;
    throw InputError(
        fmt::format("--at {}={}: expected {}", key.name, shortened(text), key.allowed));
}

}  // namespace

LawNumbers law_numbers(const std::string& law, std::span<const std::string> at) {
    check_catalogued(law);
    if (law != damped_law) {
        throw InputError(fmt::format(
            "--at: {} has no numbers of one impact to show; expected {}, the law with an optimal "
            "damping",
            law, damped_law));
    }
    laws::DampedImpact impact{
        .restitution = 0.0, .exponent = 1.5, .stiffness = 0.0, .mass = 0.0, .speed = 0.0};
    for (const std::string& one : at) {
        const std::size_t equals = one.find('=');
        if (equals == std::string::npos) {
            throw InputError(fmt::format("--at {}: expected KEY=VALUE, such as restitution=0.7",
                                         shortened(one)));
        }
        const ImpactKey& key = impact_key(one.substr(0, equals));
        impact.*key.number = number_of(key, one.substr(equals + 1));
    }
    for (const ImpactKey& key : impact_keys) {
        if (!(impact.*key.number > 0.0))
            throw InputError(fmt::format("--at {}: missing; give {}", key.name, key.allowed));
    }
    return {.impact = impact, .damping = laws::optimal_damping(impact)};
}

nlohmann::ordered_json damping_json(const laws::OptimalDamping& damping) {
    return {{"optimum", damping.optimum}, {"bound", damping.bound},
            {"lambda", damping.lambda},   {"separation_overlap", damping.separation_overlap},
            {"fit", damping.fit},         {"fit_restitution", damping.fit_restitution}};
}

nlohmann::ordered_json LawNumbers::json() const {
    nlohmann::ordered_json json{{"name", damped_law},
                                {"at", nlohmann::ordered_json::object()},
                                {"damping", damping_json(damping)}};
    for (const ImpactKey& key : impact_keys)
        json["at"][key.name] = impact.*key.number;
    return json;
}

std::string LawNumbers::text() const {
    const auto row = [](std::string_view what, double value, std::string_view more) {
        return fmt::format("  {:<22}{:>14.6g} {}\n", what, value, more);
    };
    return fmt::format("{}: n = {:g}, K = {:g} N/m^{:g}, m = {:g} kg, {:g} m/s, e = {:g}\n",
                       damped_law, impact.exponent, impact.stiffness, impact.exponent, impact.mass,
                       impact.speed, impact.restitution) +
           row("optimal damping", damping.optimum, "N s/m") +
           row("upper bound", damping.bound, "N s/m, Poursina2020 Eq. (33)") +
           row("lambda", damping.lambda, "of the bound") +
           row("separation overlap", damping.separation_overlap, "m") +
           row("damping of the fit", damping.fit, "N s/m, Poursina2020 Eq. (49)") +
           row("it returns", damping.fit_restitution, "in place of e");
}

}  // namespace beadwave::tasks

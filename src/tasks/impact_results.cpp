#include "tasks/impact_results.hpp"

#include "beadwave/argument_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <utility>

namespace beadwave::tasks {
namespace {

using laws::ImpactPhase;

std::string_view name_of(ImpactPhase::Kind kind) {
    switch (kind) {
        case ImpactPhase::Kind::slip:
            return "slip";
        case ImpactPhase::Kind::jam:
            return "jam";
        case ImpactPhase::Kind::stick:
            return "stick";
        case ImpactPhase::Kind::reverse_slip:
            break;
    }
    return "reverse slip";
}

/// The phases in order, each once: slip, stick.
std::vector<std::string_view> names_of(const std::vector<ImpactPhase>& phases) {
    std::vector<std::string_view> names;
    for (const ImpactPhase& phase : phases) {
        const std::string_view name = name_of(phase.kind);
        if (names.empty() || names.back() != name) names.push_back(name);
    }
    return names;
}

/// A quantity of an impact, for the text and for JSON. NaN: it has none.
struct Quantity {
    const char *name, *text, *unit;
    double (*value)(const laws::RigidImpact&, const io::ImpactCase&, double speed);
};

constexpr double none = std::numeric_limits<double>::quiet_NaN();

constexpr Quantity quantities[] = {
    {"separation_speed", "separation speed", "m/s",
     [](const auto& i, const auto&, double) { return -i.after.approach; }},
    {"slip_speed", "slip speed after", "m/s",
     [](const auto& i, const auto&, double) { return i.after.slip; }},
    {"normal_impulse", "normal impulse", "N s",
     [](const auto& i, const auto&, double) { return i.normal_impulse; }},
    {"tangential_impulse", "tangential impulse", "N s",
     [](const auto& i, const auto&, double) { return i.tangential_impulse; }},
    {"impulse_ratio", "impulse ratio", "",
     [](const auto& i, const auto&, double) {
         return i.normal_impulse > 0.0 ? i.tangential_impulse / i.normal_impulse : none;
     }},
    {"dissipated_energy", "dissipated energy", "J",
     [](const auto& i, const auto&, double) { return i.dissipated; }},
    {"normal_dissipation", "  by the normal force", "J",
     [](const auto& i, const auto&, double) { return i.normal_dissipation(); }},
    {"friction_dissipation", "  by friction", "J",
     [](const auto& i, const auto&, double) { return i.friction_dissipation(); }},
    {"newton_restitution", "restitution, Newton", "",
     [](const auto& i, const auto&, double speed) { return -i.after.approach / speed; }},
    {"poisson_restitution", "restitution, Poisson", "",
     [](const auto& i, const auto&, double) {
         return i.normal_impulse / i.compression_impulse - 1.0;
     }},
    {"stronge_restitution", "restitution, Stronge", "",
     [](const auto& i, const auto&, double) {
         return std::sqrt(i.restitution_work / i.compression_work);
     }},
    {"hedrih_restitution", "restitution, Hedrih", "", [](const auto& i, const auto& c, double) {
         return laws::hedrih_restitution(c.first, c.second, i);
     }}};

nlohmann::ordered_json body_json(const laws::PlanarBody& body,
                                 const std::array<double, 2>& impulse) {
    const laws::MotionChange change = laws::motion_change(body, impulse);
    return {{"velocity_change", {change.velocity[0], change.velocity[1]}},
            {"angular_velocity", body.angular_velocity + change.angular_velocity}};
}

}  // namespace

nlohmann::ordered_json impact_json(const io::ImpactCase& given, double speed,
                                   const std::vector<ImpactResult>& results) {
    nlohmann::ordered_json json{{"contact", "rigid"},
                                {"speed", speed},
                                {"slip_speed", given.slip_speed},
                                {"restitution", given.restitution},
                                {"friction", given.friction},
                                {"impacts", nlohmann::ordered_json::object()}};
    for (const ImpactResult& result : results) {
        const laws::RigidImpact& impact = result.impact;
        nlohmann::ordered_json row{{"phases", names_of(impact.phases)}};
        for (const Quantity& quantity : quantities) {
            const double value = quantity.value(impact, given, speed);
            row[quantity.name] =
                std::isnan(value) ? nlohmann::ordered_json() : nlohmann::ordered_json(value);
        }
        const double t = impact.tangential_impulse, n = impact.normal_impulse;
        row["bodies"] = {body_json(given.first, {t, n}), body_json(given.second, {-t, -n})};
        json["impacts"][std::string(result.definition)] = std::move(row);
    }
    return json;
}

std::string impact_text(const io::ImpactCase& given, double speed,
                        const std::vector<ImpactResult>& results) {
    std::string text =
        fmt::format("rigid bodies at {:g} m/s, slip {:g} m/s, restitution {:g}, friction {:g}\n",
                    speed, given.slip_speed, given.restitution, given.friction);
    text += fmt::format("  {:<24}", "definition");
    for (const ImpactResult& result : results)
        text += fmt::format("{:>14}", result.definition);
    for (const Quantity& quantity : quantities) {
        if (std::isnan(quantity.value(results.front().impact, given, speed))) continue;
        text += fmt::format("\n  {:<24}", quantity.text);
        for (const ImpactResult& result : results)
            text += fmt::format("{:>14.6g}", quantity.value(result.impact, given, speed));
        if (*quantity.unit != 0) text += fmt::format(" {}", quantity.unit);
    }
    for (const ImpactResult& result : results) {
        text += fmt::format("\n  {}: {}", result.definition,
                            fmt::join(names_of(result.impact.phases), ", "));
        constexpr double rounding = 1e-12;
        const double taken = result.impact.compression_work + std::abs(result.impact.dissipated);
        if (result.impact.dissipated < -rounding * taken)
            text += "; creates energy: with friction this definition does not apply here";
    }
    return text + "\n";
}

}  // namespace beadwave::tasks

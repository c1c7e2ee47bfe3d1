#include "subjects/mechanism/mechanism_summary.hpp"

#include "jobs/numbers.hpp"
#include "jobs/si_text.hpp"
#include "jobs/summary.hpp"
#include "mechanism/contact_point.hpp"
#include "mechanism/dissipation_streams.hpp"
#include "mechanism/streams.hpp"
#include "mechanism/time_stepping.hpp"
#include "mechanism/wear_streams.hpp"
#include "mechanism/worn_bearing.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::jobs {
namespace {

using mechanism::Impact;
using nlohmann::ordered_json;

std::string name_of(const io::ReadMechanism& read, const mechanism::ContactImpacts& point) {
    return mechanism::contact_point_name(read.mechanism, point.contact, point.corner);
}

/// JSON has no NaN: an unknown number is null.
ordered_json number_or_null(double number) {
    return std::isfinite(number) ? ordered_json(number) : ordered_json(nullptr);
}

ordered_json json_of(const Impact& impact) {
    return {{"start", impact.start},
            {"end", number_or_null(impact.end)},
            {"impact_speed", impact.impact_speed},
            {"separation_speed", number_or_null(impact.separation_speed)},
            {"peak_force", number_or_null(impact.peak_force)},
            {"dissipated", impact.dissipated},
            {"largest_overlap", impact.largest_overlap},
            {"effective_mass", impact.mass},
            {"poisson_restitution", number_or_null(impact.poisson_restitution)},
            {"stronge_restitution", number_or_null(impact.stronge_restitution)}};
}

/// The results of a run, without how they were computed.
ordered_json numbers_of(const io::ReadMechanism& read, const mechanism::Result& result) {
    ordered_json bodies = ordered_json::array(), contacts = ordered_json::array();
    for (std::size_t i = 0; i < read.mechanism.bodies.size(); ++i) {
        const mechanism::BodyState& state = result.last.bodies[i];
        bodies.push_back({{"name", read.mechanism.bodies[i].name},
                          {"position", state.centre},
                          {"velocity", state.velocity},
                          {"angle", state.angle},
                          {"angular_velocity", state.angular_velocity}});
    }
    for (const mechanism::ContactImpacts& point : result.contact_points) {
        ordered_json impacts = ordered_json::array();
        for (const Impact& impact : point.impacts)
            impacts.push_back(json_of(impact));
        contacts.push_back({{"name", name_of(read, point)}, {"impacts", impacts}});
    }
    return {{"bodies", bodies},
            {"contacts", contacts},
            {"energy", ledger_json(recording::SystemKind::mechanism, result.last.ledger,
                                   result.largest_relative_energy_error)}};
}

/// The wear of each contact point [m^3]; the depth in journals with a profile, by angle [m].
ordered_json wear_json(const mechanism::Mechanism& mechanism, const mechanism::Result& result) {
    const mechanism::Sample& last = result.last;
    ordered_json worn = ordered_json::array(), depths = ordered_json::array();
    for (const mechanism::ContactSample& point : last.contact_points) {
        worn.push_back(point.worn);
        if (!point.worn_depth.empty()) depths.push_back(point.worn_depth);
    }
    ordered_json json{{"contact_wear", worn}};
    const std::vector<mechanism::ContactPoint> points = mechanism::contact_points_of(mechanism);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const mechanism::Contact& contact = mechanism.contacts[points[i].contact];
        if (!contact.wear || !contact.wear->pin_hardness) continue;
        json["worn_pins"].push_back(contact.name);
        json["pin_wear"].push_back(last.contact_points[i].pin_worn);
        const std::vector<double>& depth = last.contact_points[i].pin_depth;
        if (!depth.empty()) json["pin_wear_depth"].push_back(depth);
    }
    if (depths.empty()) return json;
    if (mechanism.wear_update_depth > 0.0) json["wear_updates"] = result.wear_updates;
    json["wear_depth"] = depths;
    for (const std::size_t contact : mechanism::worn_journals(mechanism))
        json["worn_journals"].push_back(mechanism.contacts[contact].name);
    return json;
}

/// "3.21e-15 m^3, deepest 2.3e-11 m at 181 degrees of the bearing"
std::string wear_text(const mechanism::ContactSample& point) {
    std::string text = fmt::format("worn by {:.4g} m^3", point.worn);
    const std::vector<double>& depth = point.worn_depth;
    if (depth.empty() || !(point.worn > 0.0)) return text;
    const auto deepest = std::ranges::max_element(depth);
    const double angle =
        mechanism::middle_of_bin(static_cast<std::size_t>(deepest - depth.begin()), depth.size());
    return text + fmt::format(", deepest {:.4g} m at {:.0f} degrees of the bearing", *deepest,
                              angle * 180.0 / std::numbers::pi);
}

std::string number_or_dash(double number, const char* form) {
    return std::isfinite(number) ? fmt::format(fmt::runtime(form), number) : std::string("-");
}

/// Change of a number of an impact in the stricter run.
std::string relative_change(double coarse, double fine) {
    return std::isfinite(coarse) && std::isfinite(fine) ? percent(fine - coarse, coarse) : "-";
}

void difference_table(SummaryText& text, const MechanismSummary& summary) {
    constexpr std::size_t most_impacts = 12;
    const mechanism::Result &coarse = summary.result, &fine = summary.stricter->result;
    text.line();
    text.row("check",
             summary.stricter->step > 0.0
                 ? fmt::format("with the step {:g} s the numbers change by", summary.stricter->step)
                 : fmt::format("with the accuracy {:g} the numbers change by",
                               summary.stricter->accuracy));
    ledger_change_rows(text, recording::SystemKind::mechanism, coarse.last.ledger,
                       fine.last.ledger);
    for (std::size_t i = 0; i < coarse.contact_points.size(); ++i) {
        const auto &ours = coarse.contact_points[i].impacts,
                   &theirs = fine.contact_points[i].impacts;
        text.line(fmt::format("\n  {}: {} impact{}, {} in the stricter run",
                              name_of(summary.read, coarse.contact_points[i]), ours.size(),
                              ours.size() == 1 ? "" : "s", theirs.size()));
        const std::size_t both = std::min({most_impacts, ours.size(), theirs.size()});
        if (both == 0) continue;
        const char* row = "  {:>14}{:>12}{:>12}{:>12}{:>14}{:>14}";
        text.line(fmt::format(fmt::runtime(row), "start", "duration", "impact", "separation",
                              "peak force", "dissipated"));
        for (std::size_t k = 0; k < both; ++k) {
            const Impact &x = ours[k], &y = theirs[k];
            text.line(fmt::format(fmt::runtime(row),
                                  fmt::format("{:+.2g} us", 1e6 * (y.start - x.start)),
                                  relative_change(x.end - x.start, y.end - y.start),
                                  relative_change(x.impact_speed, y.impact_speed),
                                  relative_change(x.separation_speed, y.separation_speed),
                                  relative_change(x.peak_force, y.peak_force),
                                  relative_change(x.dissipated, y.dissipated)));
        }
    }
}

}  // namespace

ordered_json MechanismSummary::json() const {
    ordered_json json{{"title", read.title}, {"law", read.laws}};
    json.update(numbers_of(read, result));
    json.update({{"time", result.last.time},
                 {"accuracy", read.mechanism.accuracy},
                 {"steps", result.steps},
                 {"rejected_steps", result.rejected_steps},
                 {"evaluations", result.evaluations},
                 {"wall_seconds", wall_seconds},
                 {"warnings", warnings}});
    if (const auto& stepping = read.mechanism.stepping) {
        json.erase("accuracy");
        json["time_stepping"] = {
            {"method", "moreau-jean"},
            {"step", stepping->step},
            {"theta", stepping->theta},
            {"penetration_tolerance", mechanism::penetration_tolerance_of(read.mechanism)},
            {"largest_penetration", result.penetration.depth}};
    }
    if (read.dissipation.any()) {
        const mechanism::ContactDissipation of = mechanism::total_dissipation(result.last);
        json["dissipation"] = {{"normal", of.normal}, {"sliding", of.sliding}};
    }
    if (mechanism::wears(read.mechanism)) json.update(wear_json(read.mechanism, result));
    if (!output.empty()) json["output"] = output;
    if (stricter) {
        const bool steps = stricter->step > 0.0;
        json["check"] = {{steps ? "step" : "accuracy", steps ? stricter->step : stricter->accuracy},
                         {"difference", difference(numbers_of(read, result),
                                                   numbers_of(read, stricter->result))}};
    }
    return json;
}

std::string MechanismSummary::text() const {
    constexpr std::size_t most_impacts = 12;
    SummaryText text;
    if (!read.title.empty()) text.line(read.title + "\n");
    text.row("mechanism",
             fmt::format("{} bodies, {} joints, {} contacts", read.mechanism.bodies.size(),
                         read.mechanism.joints.size(), read.mechanism.contacts.size()));
    text.row("law", read.laws.empty() ? "none" : read.laws);
    const auto& stepping = read.mechanism.stepping;
    text.row("time",
             fmt::format("{} in {} steps, {}; {:.3g} s of wall-clock time",
                         si_text(result.last.time, "s"), result.steps,
                         stepping ? fmt::format("Moreau-Jean with theta {:g}", stepping->theta)
                                  : fmt::format("accuracy {:g}", read.mechanism.accuracy),
                         wall_seconds));
    if (stepping) {
        text.row("overlap",
                 fmt::format("{} at most, tolerance {}", si_text(result.penetration.depth, "m"),
                             si_text(mechanism::penetration_tolerance_of(read.mechanism), "m")));
    }
    ledger_rows(text, recording::SystemKind::mechanism, result.last.ledger,
                result.largest_relative_energy_error,
                {{&recording::Ledger::external_work, " by motors and forces"}});
    for (std::size_t k = 0; k < result.contact_points.size(); ++k) {
        const mechanism::ContactImpacts& point = result.contact_points[k];
        const bool worn = read.mechanism.contacts[point.contact].wear.has_value();
        text.line(fmt::format("\n  {}: {} impact{}{}", name_of(read, point), point.impacts.size(),
                              point.impacts.size() == 1 ? "" : "s",
                              worn ? ", " + wear_text(result.last.contact_points[k]) : ""));
        if (point.impacts.empty()) continue;
        text.line(fmt::format("  {:>14}{:>12}{:>12}{:>12}{:>10}{:>14}{:>14}", "start", "duration",
                              "impact", "separation", "e", "peak force", "dissipated"));
        text.line(fmt::format("  {:>14}{:>12}{:>12}{:>12}{:>10}{:>14}{:>14}", "ms", "us", "m/s",
                              "m/s", "", "N", "J"));
        for (std::size_t i = 0; i < std::min(most_impacts, point.impacts.size()); ++i) {
            const Impact& hit = point.impacts[i];
            text.line(fmt::format("  {:>14}{:>12}{:>12}{:>12}{:>10}{:>14}{:>14}",
                                  number_or_dash(1e3 * hit.start, "{:.6f}"),
                                  number_or_dash(1e6 * (hit.end - hit.start), "{:.3f}"),
                                  number_or_dash(hit.impact_speed, "{:.6g}"),
                                  number_or_dash(hit.separation_speed, "{:.6g}"),
                                  number_or_dash(hit.separation_speed / hit.impact_speed, "{:.4g}"),
                                  number_or_dash(hit.peak_force, "{:.6g}"),
                                  number_or_dash(hit.dissipated, "{:.4g}")));
        }
        if (point.impacts.size() > most_impacts)
            text.line(fmt::format("  and {} more, see the history or --json",
                                  point.impacts.size() - most_impacts));
    }
    if (!output.empty()) {
        text.line();
        text.row("history", output);
    }
    if (stricter) difference_table(text, *this);
    return text.take();
}

}  // namespace beadwave::jobs

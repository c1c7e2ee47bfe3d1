#include "jobs/mechanism_summary.hpp"

#include "io/history/mechanism_history.hpp"
#include "jobs/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace beadwave::jobs {
namespace {

using mechanism::Impact;
using nlohmann::ordered_json;

/// JSON has no NaN: what is not known is null.
ordered_json known(double number) {
    return std::isfinite(number) ? ordered_json(number) : ordered_json(nullptr);
}

ordered_json json_of(const Impact& impact) {
    return {{"start", impact.start},
            {"end", known(impact.end)},
            {"closing_speed", impact.closing_speed},
            {"leaving_speed", known(impact.leaving_speed)},
            {"peak_force", known(impact.peak_force)},
            {"dissipated", impact.dissipated},
            {"largest_overlap", impact.largest_overlap},
            {"effective_mass", impact.mass}};
}

/// What a run is about, without how it was computed.
ordered_json numbers_of(const io::ReadMechanism& read, const mechanism::Result& result) {
    ordered_json bodies = ordered_json::array(), contacts = ordered_json::array();
    for (std::size_t i = 0; i < read.mechanism.bodies.size(); ++i) {
        const mechanism::BodyMotion& motion = result.last.bodies[i];
        bodies.push_back({{"name", read.mechanism.bodies[i].name},
                          {"position", motion.centre},
                          {"velocity", motion.velocity},
                          {"angle", motion.angle},
                          {"spin", motion.spin}});
    }
    for (const mechanism::SpotRecord& spot : result.spots) {
        ordered_json impacts = ordered_json::array();
        for (const Impact& impact : spot.impacts)
            impacts.push_back(json_of(impact));
        contacts.push_back({{"name", io::spot_name(read.mechanism, spot)}, {"impacts", impacts}});
    }
    const mechanism::Ledger& l = result.last.ledger;
    return {{"bodies", bodies},
            {"contacts", contacts},
            {"energy",
             {{"initial", l.initial},
              {"kinetic", l.kinetic},
              {"potential", l.potential},
              {"stored", l.stored},
              {"dissipated", l.dissipated},
              {"friction", l.friction},
              {"work", l.work},
              {"residual", l.relative_residual()}}}};
}

std::string told(double number, const char* form) {
    return std::isfinite(number) ? fmt::format(fmt::runtime(form), number) : std::string("-");
}

/// Change from one impact to the same one computed more strictly.
std::string changed(double coarse, double fine) {
    return std::isfinite(coarse) && std::isfinite(fine) ? percent(fine - coarse, coarse) : "-";
}

void difference_table(fmt::memory_buffer& out, const MechanismSummary& summary) {
    constexpr std::size_t most_impacts = 12;
    const auto line = [&](const std::string& words) {
        fmt::format_to(std::back_inserter(out), "{}\n", words);
    };
    const mechanism::Result &coarse = summary.result, &fine = summary.stricter->result;
    line(fmt::format("\n  check         with the accuracy {:g} the numbers change by",
                     summary.stricter->accuracy));
    const mechanism::Ledger &a = coarse.last.ledger, &b = fine.last.ledger;
    line(fmt::format(
        "  energy        kinetic {}, potential {}, stored {}, dissipated {}, friction "
        "{}, work {}, of the largest",
        percent(b.kinetic - a.kinetic, a.scale), percent(b.potential - a.potential, a.scale),
        percent(b.stored - a.stored, a.scale), percent(b.dissipated - a.dissipated, a.scale),
        percent(b.friction - a.friction, a.scale), percent(b.work - a.work, a.scale)));
    for (std::size_t i = 0; i < coarse.spots.size(); ++i) {
        const auto &ours = coarse.spots[i].impacts, &theirs = fine.spots[i].impacts;
        line(fmt::format("\n  {}: {} impact{}, and {} then",
                         io::spot_name(summary.read.mechanism, coarse.spots[i]), ours.size(),
                         ours.size() == 1 ? "" : "s", theirs.size()));
        const std::size_t both = std::min({most_impacts, ours.size(), theirs.size()});
        if (both == 0) continue;
        const char* row = "  {:>14}{:>12}{:>12}{:>12}{:>14}{:>14}";
        line(fmt::format(fmt::runtime(row), "start", "duration", "closing", "leaving", "peak force",
                         "dissipated"));
        for (std::size_t k = 0; k < both; ++k) {
            const Impact &x = ours[k], &y = theirs[k];
            line(fmt::format(
                fmt::runtime(row), fmt::format("{:+.2g} us", 1e6 * (y.start - x.start)),
                changed(x.end - x.start, y.end - y.start),
                changed(x.closing_speed, y.closing_speed),
                changed(x.leaving_speed, y.leaving_speed), changed(x.peak_force, y.peak_force),
                changed(x.dissipated, y.dissipated)));
        }
    }
}

}  // namespace

ordered_json MechanismSummary::json() const {
    ordered_json json = numbers_of(read, result);
    json.update({{"time", result.last.time},
                 {"accuracy", read.mechanism.accuracy},
                 {"steps", result.steps},
                 {"refused_steps", result.refused_steps},
                 {"evaluations", result.evaluations},
                 {"wall_seconds", wall_seconds}});
    if (stricter) {
        json["check"] = {{"accuracy", stricter->accuracy},
                         {"difference", difference(numbers_of(read, result),
                                                   numbers_of(read, stricter->result))}};
    }
    return json;
}

std::string MechanismSummary::text() const {
    constexpr std::size_t most_impacts = 12;
    fmt::memory_buffer out;
    const auto line = [&](const std::string& words) {
        fmt::format_to(std::back_inserter(out), "{}\n", words);
    };
    if (!read.title.empty()) line(read.title);
    line(fmt::format("  mechanism     {} bodies, {} joints, {} contacts; law {}",
                     read.mechanism.bodies.size(), read.mechanism.joints.size(),
                     read.mechanism.contacts.size(), read.laws.empty() ? "none" : read.laws));
    line(fmt::format("  time          {:.6g} s in {} steps, accuracy {:g}; {:.3g} s on the clock",
                     result.last.time, result.steps, read.mechanism.accuracy, wall_seconds));
    const mechanism::Ledger& l = result.last.ledger;
    line(fmt::format(
        "  energy        initial {:.6g} J + work {:.6g} J = kinetic {:.6g} J + "
        "potential {:.6g} J + stored {:.6g} J + dissipated {:.6g} J + friction {:.6g} J",
        l.initial, l.work, l.kinetic, l.potential, l.stored, l.dissipated, l.friction));
    line(fmt::format("  residual      {:.1e} of the largest energy", l.relative_residual()));
    for (const mechanism::SpotRecord& spot : result.spots) {
        line(fmt::format("\n  {}: {} impact{}", io::spot_name(read.mechanism, spot),
                         spot.impacts.size(), spot.impacts.size() == 1 ? "" : "s"));
        if (spot.impacts.empty()) continue;
        line(fmt::format("  {:>14}{:>12}{:>12}{:>12}{:>10}{:>14}{:>14}", "start", "duration",
                         "closing", "leaving", "e", "peak force", "dissipated"));
        line(fmt::format("  {:>14}{:>12}{:>12}{:>12}{:>10}{:>14}{:>14}", "ms", "us", "m/s", "m/s",
                         "", "N", "J"));
        for (std::size_t i = 0; i < std::min(most_impacts, spot.impacts.size()); ++i) {
            const Impact& hit = spot.impacts[i];
            line(fmt::format("  {:>14}{:>12}{:>12}{:>12}{:>10}{:>14}{:>14}",
                             told(1e3 * hit.start, "{:.6f}"),
                             told(1e6 * (hit.end - hit.start), "{:.3f}"),
                             told(hit.closing_speed, "{:.6g}"), told(hit.leaving_speed, "{:.6g}"),
                             told(hit.leaving_speed / hit.closing_speed, "{:.4g}"),
                             told(hit.peak_force, "{:.6g}"), told(hit.dissipated, "{:.4g}")));
        }
        if (spot.impacts.size() > most_impacts)
            line(fmt::format("  and {} more, in the history and --json",
                             spot.impacts.size() - most_impacts));
    }
    if (!output.empty()) line(fmt::format("\n  history       {}", output));
    if (stricter) difference_table(out, *this);
    return fmt::to_string(out);
}

}  // namespace beadwave::jobs

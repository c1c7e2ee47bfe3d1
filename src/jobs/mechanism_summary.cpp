#include "io/history/mechanism_history.hpp"
#include "jobs/mechanism_job.hpp"
#include "jobs/si_text.hpp"

#include <fmt/format.h>

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

}  // namespace

ordered_json mechanism_json(const io::ReadMechanism& read, const mechanism::Result& result,
                            double wall_seconds) {
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
              {"residual", l.relative_residual()}}},
            {"time", result.last.time},
            {"accuracy", read.mechanism.accuracy},
            {"steps", result.steps},
            {"refused_steps", result.refused_steps},
            {"evaluations", result.evaluations},
            {"wall_seconds", wall_seconds}};
}

std::string mechanism_text(const io::ReadMechanism& read, const mechanism::Result& result,
                           double wall_seconds, const std::string& output) {
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
            const auto told = [](double number, const char* form) {
                return std::isfinite(number) ? fmt::format(fmt::runtime(form), number)
                                             : std::string("-");
            };
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
    return fmt::to_string(out);
}

}  // namespace beadwave::jobs

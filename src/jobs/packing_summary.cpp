#include "jobs/packing_summary.hpp"

#include "jobs/numbers.hpp"
#include "jobs/si_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

namespace beadwave::jobs {
namespace {

using nlohmann::ordered_json;
using packing::Vec3;

ordered_json list_of(const Vec3& v) {
    return {v.x, v.y, v.z};
}

/// The numbers of a result that depend on the time step.
ordered_json numbers_of(const packing::Packing& packing, const running::PackingResult& result) {
    ordered_json energy;
    for (const recording::LedgerEntry& entry :
         recording::entries_of(recording::SystemKind::packing))
        energy[entry.name] = entry.of(result.ledger);
    energy["largest_relative_energy_error"] = result.largest_relative_energy_error;
    ordered_json sensors = ordered_json::array();
    for (const observers::SensorResult& r : result.sensors) {
        sensors.push_back(
            {{"particle", r.body},
             {"peak_contact_force", r.peak_force},
             {"arrival_time", r.arrival_time},
             {"peak_speed", r.peak_velocity},
             {"peak_speed_time", r.peak_velocity_time},
             {"position", list_of(packing.position[static_cast<std::size_t>(r.body)])}});
    }
    return {{"energy", energy},
            {"momentum", list_of(result.momentum)},
            {"initial_momentum", list_of(result.initial_momentum)},
            {"angular_momentum", list_of(result.angular_momentum)},
            {"initial_angular_momentum", list_of(result.initial_angular_momentum)},
            {"sensors", sensors}};
}

class Table {
  public:
    void row(const char* what, const std::string& value) {
        fmt::format_to(std::back_inserter(out_), "  {:<16}{}\n", what, value);
    }
    void line(const std::string& words) { fmt::format_to(std::back_inserter(out_), "{}\n", words); }
    std::string text() const { return fmt::to_string(out_); }

  private:
    fmt::memory_buffer out_;
};

std::string three(const Vec3& v) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x, v.y, v.z);
}

void sensor_table(Table& table, const running::PackingResult& result) {
    if (result.sensors.empty()) return;
    table.line(fmt::format("\n  {:>9} {:>14} {:>14} {:>14}", "particle", "net force", "arrival",
                           "peak speed"));
    table.line(fmt::format("  {:>9} {:>14} {:>14} {:>14}", "", "N", "us", "m/s"));
    for (const observers::SensorResult& r : result.sensors) {
        table.line(fmt::format("  {:>9} {:>14} {:>14.3f} {:>14}", r.body, fixed(r.peak_force, 3),
                               r.arrival_time * 1e6, fixed(r.peak_velocity, 5)));
    }
}

void difference_table(Table& table, const running::PackingResult& coarse,
                      const HalfStep<running::PackingResult>& half) {
    table.line("");
    table.row("check", fmt::format("with half the step, {}, the numbers change by",
                                   si_text(half.time_step, "s")));
    table.line(fmt::format("\n  {:>9} {:>14} {:>14} {:>14}", "particle", "net force", "arrival",
                           "peak speed"));
    for (std::size_t i = 0; i < coarse.sensors.size(); ++i) {
        const auto &c = coarse.sensors[i], &f = half.result.sensors[i];
        table.line(fmt::format("  {:>9} {:>14} {:>14} {:>14}", c.body,
                               percent(f.peak_force - c.peak_force, c.peak_force),
                               fmt::format("{:+.2g} us", (f.arrival_time - c.arrival_time) * 1e6),
                               percent(f.peak_velocity - c.peak_velocity, c.peak_velocity)));
    }
    table.line("");
    for (const recording::LedgerEntry& entry :
         recording::sampled_entries(recording::SystemKind::packing)) {
        if (*entry.unit == '\0') continue;
        std::string name = entry.name;
        std::ranges::replace(name, '_', ' ');
        table.row(
            ("  " + name).c_str(),
            percent(entry.of(half.result.ledger) - entry.of(coarse.ledger), coarse.ledger.scale) +
                " of the largest energy");
    }
}

}  // namespace

double PackingSummary::particle_steps_per_second() const {
    const running::PackingResult& result = finished.result;
    const double work =
        static_cast<double>(packing.particles()) * static_cast<double>(result.steps);
    return result.wall_seconds > 0.0 ? work / result.wall_seconds : 0.0;
}

std::string PackingSummary::text() const {
    const running::PackingResult& result = finished.result;
    const stepping::TimeStep& time_step = finished.trial.time_step;
    Table table;
    if (!scenario.title.empty()) table.line(scenario.title + "\n");
    table.row("law", scenario.law.name);
    table.row("particles", fmt::format("{}", packing.particles()));
    const double simulated = static_cast<double>(result.steps) * time_step.step;
    table.row("time step", time_step_text(time_step));
    table.row("steps", fmt::format("{} to t = {}{}", result.steps, si_text(simulated, "s"),
                                   result.stopped ? " (stopped early)" : ""));
    table.row("contacts",
              fmt::format(
                  "{} closed at the end, of {} pairs in the neighbour list; list rebuilt {} times",
                  result.closed_contacts, result.listed_pairs, result.neighbour_list_builds));
    sensor_table(table, result);

    const recording::Ledger& e = result.ledger;
    table.line("");
    table.row("energy", fmt::format("{} at the start", si_text(e.initial, "J")));
    table.row("  kinetic",
              fmt::format("{}: {} translational, {} rotational", si_text(e.kinetic, "J"),
                          si_text(e.translational, "J"), si_text(e.rotational, "J")));
    table.row("  stored", si_text(e.stored, "J"));
    table.row(
        "  dissipated",
        fmt::format("{}: {} by normal forces, {} by friction, {} by rolling and twisting",
                    si_text(e.dissipated, "J"), si_text(e.normal_dissipation, "J"),
                    si_text(e.friction_dissipation, "J"), si_text(e.rolling_dissipation, "J")));
    table.row("  external work", si_text(e.external_work, "J") + " by gravity and moving walls");
    table.row("  energy error", fmt::format("{}, {:.1e} of the largest energy, {:.1e} at most",
                                            si_text(e.energy_error, "J"), e.relative_energy_error,
                                            result.largest_relative_energy_error));
    table.row("momentum", fmt::format("{} kg m/s, {} at the start", three(result.momentum),
                                      three(result.initial_momentum)));
    table.row("angular", fmt::format("{} kg m^2/s, {} at the start", three(result.angular_momentum),
                                     three(result.initial_angular_momentum)));
    table.line("");
    table.row("speed", fmt::format("{:.3g} particle-steps/s, {:.3g} s on {} thread{}",
                                   particle_steps_per_second(), result.wall_seconds,
                                   finished.threads, finished.threads == 1 ? "" : "s"));
    if (!output.empty()) table.row("history", output);
    if (half_step) difference_table(table, result, *half_step);
    return table.text();
}

ordered_json PackingSummary::json() const {
    const running::PackingResult& result = finished.result;
    const stepping::TimeStep& time_step = finished.trial.time_step;
    ordered_json json{{"title", scenario.title},
                      {"law", scenario.law.name},
                      {"particles", packing.particles()},
                      {"steps", result.steps},
                      {"time_step", time_step.step},
                      {"shortest_contact", time_step.shortest_contact},
                      {"wall_seconds", result.wall_seconds},
                      {"particle_steps_per_second", particle_steps_per_second()},
                      {"threads", finished.threads},
                      {"contacts", result.closed_contacts},
                      {"listed_pairs", result.listed_pairs},
                      {"neighbour_list_builds", result.neighbour_list_builds}};
    json.update(numbers_of(packing, result));
    json["warnings"] = finished.warnings();
    if (half_step) {
        json["check"] = {{"time_step", half_step->time_step},
                         {"difference", difference(numbers_of(packing, result),
                                                   numbers_of(packing, half_step->result))}};
    }
    if (!output.empty()) json["output"] = output;
    return json;
}

}  // namespace beadwave::jobs

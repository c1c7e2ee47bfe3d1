#include "jobs/chain_summary.hpp"

#include "jobs/numbers.hpp"
#include "jobs/si_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace beadwave::jobs {
namespace {

void sensor_table(fmt::memory_buffer& out, const ChainSummary& s) {
    const auto& sensors = s.finished.result.sensors;
    if (sensors.empty()) return;
    fmt::format_to(std::back_inserter(out), "\n  {:>6} {:>14} {:>14} {:>16} {:>16}\n", "bead",
                   "peak force", "arrival", "peak velocity", "wave speed");
    fmt::format_to(std::back_inserter(out), "  {:>6} {:>14} {:>14} {:>16} {:>16}\n", "", "N", "us",
                   "m/s", "m/s");
    for (std::size_t i = 0; i < sensors.size(); ++i) {
        const auto& r = sensors[i];
        const double speed = i == 0 ? NAN : observers::wave_speed(sensors[i - 1], r);
        fmt::format_to(std::back_inserter(out), "  {:>6} {:>14} {:>14.3f} {:>16} {:>16}\n", r.body,
                       fixed(r.peak_force, 3), r.arrival_time * 1e6, fixed(r.peak_velocity, 5),
                       std::isfinite(speed) ? fmt::format("{:.1f}", speed) : "-");
    }
}

/// The numbers of a result that depend on the time step.
nlohmann::ordered_json numbers_of(const running::RunResult& result) {
    using nlohmann::ordered_json;
    ordered_json energy;
    for (const recording::LedgerEntry& entry : recording::entries_of(recording::SystemKind::chain))
        energy[entry.name] = entry.of(result.ledger);
    energy["largest_relative_energy_error"] = result.largest_relative_energy_error;
    ordered_json sensors = ordered_json::array();
    for (std::size_t i = 0; i < result.sensors.size(); ++i) {
        const auto& r = result.sensors[i];
        ordered_json sensor{{"bead", r.body},
                            {"peak_force", r.peak_force},
                            {"arrival_time", r.arrival_time},
                            {"peak_velocity", r.peak_velocity},
                            {"peak_velocity_time", r.peak_velocity_time},
                            {"position", r.position}};
        const double speed = i == 0 ? NAN : observers::wave_speed(result.sensors[i - 1], r);
        if (std::isfinite(speed)) sensor["wave_speed"] = speed;
        sensors.push_back(sensor);
    }
    return {{"energy", energy},
            {"momentum", result.momentum},
            {"initial_momentum", result.initial_momentum},
            {"sleep_loss_momentum", result.sleep_loss_momentum},
            {"sensors", sensors}};
}

void difference_table(fmt::memory_buffer& out, const running::RunResult& coarse,
                      const HalfStep<running::RunResult>& half) {
    const auto row = [&](const char* what, const std::string& value) {
        fmt::format_to(std::back_inserter(out), "  {:<16}{}\n", what, value);
    };
    fmt::format_to(std::back_inserter(out), "\n");
    row("check",
        fmt::format("with half the step, {}, the numbers change by", si_text(half.time_step, "s")));
    fmt::format_to(std::back_inserter(out), "\n  {:>6} {:>14} {:>14} {:>16} {:>16}\n", "bead",
                   "peak force", "arrival", "peak velocity", "wave speed");
    const auto& fine = half.result.sensors;
    for (std::size_t i = 0; i < fine.size(); ++i) {
        const auto& c = coarse.sensors[i];
        const auto& f = fine[i];
        const double speed = i == 0 ? NAN : observers::wave_speed(coarse.sensors[i - 1], c);
        const double fine_speed = i == 0 ? NAN : observers::wave_speed(fine[i - 1], f);
        const bool has_speed = std::isfinite(speed) && std::isfinite(fine_speed);
        fmt::format_to(std::back_inserter(out), "  {:>6} {:>14} {:>14} {:>16} {:>16}\n", c.body,
                       percent(f.peak_force - c.peak_force, c.peak_force),
                       fmt::format("{:+.2g} us", (f.arrival_time - c.arrival_time) * 1e6),
                       percent(f.peak_velocity - c.peak_velocity, c.peak_velocity),
                       has_speed ? percent(fine_speed - speed, speed) : "-");
    }
    const recording::Ledger &a = coarse.ledger, &b = half.result.ledger;
    fmt::format_to(std::back_inserter(out), "\n");
    row("  kinetic", percent(b.kinetic - a.kinetic, a.scale) + " of the largest energy");
    row("  stored", percent(b.stored - a.stored, a.scale));
    row("  dissipated", percent(b.dissipated - a.dissipated, a.scale));
    row("  external work", percent(b.external_work - a.external_work, a.scale));
    row("momentum", percent(half.result.momentum - coarse.momentum, coarse.momentum));
}

}  // namespace

double ChainSummary::bead_steps_per_second() const {
    const running::RunResult& result = finished.result;
    const double work = static_cast<double>(beads) * static_cast<double>(result.steps);
    return result.wall_seconds > 0.0 ? work / result.wall_seconds : 0.0;
}

double ChainSummary::halo_bytes_per_bead_step() const {
    const double steps = static_cast<double>(std::max<std::int64_t>(finished.result.steps, 1));
    return messages->halo_bytes / (static_cast<double>(beads) * steps);
}

std::string ChainSummary::text() const {
    const running::RunResult& result = finished.result;
    const stepping::TimeStep& time_step = finished.trial.time_step;
    const int threads = finished.threads;
    fmt::memory_buffer out;
    const auto row = [&](const char* what, const std::string& value) {
        fmt::format_to(std::back_inserter(out), "  {:<16}{}\n", what, value);
    };
    if (!scenario.title.empty()) fmt::format_to(std::back_inserter(out), "{}\n\n", scenario.title);
    row("law", scenario.law.name);
    row("beads", fmt::format("{}", beads));
    const double simulated = static_cast<double>(result.steps) * time_step.step;
    row("time step", time_step_text(time_step));
    row("steps", fmt::format("{} to t = {}{}", result.steps, si_text(simulated, "s"),
                             result.stopped ? " (stopped early)" : ""));
    sensor_table(out, *this);

    const recording::Ledger& e = result.ledger;
    fmt::format_to(std::back_inserter(out), "\n");
    row("energy", fmt::format("{} at the start", si_text(e.initial, "J")));
    row("  kinetic", si_text(e.kinetic, "J"));
    row("  stored", si_text(e.stored, "J"));
    row("  dissipated", si_text(e.dissipated, "J"));
    const bool driven = scenario.left.drive || scenario.right.drive;
    row("  external work",
        si_text(e.external_work, "J") +
            (driven ? " by gravity, loads and driven walls" : " by gravity and loads"));
    if (scenario.time.sleep_speed > 0.0) {
        row("  sleep loss", fmt::format("{}, with {:.3g} kg m/s", si_text(e.sleep_loss, "J"),
                                        result.sleep_loss_momentum));
    }
    row("  energy error", fmt::format("{}, {:.1e} of the largest energy, {:.1e} at most",
                                      si_text(e.energy_error, "J"), e.relative_energy_error,
                                      result.largest_relative_energy_error));
    row("momentum", fmt::format("{:.9g} kg m/s, {:.9g} at the start", result.momentum,
                                result.initial_momentum));
    fmt::format_to(std::back_inserter(out), "\n");
    row("speed",
        fmt::format("{:.3g} bead-steps/s, {:.3g} s on {} thread{}", bead_steps_per_second(),
                    result.wall_seconds, threads, threads == 1 ? "" : "s"));
    if (!output.empty()) row("history", output);
    if (half_step) difference_table(out, result, *half_step);
    return fmt::to_string(out);
}

nlohmann::ordered_json ChainSummary::json() const {
    using nlohmann::ordered_json;
    const running::RunResult& result = finished.result;
    const stepping::TimeStep& time_step = finished.trial.time_step;
    ordered_json json{{"title", scenario.title},
                      {"law", scenario.law.name},
                      {"beads", beads},
                      {"steps", result.steps},
                      {"time_step", time_step.step},
                      {"shortest_contact", time_step.shortest_contact},
                      {"wall_seconds", result.wall_seconds},
                      {"bead_steps_per_second", bead_steps_per_second()},
                      {"threads", finished.threads}};
    if (messages) {
        json["processes"] = messages->ranks;
        json["halo_bytes_per_bead_step"] = halo_bytes_per_bead_step();
        json["message_share_of_time"] = messages->mean_share;
        json["largest_message_share_of_time"] = messages->most_share;
    }
    json.update(numbers_of(result));
    json["warnings"] = finished.warnings();
    if (half_step) {
        json["check"] = {
            {"time_step", half_step->time_step},
            {"difference", difference(numbers_of(result), numbers_of(half_step->result))}};
    }
    if (!output.empty()) json["output"] = output;
    return json;
}

}  // namespace beadwave::jobs

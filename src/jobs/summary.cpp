#include "jobs/summary.hpp"

#include "jobs/numbers.hpp"
#include "jobs/si_text.hpp"
#include "observers/sensor_recorder.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace beadwave::jobs {
namespace {

using nlohmann::ordered_json;
using observers::SensorResult;
using recording::Ledger;
using recording::LedgerEntry;

std::string label_of(const LedgerEntry& entry) {
    std::string words = entry.name;
    std::ranges::replace(words, '_', ' ');
    return words;
}

bool is_energy(const LedgerEntry& entry) {
    return *entry.unit != '\0';
}

/// The speed between a sensor and the one before it [m/s]; NaN for the first.
double wave_speed(const std::vector<SensorResult>& sensors, std::size_t i) {
    return i == 0 ? NAN : observers::wave_speed(sensors[i - 1], sensors[i]);
}

ordered_json json_of(const std::vector<double>& components) {
    return components.size() == 1 ? ordered_json(components.front()) : ordered_json(components);
}

/// A row of the table of sensors; `wave_speed` may be empty. `mark`: one character.
std::string sensor_row(const std::string& body, const std::string& force,
                       const std::string& arrival, const std::string& velocity,
                       const std::string& wave_speed, char mark = ' ') {
    std::string row =
        fmt::format("  {:>6} {:>14} {:>14}{}{:>16}", body, force, arrival, mark, velocity);
    return wave_speed.empty() ? row : row + fmt::format(" {:>16}", wave_speed);
}

/// The time in us; a dash for what did not happen.
std::string microseconds(double time) {
    return std::isnan(time) ? "-" : fmt::format("{:.3f}", time * 1e6);
}

/// What the marks of the table mean; empty: there are none.
std::string earlier_humps(const std::vector<SensorResult>& sensors, const char* body) {
    constexpr std::size_t most = 8;
    std::string text;
    std::size_t marked = 0;
    for (const SensorResult& sensor : sensors) {
        if (std::isnan(sensor.earlier_hump_time) || ++marked > most) continue;
        text += fmt::format("{}{} {} at {} us", marked > 1 ? ", " : "", body, sensor.body,
                            microseconds(sensor.earlier_hump_time));
    }
    if (marked == 0) return text;
    return "  * a later, higher hump of the force; the first one: " + text +
           (marked > most ? fmt::format(", and {} more", marked - most) : "");
}

std::string text_of(const std::vector<double>& components) {
    return components.size() == 1 ? fmt::format("{:.9g}", components.front())
                                  : fmt::format("({:.6g})", fmt::join(components, ", "));
}

/// Nothing broke, as in all systems without bonds, or came and left.
bool is_absent(const LedgerEntry& entry, const Ledger& ledger) {
    return (entry.value == &Ledger::broken_energy || entry.value == &Ledger::inflow_energy) &&
           entry.of(ledger) == 0.0;
}

}  // namespace

void ledger_rows(SummaryText& text, recording::SystemKind system, const Ledger& ledger,
                 double largest_error, const LedgerNotes& notes) {
    const std::vector<LedgerEntry> entries = recording::sampled_entries(system);
    text.line();
    text.row("energy", si_text(ledger.initial, "J") + " at the start");
    for (auto entry = entries.begin(); entry != entries.end();) {
        const LedgerEntry& whole = *entry++;
        std::string value = si_text(whole.of(ledger), "J");
        const char* separator = ": ";
        for (; entry != entries.end() && entry->side == 0 && is_energy(*entry); ++entry) {
            if (is_absent(*entry, ledger)) continue;
            value += fmt::format("{}{} {}", separator, si_text(entry->of(ledger), "J"),
                                 label_of(*entry));
            separator = ", ";
        }
        const auto note = std::ranges::find(notes, whole.value, &LedgerNotes::value_type::first);
        if (note != notes.end()) value += note->second;
        if (whole.value == &Ledger::sleep_loss && note == notes.end()) continue;
        if (is_absent(whole, ledger)) continue;
        if (whole.value == &Ledger::energy_error)
            value += fmt::format(", {:.1e} of the largest energy, {:.1e} at most",
                                 ledger.relative_energy_error, largest_error);
        if (is_energy(whole)) text.row("  " + label_of(whole), value);
    }
}

void ledger_change_rows(SummaryText& text, recording::SystemKind system, const Ledger& coarse,
                        const Ledger& fine) {
    for (const LedgerEntry& entry : recording::sampled_entries(system)) {
        if (!is_energy(entry)) continue;
        if (is_absent(entry, coarse) && is_absent(entry, fine)) continue;
        text.row("  " + label_of(entry), percent(entry.of(fine) - entry.of(coarse), coarse.scale) +
                                             " of the largest energy");
    }
}

ordered_json ledger_json(recording::SystemKind system, const Ledger& ledger, double largest_error) {
    ordered_json json;
    for (const LedgerEntry& entry : recording::entries_of(system))
        json[entry.name] = entry.of(ledger);
    json["largest_relative_energy_error"] = largest_error;
    return json;
}

double SteppedSummary::body_steps_per_second() const {
    const running::RunEnd& result = numbers.result;
    const double work = static_cast<double>(bodies) * static_cast<double>(result.steps);
    return result.wall_seconds > 0.0 ? work / result.wall_seconds : 0.0;
}

ordered_json SteppedSummary::json_of(const SteppedNumbers& of) const {
    const running::RunEnd& result = of.result;
    ordered_json json{
        {"energy", ledger_json(system, result.ledger, result.largest_relative_energy_error)}};
    for (const Momentum& momentum : of.momenta) {
        json[momentum.name] = jobs::json_of(momentum.now);
        json[fmt::format("initial_{}", momentum.name)] = jobs::json_of(momentum.initial);
    }
    json.update(of.more);
    ordered_json sensors = ordered_json::array();
    for (std::size_t i = 0; i < result.sensors.size(); ++i) {
        const SensorResult& r = result.sensors[i];
        ordered_json sensor{{body, r.body}};
        for (const SensorColumn& column : sensor_columns)
            sensor[column.quantity.name] = r.*column.value;
        if (!std::isnan(r.earlier_hump_time)) sensor["earlier_hump_time"] = r.earlier_hump_time;
        sensor[sensor_columns.back().quantity.name + "_time"] = r.peak_velocity_time;
        sensor["position"] = of.positions[i];
        if (const double speed = wave_speed(result.sensors, i);
            has_wave_speed() && std::isfinite(speed))
            sensor["wave_speed"] = speed;
        sensors.push_back(sensor);
    }
    json["sensors"] = sensors;
    return json;
}

void SteppedSummary::sensor_heading(SummaryText& text, bool units) const {
    text.line("\n" + sensor_row(body, sensor_columns[0].heading, sensor_columns[1].heading,
                                sensor_columns[2].heading, has_wave_speed() ? "wave speed" : ""));
    if (units) text.line(sensor_row("", "N", "us", "m/s", has_wave_speed() ? "m/s" : ""));
}

void SteppedSummary::sensor_rows(SummaryText& text) const {
    const auto& sensors = numbers.result.sensors;
    if (sensors.empty()) return;
    sensor_heading(text, true);
    for (std::size_t i = 0; i < sensors.size(); ++i) {
        const SensorResult& r = sensors[i];
        const double speed = wave_speed(sensors, i);
        const std::string shown = std::isfinite(speed) ? fmt::format("{:.1f}", speed) : "-";
        text.line(sensor_row(fmt::format("{}", r.body), fixed(r.peak_force, 3),
                             microseconds(r.arrival_time), fixed(r.peak_velocity, 5),
                             has_wave_speed() ? shown : "",
                             std::isnan(r.earlier_hump_time) ? ' ' : '*'));
    }
    if (const std::string marks = earlier_humps(sensors, body); !marks.empty()) text.line(marks);
}

void SteppedSummary::change_rows(SummaryText& text) const {
    const running::RunEnd &coarse = numbers.result, &fine = half_step->numbers.result;
    text.line();
    text.row("check", fmt::format("with half the step, {}, the numbers change by",
                                  si_text(half_step->time_step, "s")));
    sensor_heading(text, false);
    for (std::size_t i = 0; i < coarse.sensors.size(); ++i) {
        const SensorResult &c = coarse.sensors[i], &f = fine.sensors[i];
        const double a = wave_speed(coarse.sensors, i), b = wave_speed(fine.sensors, i);
        const std::string shown = std::isfinite(a) && std::isfinite(b) ? percent(b - a, a) : "-";
        const double later = (f.arrival_time - c.arrival_time) * 1e6;
        text.line(sensor_row(fmt::format("{}", c.body),
                             percent(f.peak_force - c.peak_force, c.peak_force),
                             std::isnan(later) ? "-" : fmt::format("{:+.2g} us", later),
                             percent(f.peak_velocity - c.peak_velocity, c.peak_velocity),
                             has_wave_speed() ? shown : ""));
    }
    text.line();
    ledger_change_rows(text, system, coarse.ledger, fine.ledger);
    for (std::size_t i = 0; i < numbers.momenta.size(); ++i) {
        const std::vector<double>&c = numbers.momenta[i].now,
              &f = half_step->numbers.momenta[i].now;
        double change = 0.0, size = 0.0;
        for (std::size_t k = 0; k < c.size(); ++k) {
            change = std::hypot(change, f[k] - c[k]);
            size = std::hypot(size, c[k]);
        }
        if (c.size() == 1) change = f.front() - c.front();
        text.row(numbers.momenta[i].row, percent(change, size));
    }
}

std::string SteppedSummary::text() const {
    const running::RunEnd& result = numbers.result;
    SummaryText text;
    if (!scenario.title.empty()) text.line(scenario.title + "\n");
    text.row("law", scenario.law.name);
    text.row(fmt::format("{}s", body), fmt::format("{}", bodies));
    text.row("time step", time_step_text(time_step));
    const double simulated = static_cast<double>(result.steps) * time_step.step;
    text.row("steps", fmt::format("{} to t = {}{}", result.steps, si_text(simulated, "s"),
                                  result.stopped ? " (stopped early)" : ""));
    for (const auto& [name, value] : more_rows)
        text.row(name, value);
    sensor_rows(text);
    ledger_rows(text, system, result.ledger, result.largest_relative_energy_error, notes);
    for (const Momentum& momentum : numbers.momenta)
        text.row(momentum.row, fmt::format("{} {}, {} at the start", text_of(momentum.now),
                                           momentum.unit, text_of(momentum.initial)));
    text.line();
    text.row("speed",
             fmt::format("{:.3g} {}-steps/s, {:.3g} s on {}{} thread{}", body_steps_per_second(),
                         body, result.wall_seconds, device.empty() ? "" : device + " and ", threads,
                         threads == 1 ? "" : "s"));
    if (!output.empty()) text.row("history", output);
    if (half_step) change_rows(text);
    return text.take();
}

ordered_json SteppedSummary::json() const {
    const running::RunEnd& result = numbers.result;
    ordered_json json{{"title", scenario.title},
                      {"law", scenario.law.name},
                      {fmt::format("{}s", body), bodies},
                      {"steps", result.steps},
                      {"time_step", time_step.step},
                      {"time_step_rule", stepping::name_of(time_step.rule)},
                      {"shortest_contact", time_step.shortest_contact},
                      {"wall_seconds", result.wall_seconds},
                      {fmt::format("{}_steps_per_second", body), body_steps_per_second()},
                      {"threads", threads}};
    if (!device.empty()) json["device"] = device;
    json.update(more);
    const ordered_json own = json_of(numbers);
    json.update(own);
    json["warnings"] = warnings;
    if (half_step) {
        json["check"] = {{"time_step", half_step->time_step},
                         {"difference", difference(own, json_of(half_step->numbers))}};
    }
    if (!output.empty()) json["output"] = output;
    return json;
}

}  // namespace beadwave::jobs

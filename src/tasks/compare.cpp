#include "tasks/compare.hpp"

#include "beadwave/input_error.hpp"
#include "io/tables/measured_traces.hpp"
#include "jobs/read_job.hpp"
#include "tasks/law_names.hpp"
#include "tasks/null_progress.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <memory>

namespace beadwave::tasks {
namespace {

using nlohmann::ordered_json;

/// One law's job, ready to start.
struct Candidate {
    std::string law;
    std::unique_ptr<jobs::Job> job;
};

/// The quantities of a sensor, in this order for every kind of system.
constexpr std::size_t peak_force = 0, arrival = 1, peak_velocity = 2;

Candidate prepare(const CompareRequest& request, const std::string& law) {
    check_law_name(law);
    std::vector<std::string> overrides = request.overrides;
    overrides.push_back("law.name=" + law);
    try {
        return {.law = law, .job = jobs::read_job(request.scenario, overrides)};
    } catch (const InputError& error) {
        throw InputError(fmt::format("under law {}: {}", law, error.what()));
    }
}

/// The peaks of the measured traces, one per sensor.
std::vector<observers::SensorPeak> measured_peaks(const std::string& file,
                                                  const io::Columns& columns) {
    const std::size_t sensors = columns.sensors.size();
    if (sensors == 0)
        throw InputError("--measured: the scenario has no sensors to compare the traces with");
    const io::MeasuredTraces traces = io::read_measured_traces(file, sensors);
    std::vector<observers::SensorPeak> measured;
    for (std::size_t s = 0; s < traces.force.size(); ++s) {
        measured.push_back(observers::measured_peak(traces.time, traces.force[s]));
        if (!(measured.back().force > 0.0))
            throw InputError(fmt::format("{}: column {} has no force above 0 N", file, s + 2));
        if (columns.arrival_threshold > 0.0)
            measured.back().time =
                observers::threshold_time(traces.time, traces.force[s], columns.arrival_threshold);
    }
    return measured;
}

/// The progress of one law as a part of the progress of all.
class LawProgress : public NullProgress {
  public:
    using Clock = std::chrono::steady_clock;
    LawProgress(jobs::ProgressCallback& all, std::int64_t laws_before, Clock::time_point began)
        : NullProgress(all), all_(all), laws_before_(laws_before), began_(began) {}
    void begin(std::int64_t steps, double, std::size_t) override { steps_ = steps; }
    void progress(std::int64_t step, double) override {
        // The steps of a mechanism are not known before.
        const double part =
            steps_ > 0 ? static_cast<double>(step) / static_cast<double>(steps_) : 0.0;
        all_.progress(parts_per_law * laws_before_ +
                          static_cast<std::int64_t>(part * static_cast<double>(parts_per_law)),
                      std::chrono::duration<double>(Clock::now() - began_).count());
    }
    void done() {
        steps_ = 1;
        progress(1, 0.0);
    }

  private:
    jobs::ProgressCallback& all_;
    std::int64_t laws_before_, steps_ = 0;
    Clock::time_point began_;
};

Compared run(const Candidate& candidate, int threads,
             const std::vector<observers::SensorPeak>& measured, LawProgress callback) {
    Compared ran{.law = candidate.law,
                 .columns = candidate.job->columns(),
                 .result = candidate.job->run({.threads = threads}, callback),
                 .errors = {}};
    callback.done();
    if (!ran.result.stopped.empty())
        throw running::RunError(fmt::format("under law {}: {}", ran.law, ran.result.stopped));
    if (!measured.empty()) {
        std::vector<observers::SensorPeak> simulated;
        for (std::size_t s = 0; s < ran.columns.sensors.size(); ++s)
            simulated.push_back({ran.at_sensor(peak_force, s), ran.at_sensor(arrival, s)});
        ran.errors = observers::sensor_errors(simulated, measured);
    }
    return ran;
}

/// A number in the form of a column; a dash for what did not happen.
std::string dashed(const char* form, double number) {
    return std::isnan(number) ? "-" : fmt::format(fmt::runtime(form), number);
}

/// Mechanisms have no sensors: the table shows their impacts.
std::string impacts_text(const std::vector<Compared>& all) {
    std::string out = fmt::format("{:<24}{:>9}{:>16}{:>16}{:>16}{:>16}{:>10}{:>10}\n", "law",
                                  "impacts", "fastest m/s", "peak force N", "dissipated J",
                                  "energy error J", "seconds", "steps");
    for (const Compared& r : all) {
        out += fmt::format("{:<24}{:>9}{:>16}{:>16}{:>16.6g}{:>16.1e}{:>10.3g}{:>10}\n", r.law,
                           r.of_run("impacts"), dashed("{:.6g}", r.of_run("fastest_impact")),
                           dashed("{:.6g}", r.of_run("peak_force")), r.of_run("dissipated_energy"),
                           r.of_run("energy_error"), r.result.wall_seconds, r.of_run("steps"));
    }
    return out;
}

std::string text_of(const std::vector<Compared>& all) {
    if (all.front().has("impacts")) return impacts_text(all);
    std::string out;
    // A sensor that no wave has reached has nothing to compare with.
    const auto to_first = [](double force, double of_first) {
        return of_first == 0.0 ? std::string(force == 0.0 ? "0.00 %" : "-")
                               : fmt::format("{:.2f} %", 100.0 * (force / of_first - 1.0));
    };
    const auto line = [&](const std::string& text) { out += text + "\n"; };
    const Compared& first = all.front();
    const bool measured = !first.errors.empty();
    const std::string cost = fmt::format("  ns/{}-step", first.columns.body);
    // The energy error of this table is relative to the largest entry of the energy ledger.
    line(fmt::format("{:<24}{:>12}{:>14}{}{:>10}", "law", "dissipated", "energy error", cost,
                     "cost"));
    for (const Compared& r : all) {
        line(fmt::format("{:<24}{:>10.3f} %{:>14.1e}{:>{}.2f}{:>9.2f}x", r.law,
                         100.0 * r.of_run("dissipated_energy") / r.result.largest_energy,
                         r.of_run("relative_energy_error"), r.nanoseconds(), cost.size(),
                         r.nanoseconds() / first.nanoseconds()));
    }
    if (first.columns.sensors.empty()) return out;
    line(fmt::format("\n{:<24}{:>9}{:>12}{:>12}{:>12}{:>12}{:>14}{}", "law", first.columns.body,
                     "peak N", "to first", "arrival us", "to first", "velocity m/s",
                     measured ? "   peak error  arrival error us" : ""));
    for (const Compared& r : all) {
        for (std::size_t s = 0; s < r.columns.sensors.size(); ++s) {
            const std::string error =
                measured ? fmt::format("{:>11.2f} %{:>18}", 100.0 * r.errors[s].peak_force,
                                       dashed("{:.2f}", 1e6 * r.errors[s].arrival))
                         : "";
            const double force = r.at_sensor(peak_force, s), time = r.at_sensor(arrival, s);
            line(fmt::format("{:<24}{:>9} {:>#11.6g}{:>12}{:>12}{:>12} {:>#13.5g}{}",
                             s == 0 ? r.law : "", r.columns.sensors[s], force,
                             to_first(force, first.at_sensor(peak_force, s)),
                             dashed("{:.3f}", 1e6 * time),
                             dashed("{:.3f}", 1e6 * (time - first.at_sensor(arrival, s))),
                             r.at_sensor(peak_velocity, s), error));
        }
    }
    return out;
}

ordered_json json_of(const std::vector<Compared>& all) {
    const Compared& first = all.front();
    ordered_json list = ordered_json::array();
    for (const Compared& r : all) {
        ordered_json sensors = ordered_json::array();
        for (std::size_t s = 0; s < r.columns.sensors.size(); ++s) {
            const double force = r.at_sensor(peak_force, s), time = r.at_sensor(arrival, s);
            ordered_json sensor{{r.columns.body, r.columns.sensors[s]}};
            for (std::size_t q = 0; q < r.columns.of_sensor.size(); ++q)
                sensor[r.columns.of_sensor[q].json_name()] = r.at_sensor(q, s);
            sensor["peak_force_difference"] = force / first.at_sensor(peak_force, s) - 1.0;
            sensor["arrival_difference"] = time - first.at_sensor(arrival, s);
            if (!r.errors.empty()) {
                sensor["peak_force_error"] = r.errors[s].peak_force;
                sensor["arrival_error"] = r.errors[s].arrival;
            }
            sensors.push_back(sensor);
        }
        list.push_back({{"law", r.law},
                        {"dissipated_energy", r.of_run("dissipated_energy")},
                        {"initial_energy", r.of_run("initial_energy")},
                        {"energy_error", r.of_run("energy_error")},
                        {"relative_energy_error", r.of_run("relative_energy_error")},
                        {fmt::format("nanoseconds_per_{}_step", r.columns.body), r.nanoseconds()},
                        {"relative_cost", r.nanoseconds() / first.nanoseconds()},
                        {"warnings", r.result.warnings},
                        {"sensors", sensors}});
        if (!r.has("impacts")) continue;
        for (const std::string_view name : {"impacts", "fastest_impact", "peak_force", "steps"})
            list.back()[std::string(name)] = r.of_run(name);
        list.back()["wall_seconds"] = r.result.wall_seconds;
    }
    return {{"laws", list}};
}

}  // namespace

double Compared::of_run(std::string_view name) const {
    const auto found = std::ranges::find(columns.of_run, name, &io::Quantity::name);
    return result.numbers[columns.of_sensor.size() * columns.sensors.size() +
                          static_cast<std::size_t>(found - columns.of_run.begin())];
}

bool Compared::has(std::string_view name) const {
    return std::ranges::find(columns.of_run, name, &io::Quantity::name) != columns.of_run.end();
}

double Compared::at_sensor(std::size_t quantity, std::size_t sensor) const {
    return result.numbers[quantity * columns.sensors.size() + sensor];
}

double Compared::nanoseconds() const {
    return 1e9 * result.wall_seconds / result.updates;
}

std::string Comparison::text() const {
    return text_of(laws);
}

ordered_json Comparison::json() const {
    return json_of(laws);
}

Comparison compare(const CompareRequest& request, jobs::ProgressCallback& callback) {
    std::vector<Candidate> candidates;
    for (const std::string& law : request.laws)
        candidates.push_back(prepare(request, law));
    if (candidates.empty())
        throw InputError("--laws: is empty; expected names of laws, for example hertz,ma-liu");

    std::vector<observers::SensorPeak> measured;
    if (!request.measured.empty()) {
        measured = measured_peaks(request.measured, candidates.front().job->columns());
    }
    callback.begin(parts_per_law * static_cast<std::int64_t>(candidates.size()), 0.0, 1);
    const auto began = LawProgress::Clock::now();
    Comparison all;
    for (const Candidate& candidate : candidates)
        all.laws.push_back(run(candidate, request.threads, measured,
                               {callback, static_cast<std::int64_t>(all.laws.size()), began}));
    return all;
}

}  // namespace beadwave::tasks

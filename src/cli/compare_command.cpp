#include "beadwave/chain/chain.hpp"
#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/running/attempts.hpp"
#include "cli/commands.hpp"
#include "io/scenario/scenario_reader.hpp"
#include "io/tables/measured_traces.hpp"
#include "observers/comparison.hpp"
#include "running/model.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>
#include <sstream>

namespace beadwave::cli {
namespace {

using nlohmann::ordered_json;

/// One law's run, ready to start.
struct Candidate {
    std::string law;
    io::ReadScenario read;
    chain::Chain chain;
    dynamics::TimeStep time_step;
};

struct Outcome {
    std::string law;
    running::RunResult result;
    std::vector<std::string> notes;
    double nanoseconds;                          ///< per bead-step
    std::vector<observers::SensorError> errors;  ///< against the measurement, if there is one
};

Candidate prepare(const CompareOptions& options, const std::string& law) {
    if (laws::find(law) == nullptr) {
        throw InputError(fmt::format("--laws: no law \"{}\"{} (beadwave laws lists all)", law,
                                     did_you_mean(law, laws::known_names())));
    }
    std::vector<std::string> overrides = options.overrides;
    overrides.push_back("law.name=" + law);
    Candidate c{.law = law, .read = {}, .chain = {}, .time_step = {}};
    try {
        c.read = io::read_scenario(options.scenario, overrides);
        c.chain = running::build_chain(c.read.scenario);
        c.time_step = running::choose_time_step(c.read.scenario, c.chain);
    } catch (const InputError& error) {
        throw InputError(fmt::format("under law {}: {}", law, error.what()));
    }
    return c;
}

Outcome run(const Candidate& c, int threads) {
    running::Finished finished = running::run_chain(c.chain, running::settings_of(c.read.scenario),
                                                    {.time_step = c.time_step}, threads, {});
    Outcome outcome{.law = c.law,
                    .result = std::move(finished.result),
                    .notes = finished.notes(),
                    .nanoseconds = 0.0,
                    .errors = {}};
    const double bead_steps =
        static_cast<double>(c.chain.beads()) * static_cast<double>(outcome.result.steps);
    outcome.nanoseconds = 1e9 * outcome.result.wall_seconds / bead_steps;
    return outcome;
}

std::string text(const std::vector<Outcome>& outcomes) {
    fmt::memory_buffer out;
    const auto line = [&](const std::string& words) {
        fmt::format_to(std::back_inserter(out), "{}\n", words);
    };
    const Outcome& first = outcomes.front();
    const bool measured = !first.errors.empty();
    line(fmt::format("{:<24}{:>12}{:>12}{:>14}{:>10}", "law", "dissipated", "residual",
                     "ns/bead-step", "cost"));
    for (const Outcome& o : outcomes) {
        const auto& ledger = o.result.ledger;
        line(fmt::format("{:<24}{:>10.3f} %{:>12.1e}{:>14.2f}{:>9.2f}x", o.law,
                         100.0 * ledger.dissipated / ledger.scale, ledger.residual, o.nanoseconds,
                         o.nanoseconds / first.nanoseconds));
    }
    if (first.result.sensors.empty()) return fmt::to_string(out);
    line(fmt::format("\n{:<24}{:>6}{:>12}{:>12}{:>12}{:>12}{:>14}{}", "law", "bead", "peak N",
                     "to first", "arrival us", "to first", "velocity m/s",
                     measured ? "   peak error  arrival error us" : ""));
    for (const Outcome& o : outcomes) {
        for (std::size_t s = 0; s < o.result.sensors.size(); ++s) {
            const auto& r = o.result.sensors[s];
            const auto& f = first.result.sensors[s];
            const std::string error =
                measured ? fmt::format("{:>11.2f} %{:>18.2f}", 100.0 * o.errors[s].peak_force,
                                       1e6 * o.errors[s].arrival)
                         : "";
            line(fmt::format("{:<24}{:>6}{:>#12.6g}{:>10.2f} %{:>12.3f}{:>12.3f}{:>#14.5g}{}",
                             s == 0 ? o.law : "", r.bead, r.peak_force,
                             100.0 * (r.peak_force / f.peak_force - 1.0), 1e6 * r.peak_force_time,
                             1e6 * (r.peak_force_time - f.peak_force_time), r.peak_velocity,
                             error));
        }
    }
    return fmt::to_string(out);
}

ordered_json json(const std::vector<Outcome>& outcomes) {
    const Outcome& first = outcomes.front();
    ordered_json list = ordered_json::array();
    for (const Outcome& o : outcomes) {
        ordered_json sensors = ordered_json::array();
        for (std::size_t s = 0; s < o.result.sensors.size(); ++s) {
            const auto& r = o.result.sensors[s];
            const auto& f = first.result.sensors[s];
            ordered_json sensor{{"bead", r.bead},
                                {"peak_force", r.peak_force},
                                {"peak_force_time", r.peak_force_time},
                                {"peak_velocity", r.peak_velocity},
                                {"peak_force_difference", r.peak_force / f.peak_force - 1.0},
                                {"arrival_difference", r.peak_force_time - f.peak_force_time}};
            if (!o.errors.empty()) {
                sensor["peak_force_error"] = o.errors[s].peak_force;
                sensor["arrival_error"] = o.errors[s].arrival;
            }
            sensors.push_back(sensor);
        }
        list.push_back({{"law", o.law},
                        {"dissipated_energy", o.result.ledger.dissipated},
                        {"initial_energy", o.result.ledger.initial},
                        {"residual", o.result.ledger.residual},
                        {"nanoseconds_per_bead_step", o.nanoseconds},
                        {"relative_cost", o.nanoseconds / first.nanoseconds},
                        {"notes", o.notes},
                        {"sensors", sensors}});
    }
    return {{"laws", list}};
}

}  // namespace

int compare_command(const CompareOptions& options) {
    std::vector<Candidate> candidates;
    std::stringstream names(options.laws);
    for (std::string law; std::getline(names, law, ',');)
        candidates.push_back(prepare(options, law));
    if (candidates.empty()) throw InputError("--laws: empty; expected names of laws, a,b,c");

    const auto& sensors = candidates.front().read.scenario.sensors;
    std::vector<observers::MeasuredPeak> measured;
    if (!options.measured.empty()) {
        if (!sensors)
            throw InputError("--measured: the scenario has no sensors to hold the traces against");
        const io::MeasuredTraces traces =
            io::read_measured_traces(options.measured, sensors->ids.size());
        for (std::size_t s = 0; s < traces.force.size(); ++s) {
            measured.push_back(observers::measured_peak(traces.time, traces.force[s]));
            if (!(measured.back().force > 0.0)) {
                throw InputError(
                    fmt::format("{}: column {} has no force above 0 N", options.measured, s + 2));
            }
        }
    }
    std::vector<Outcome> outcomes;
    for (const Candidate& c : candidates) {
        outcomes.push_back(run(c, options.threads));
        if (!measured.empty())
            outcomes.back().errors = sensor_errors(outcomes.back().result.sensors, measured);
    }
    if (options.json) fmt::print("{}\n", json(outcomes).dump(2));
    fmt::print(options.json ? stderr : stdout, "{}", text(outcomes));
    for (const Outcome& o : outcomes) {
        for (const std::string& note : o.notes)
            fmt::print(stderr, "beadwave: note: under law {}: {}\n", o.law, note);
    }
    return 0;
}

}  // namespace beadwave::cli

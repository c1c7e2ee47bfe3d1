#include "jobs/chain_job.hpp"

#include "dynamics/tiled_engine.hpp"
#include "jobs/chain_recording.hpp"
#include "jobs/chain_summary.hpp"
#include "jobs/checkpoints.hpp"
#include "jobs/half_step.hpp"
#include "jobs/threads.hpp"
#include "running/model.hpp"

#include <iterator>
#include <utility>

namespace beadwave::jobs {
namespace {

struct SensorColumn {
    io::Quantity quantity;
    double observers::SensorResult::*value;
};

const std::vector<SensorColumn>& sensor_columns() {
    using observers::SensorResult;
    static const std::vector<SensorColumn> columns{
        {{"peak_force", "N", "N", ""}, &SensorResult::peak_force},
        {{"arrival", "s", "s", "peak_force_time"}, &SensorResult::peak_force_time},
        {{"peak_velocity", "m s-1", "m_per_s", ""}, &SensorResult::peak_velocity}};
    return columns;
}

std::vector<double> numbers_of(const running::Finished& finished) {
    const running::RunResult& result = finished.result;
    std::vector<double> numbers;
    for (const SensorColumn& column : sensor_columns()) {
        for (const observers::SensorResult& sensor : result.sensors)
            numbers.push_back(sensor.*column.value);
    }
    for (const observers::LedgerEntry& entry : observers::ledger_entries)
        numbers.push_back(entry.of(result.ledger));
    numbers.push_back(result.momentum);
    numbers.push_back(static_cast<double>(result.steps));
    numbers.push_back(finished.attempt.time_step.step);
    return numbers;
}

}  // namespace

ChainJob::ChainJob(io::ReadScenario read)
    : read_(std::move(read)),
      chain_(running::build_chain(read_.scenario)),
      time_step_(running::choose_time_step(read_.scenario, chain_)) {}

std::vector<std::string> ChainJob::notes() const {
    return read_.notes;
}

io::Columns ChainJob::columns() const {
    io::Columns columns;
    for (const SensorColumn& column : sensor_columns())
        columns.of_sensor.push_back(column.quantity);
    if (read_.scenario.sensors) columns.sensors = read_.scenario.sensors->ids;
    for (const observers::LedgerEntry& entry : observers::ledger_entries)
        columns.of_run.push_back({entry.quantity, entry.unit, entry.unit, entry.name});
    columns.of_run.push_back({"momentum", "kg m s-1", "kg_m_per_s", ""});
    columns.of_run.push_back({"steps", "", "", ""});
    columns.of_run.push_back({"time_step", "s", "s", ""});
    return columns;
}

double ChainJob::memory() const {
    return running::memory_needed(read_.scenario, chain_);
}

running::Attempt ChainJob::first_attempt(const Request& request) const {
    if (request.from == nullptr) return {.time_step = time_step_};
    return attempt_of(*request.from, time_step_, running::settings_of(read_.scenario),
                      request.checkpoint.string());
}

Outcome ChainJob::run(const Request& request, Watcher& watcher) const {
    const chain::Scenario& scenario = read_.scenario;
    const running::Settings settings = running::settings_of(scenario);
    const running::Attempt first = first_attempt(request);
    const int threads =
        start_threads(request.threads, dynamics::worthwhile_threads(chain_.beads()), watcher);
    std::string how_to_continue;
    const running::Finished finished = [&] {
        if (request.output.empty()) {
            running::Sinks sinks;
            sinks.stop = [&] { return watcher.stop(); };
            if (SensorTraces* const traces = request.traces) {
                sinks.sensors = [traces](auto, double time, auto force, auto) {
                    traces->row.assign(force.begin(), force.end());
                    traces->add(time);
                };
            }
            return running::run_chain(chain_, settings, first, threads,
                                      [&](const running::Attempt&, dynamics::Engine&) {
                                          if (request.traces != nullptr) *request.traces = {};
                                          return sinks;
                                      });
        }
        const ChainRecording recording{.output = {request.output, request.force},
                                       .scenario_text = scenario.text,
                                       .law = scenario.law.name,
                                       .file_texts = scenario.file_texts,
                                       .checkpoints = scenario.checkpoints,
                                       .from = request.from,
                                       .checkpoint = request.checkpoint};
        Recorded recorded = record_chain(chain_, settings, first, threads, recording, watcher);
        how_to_continue = std::move(recorded.how_to_continue);
        return std::move(recorded.finished);
    }();
    const running::RunResult& result = finished.result;
    ChainSummary summary{.scenario = scenario,
                         .beads = chain_.beads(),
                         .finished = finished,
                         .output = request.output.string(),
                         .half_step = {}};
    if (request.check && !result.stopped)
        summary.half_step = run_at_half_step(chain_, settings, finished, watcher);

    Outcome outcome{
        .numbers = numbers_of(finished),
        .notes = finished.notes(),
        .doubts = finished.doubts,
        .stopped = {},
        .updates = static_cast<double>(chain_.beads()) * static_cast<double>(result.steps),
        .wall_seconds = result.wall_seconds,
        .largest_energy = result.ledger.scale,
        .text = {},
        .json = {}};
    if (result.stopped) {
        outcome.stopped =
            interrupted(static_cast<double>(result.steps) * finished.attempt.time_step.step,
                        settings.end, request.output, how_to_continue);
    }
    if (!request.output.empty()) {
        outcome.text = summary.text();
        outcome.json = summary.json();
    }
    return outcome;
}

}  // namespace beadwave::jobs

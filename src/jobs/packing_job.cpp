#include "jobs/packing_job.hpp"

#include "jobs/chain_recording.hpp"
#include "jobs/checkpoints.hpp"
#include "jobs/half_step.hpp"
#include "jobs/packing_memory.hpp"
#include "jobs/packing_recording.hpp"
#include "jobs/packing_summary.hpp"
#include "jobs/threads.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <utility>

namespace beadwave::jobs {
namespace {

using observers::PackingSensorResult;

struct SensorColumn {
    io::Quantity quantity;
    double PackingSensorResult::*value;
};

/// In the same order for all systems: force, arrival, velocity.
const std::vector<SensorColumn>& sensor_columns() {
    static const std::vector<SensorColumn> columns{
        {{"peak_contact_force", "N", "N", ""}, &PackingSensorResult::peak_force},
        {{"arrival_time", "s", "s", ""}, &PackingSensorResult::arrival_time},
        {{"peak_speed", "m s-1", "m_per_s", ""}, &PackingSensorResult::peak_speed}};
    return columns;
}

std::vector<double> numbers_of(const running::PackingFinished& finished) {
    const running::PackingResult& result = finished.result;
    std::vector<double> numbers;
    for (const SensorColumn& column : sensor_columns()) {
        for (const PackingSensorResult& sensor : result.sensors)
            numbers.push_back(sensor.*column.value);
    }
    for (const observers::PackingLedgerEntry& entry : observers::packing_ledger_entries)
        numbers.push_back(entry.of(result.ledger));
    numbers.insert(numbers.end(), {result.momentum.x, result.momentum.y, result.momentum.z});
    numbers.push_back(static_cast<double>(result.closed_contacts));
    numbers.push_back(static_cast<double>(result.steps));
    numbers.push_back(finished.trial.time_step.step);
    return numbers;
}

/// A run without files. Samples go to `memory` or `traces`, whichever is not null.
running::PackingFinished run_unrecorded(const packing::Packing& packing,
                                        const running::Settings& settings,
                                        const running::StepTrial& first, int threads,
                                        ProgressCallback& callback, PackingMemory* memory = nullptr,
                                        SensorTraces* traces = nullptr) {
    return running::run_packing(
        packing, settings, first, threads,
        [&](const running::StepTrial& trial, packing::PackingEngine& engine) {
            running::PackingSinks sinks;
            if (memory != nullptr) {
                memory->begin(trial, engine);
                sinks = memory->sinks();
            } else if (traces != nullptr) {
                *traces = {};
                sinks.sensors = [traces](auto, double time, std::span<const packing::Vec3> force,
                                         auto) {
                    traces->row.clear();
                    for (const packing::Vec3& f : force)
                        traces->row.push_back(std::sqrt(dot(f, f)));
                    traces->add(time);
                };
            }
            sinks.stop = [&] { return callback.stop(); };
            sinks.progress = [&](auto step, auto seconds) { callback.progress(step, seconds); };
            callback.begin(trial.time_step.count, trial.time_step.step, packing.particles());
            return sinks;
        });
}

PackingHalfStep run_at_half_step(const packing::Packing& packing, const running::Settings& settings,
                                 const running::PackingFinished& whole,
                                 ProgressCallback& callback) {
    const running::StepTrial half = at_half_step(whole.trial, settings);
    auto finished = run_unrecorded(packing, settings, half, whole.threads, callback);
    if (finished.result.stopped)
        throw running::RunError("interrupted in the run with half the time step");
    return {.time_step = half.time_step.step, .result = std::move(finished.result)};
}

}  // namespace

PackingJob::PackingJob(io::ReadPacking read)
    : read_(std::move(read)),
      packing_(packing::build_packing(read_.scenario)),
      time_step_(running::choose_time_step(read_.scenario, packing_)) {}

std::vector<std::string> PackingJob::warnings() const {
    return read_.warnings;
}

io::Columns PackingJob::columns() const {
    io::Columns columns;
    columns.body = "particle";
    for (const SensorColumn& column : sensor_columns())
        columns.of_sensor.push_back(column.quantity);
    if (read_.scenario.sensors) columns.sensors = read_.scenario.sensors->ids;
    for (const observers::PackingLedgerEntry& entry : observers::packing_ledger_entries)
        columns.of_run.push_back({entry.quantity, entry.unit, entry.unit, entry.name});
    for (const char* axis : {"x", "y", "z"})
        columns.of_run.push_back({fmt::format("momentum_{}", axis), "kg m s-1", "kg_m_per_s", ""});
    columns.of_run.push_back({"contacts", "", "", ""});
    columns.of_run.push_back({"steps", "", "", ""});
    columns.of_run.push_back({"time_step", "s", "s", ""});
    return columns;
}

JobResult PackingJob::run(const RunRequest& request, ProgressCallback& callback) const {
    const packing::Scenario& scenario = read_.scenario;
    const running::Settings settings = running::settings_of(scenario);
    running::StepTrial first{.time_step = time_step_};
    if (request.from != nullptr)
        first = trial_of(*request.from, time_step_, settings, request.checkpoint.string());
    RunRequest with_threads = request;
    with_threads.threads =
        start_threads(request.threads, running::worthwhile_threads(packing_.particles()), callback);
    RecordedPacking recorded;
    std::shared_ptr<PackingMemory> memory;
    if (request.keep && request.output.empty()) {
        memory =
            std::make_shared<PackingMemory>(packing_, settings,
                                            io::RunDescription{.scenario_text = scenario.text,
                                                               .law = scenario.law.name,
                                                               .time_step = time_step_.step,
                                                               .threads = 1,
                                                               .file_texts = scenario.file_texts});
    }
    if (request.output.empty()) {
        recorded.finished = run_unrecorded(packing_, settings, first, with_threads.threads,
                                           callback, memory.get(), request.traces);
        if (memory) memory->finish(recorded.finished.warnings());
    } else {
        recorded = record_packing(scenario, packing_, settings, first, with_threads, callback);
    }
    const running::PackingFinished& finished = recorded.finished;
    const running::PackingResult& result = finished.result;
    PackingSummary summary{.scenario = scenario,
                           .particles = packing_.particles(),
                           .finished = finished,
                           .output = request.output.string(),
                           .half_step = {}};
    if (request.check && !result.stopped)
        summary.half_step = run_at_half_step(packing_, settings, finished, callback);

    JobResult outcome{
        .numbers = numbers_of(finished),
        .warnings = finished.warnings(),
        .diagnostics = finished.diagnostics,
        .stopped = {},
        .updates = static_cast<double>(packing_.particles()) * static_cast<double>(result.steps),
        .wall_seconds = result.wall_seconds,
        .largest_energy = result.ledger.scale,
        .text = {},
        .json = {},
        .recording = memory};
    if (result.stopped) {
        outcome.stopped =
            interrupted(static_cast<double>(result.steps) * finished.trial.time_step.step,
                        settings.end, request.output, recorded.how_to_continue);
    }
    if (request.keep || !request.output.empty()) {
        outcome.text = summary.text();
        outcome.json = summary.json();
    }
    return outcome;
}

}  // namespace beadwave::jobs

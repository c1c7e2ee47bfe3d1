// What the jobs of chains and packings share: columns of tables, the run with half the step, the
// result of a job.
#pragma once

#include "beadwave/recording/ledger.hpp"
#include "jobs/checkpoints.hpp"
#include "jobs/run_recorder.hpp"
#include "jobs/summary.hpp"

#include <vector>

namespace beadwave::jobs {

/// Sensors, the energy ledger, `more`, and the steps.
inline io::Columns columns_of(const scenario::Common& scenario, recording::SystemKind system,
                              const std::vector<SensorColumn>& of_sensor, const char* body,
                              const std::vector<io::Quantity>& more) {
    io::Columns columns;
    columns.body = body;
    for (const SensorColumn& column : of_sensor)
        columns.of_sensor.push_back(column.quantity);
    if (scenario.sensors) {
        columns.sensors = scenario.sensors->ids;
        columns.arrival_threshold = scenario.sensors->arrival_threshold.value_or(0.0);
    }
    for (const recording::LedgerEntry& entry : recording::entries_of(system))
        columns.of_run.push_back({entry.quantity, entry.unit, entry.unit, entry.name});
    columns.of_run.insert(columns.of_run.end(), more.begin(), more.end());
    columns.of_run.push_back({"steps", "", "", ""});
    columns.of_run.push_back({"time_step", "s", "s", ""});
    return columns;
}

/// The numbers in these columns.
template <class Result>
std::vector<double> numbers_of(const running::FinishedRun<Result>& finished,
                               recording::SystemKind system,
                               const std::vector<SensorColumn>& of_sensor,
                               const std::vector<double>& more) {
    const Result& result = finished.result;
    std::vector<double> numbers;
    for (const SensorColumn& column : of_sensor) {
        for (const observers::SensorResult& sensor : result.sensors)
            numbers.push_back(sensor.*column.value);
    }
    for (const recording::LedgerEntry& entry : recording::entries_of(system))
        numbers.push_back(entry.of(result.ledger));
    numbers.insert(numbers.end(), more.begin(), more.end());
    numbers.push_back(static_cast<double>(result.steps));
    numbers.push_back(finished.trial.time_step.step);
    return numbers;
}

/// `run --check`: the same run with half the time step.
template <class Result>
struct HalfStep {
    double time_step;  ///< [s]
    Result result;
};

/// Runs it; `run(trial, start)` calls running::run_chain or run_packing. Writes no files. Throws
/// RunError, also if the callback stops the run.
template <class Result, class Run>
HalfStep<Result> at_half_step(const running::FinishedRun<Result>& whole,
                              const running::Settings& settings, ProgressCallback& callback,
                              const Run& run) {
    const stepping::TimeStep& step = whole.trial.time_step;
    running::StepTrial half{
        .time_step = stepping::with_step(step, 0.5 * step.step, settings.step_request())};
    half.time_step.given = true;  // so that the run does not restart with another step
    const auto finished = run(half, [&](const running::StepTrial&, running::System&) {
        running::Callbacks callbacks;
        callbacks.stop = [&] { return callback.stop(); };
        return callbacks;
    });
    if (finished.result.stopped)
        throw running::RunError("interrupted in the run with half the time step");
    return {.time_step = half.time_step.step, .result = finished.result};
}

/// The path of the history; empty: none.
inline std::string output_of(const RunRequest& request) {
    return request.file() != nullptr ? request.file()->output.string() : "";
}

/// The result of a run that was not stopped, without a record; with all its warnings.
template <class Result>
JobResult plain_result(const running::FinishedRun<Result>& finished, std::size_t bodies,
                       std::vector<double> numbers, std::vector<std::string> warnings) {
    const Result& result = finished.result;
    return {.numbers = std::move(numbers),
            .warnings = std::move(warnings),
            .diagnostics = finished.diagnostics,
            .stopped = {},
            .updates = static_cast<double>(bodies) * static_cast<double>(result.steps),
            .wall_seconds = result.wall_seconds,
            .largest_energy = result.ledger.scale};
}

template <class Result>
JobResult job_result(const running::FinishedRun<Result>& finished, const SteppedSummary& summary,
                     const RunRequest& request, const RunRecorder& recorder, double end,
                     std::vector<double> numbers) {
    const Result& result = finished.result;
    JobResult outcome =
        plain_result(finished, summary.bodies, std::move(numbers), summary.warnings);
    outcome.recording = recorder.recording();
    if (result.stopped) {
        outcome.stopped =
            interrupted(static_cast<double>(result.steps) * finished.trial.time_step.step, end,
                        output_of(request), recorder.how_to_continue());
    }
    if (request.has_summary()) {
        outcome.text = summary.text();
        outcome.json = std::make_shared<const nlohmann::ordered_json>(summary.json());
    }
    return outcome;
}

}  // namespace beadwave::jobs

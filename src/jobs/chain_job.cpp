#include "jobs/chain_job.hpp"

#include "dynamics/tiled_engine.hpp"
#include "jobs/chain_memory.hpp"
#include "jobs/chain_recording.hpp"
#include "jobs/chain_summary.hpp"
#include "jobs/checkpoints.hpp"
#include "jobs/half_step.hpp"
#include "jobs/shared_progress.hpp"
#include "jobs/threads.hpp"
#include "running/chain_system.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <thread>
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
        {{"arrival_time", "s", "s", ""}, &SensorResult::arrival_time},
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
    numbers.push_back(finished.trial.time_step.step);
    return numbers;
}

/// 0: all that there are. The ranks on one machine share its processors, unless some are assigned
/// to each of them.
int threads_per_rank(const ranks::Communicator* ranks) {
    if (ranks == nullptr) return 0;
    const int processors = static_cast<int>(std::thread::hardware_concurrency());
    return std::clamp(processors / ranks->on_this_node(), 1, omp_get_max_threads());
}

/// Time and bytes of the messages of a run, from now on.
class MessageCount {
  public:
    explicit MessageCount(ranks::Communicator* ranks) : ranks_(ranks) {
        if (ranks_ != nullptr) before_ = ranks_->traffic();
    }

    /// All ranks call this together; a single process has no messages.
    std::optional<Messages> so_far() const {
        if (ranks_ == nullptr) return std::nullopt;
        const ranks::Traffic now = ranks_->traffic();
        const std::chrono::duration<double> all = Clock::now() - began_;
        const double share = (now.seconds - before_.seconds) / all.count();
        std::int64_t bytes = now.halo_bytes - before_.halo_bytes;
        ranks_->sum({&bytes, 1});
        Messages messages{.ranks = ranks_->count(), .halo_bytes = static_cast<double>(bytes)};
        for (const auto& theirs : ranks_->gather_numbers_to_all<double>({&share, 1})) {
            messages.mean_share += theirs.front() / ranks_->count();
            messages.most_share = std::max(messages.most_share, theirs.front());
        }
        return messages;
    }

  private:
    using Clock = std::chrono::steady_clock;

    ranks::Communicator* ranks_;
    ranks::Traffic before_;
    Clock::time_point began_ = Clock::now();
};

}  // namespace

ChainJob::ChainJob(io::ReadScenario read, ranks::Communicator* ranks)
    : read_(std::move(read)),
      chain_(running::build_chain(read_.scenario, ranks)),
      time_step_(running::choose_time_step(read_.scenario, chain_)) {}

ChainJob::ChainJob(io::ReadScenario read, chain::Chain chain)
    : read_(std::move(read)),
      chain_(std::move(chain)),
      time_step_(running::choose_time_step(read_.scenario, chain_)) {}

std::vector<std::string> ChainJob::warnings() const {
    return read_.warnings;
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

running::StepTrial ChainJob::first_trial(const RunRequest& request) const {
    if (request.from == nullptr) return {.time_step = time_step_};
    return trial_of(*request.from, time_step_, running::settings_of(read_.scenario),
                    request.checkpoint.string());
}

std::shared_ptr<ChainMemory> ChainJob::make_memory(const running::Settings& settings) const {
    const chain::Scenario& scenario = read_.scenario;
    return std::make_shared<ChainMemory>(chain_, settings,
                                         io::RunDescription{.scenario_text = scenario.text,
                                                            .law = scenario.law.name,
                                                            .time_step = time_step_.step,
                                                            .threads = 1,
                                                            .file_texts = scenario.file_texts});
}

running::Finished ChainJob::run_unrecorded(const running::Settings& settings,
                                           const running::StepTrial& first, int threads,
                                           const RunRequest& request, ChainMemory* memory,
                                           const running::MakeEngine& make,
                                           ProgressCallback& callback) const {
    const auto begin = [&](const running::StepTrial& trial, dynamics::Engine& engine) {
        running::Sinks sinks;
        if (memory != nullptr) {
            memory->begin(trial, engine.threads());
            sinks = memory->sinks();
        } else if (SensorTraces* const traces = request.traces) {
            *traces = {};
            sinks.sensors = [traces](auto, double time, auto force, auto) {
                traces->row.assign(force.begin(), force.end());
                traces->add(time);
            };
        }
        sinks.stop = [&callback] { return callback.stop(); };
        sinks.progress = [&callback](auto step, auto seconds) { callback.progress(step, seconds); };
        callback.begin(trial.time_step.count, trial.time_step.step, chain_.total());
        return sinks;
    };
    return running::run_chain(chain_, settings, first, threads, begin, nullptr, make);
}

JobResult ChainJob::run(const RunRequest& request, ProgressCallback& own_callback) const {
    std::optional<SharedProgressCallback> shared;
    if (chain_.partition) shared.emplace(own_callback, *chain_.partition->ranks);
    ProgressCallback& callback = shared ? *shared : own_callback;
    const MessageCount messages(chain_.ranks());
    const chain::Scenario& scenario = read_.scenario;
    const running::Settings settings = running::settings_of(scenario);
    const running::StepTrial first = first_trial(request);
    const int threads = start_threads(
        request.threads > 0 ? request.threads : threads_per_rank(chain_.ranks()),
        dynamics::worthwhile_threads(chain_.own_end() - chain_.own_begin()), callback);
    if (request.output.empty()) {
        const auto memory = request.keep ? make_memory(settings) : nullptr;
        const running::Finished finished =
            run_unrecorded(settings, first, threads, request, memory.get(), {}, callback);
        if (memory) memory->finish(finished.warnings());
        return job_result_of(finished, request, memory, {}, messages.so_far(), callback);
    }
    const ChainRecording recording{
        .output = {request.output, request.overwrite, request.ignore_disk_space},
        .scenario_text = scenario.text,
        .law = scenario.law.name,
        .file_texts = scenario.file_texts,
        .checkpoints = scenario.checkpoints,
        .from = request.from,
        .checkpoint = request.checkpoint};
    const Recorded recorded = record_chain(chain_, settings, first, threads, recording, callback);
    return job_result_of(recorded.finished, request, nullptr, recorded.how_to_continue,
                         messages.so_far(), callback);
}

JobResult ChainJob::run_with(const running::MakeEngine& make, ProgressCallback& callback) const {
    const running::Settings settings = running::settings_of(read_.scenario);
    const RunRequest request{.keep = true};
    const auto memory = make_memory(settings);
    const running::Finished finished = run_unrecorded(settings, {.time_step = time_step_}, 1,
                                                      request, memory.get(), make, callback);
    memory->finish(finished.warnings());
    return job_result_of(finished, request, memory, {}, std::nullopt, callback);
}

JobResult ChainJob::job_result_of(const running::Finished& finished, const RunRequest& request,
                                  std::shared_ptr<const Recording> recording,
                                  const std::string& how_to_continue,
                                  const std::optional<Messages>& messages,
                                  ProgressCallback& callback) const {
    const running::Settings settings = running::settings_of(read_.scenario);
    const running::RunResult& result = finished.result;
    ChainSummary summary{.scenario = read_.scenario,
                         .beads = chain_.total(),
                         .finished = finished,
                         .output = request.output.string(),
                         .messages = messages,
                         .half_step = {}};
    if (request.check && !result.stopped)
        summary.half_step = run_at_half_step(chain_, settings, finished, callback);

    JobResult outcome{
        .numbers = numbers_of(finished),
        .warnings = finished.warnings(),
        .diagnostics = finished.diagnostics,
        .stopped = {},
        .updates = static_cast<double>(chain_.total()) * static_cast<double>(result.steps),
        .wall_seconds = result.wall_seconds,
        .largest_energy = result.ledger.scale,
        .text = {},
        .json = {},
        .recording = std::move(recording)};
    if (result.stopped) {
        outcome.stopped =
            interrupted(static_cast<double>(result.steps) * finished.trial.time_step.step,
                        settings.end, request.output, how_to_continue);
    }
    if (request.keep || !request.output.empty()) {
        outcome.text = summary.text();
        outcome.json = summary.json();
    }
    return outcome;
}

}  // namespace beadwave::jobs

#include "jobs/chain_job.hpp"

#include "dynamics/tiled_engine.hpp"
#include "jobs/chain_memory.hpp"
#include "jobs/chain_recording.hpp"
#include "jobs/chain_summary.hpp"
#include "jobs/checkpoints.hpp"
#include "jobs/half_step.hpp"
#include "jobs/shared_watcher.hpp"
#include "jobs/threads.hpp"
#include "running/model.hpp"

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

/// 0: as many as there are. Ranks on one machine divide its processors, or have been given some.
int threads_a_rank(const ranks::Ranks* ranks) {
    if (ranks == nullptr) return 0;
    const int processors = static_cast<int>(std::thread::hardware_concurrency());
    return std::clamp(processors / ranks->on_this_node(), 1, omp_get_max_threads());
}

/// What a run's messages take, from now on.
class MessageCount {
  public:
    explicit MessageCount(ranks::Ranks* ranks) : ranks_(ranks) {
        if (ranks_ != nullptr) before_ = ranks_->traffic();
    }

    /// All ranks ask together; of one process there are none.
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

    ranks::Ranks* ranks_;
    ranks::Traffic before_;
    Clock::time_point began_ = Clock::now();
};

}  // namespace

ChainJob::ChainJob(io::ReadScenario read, ranks::Ranks* ranks)
    : read_(std::move(read)),
      chain_(running::build_chain(read_.scenario, ranks)),
      time_step_(running::choose_time_step(read_.scenario, chain_)) {}

ChainJob::ChainJob(io::ReadScenario read, chain::Chain chain)
    : read_(std::move(read)),
      chain_(std::move(chain)),
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
                                           const running::Attempt& first, int threads,
                                           const Request& request, ChainMemory* memory,
                                           const running::MakeEngine& make,
                                           Watcher& watcher) const {
    const auto begin = [&](const running::Attempt& attempt, dynamics::Engine& engine) {
        running::Sinks sinks;
        if (memory != nullptr) {
            memory->begin(attempt, engine.threads());
            sinks = memory->sinks();
        } else if (SensorTraces* const traces = request.traces) {
            *traces = {};
            sinks.sensors = [traces](auto, double time, auto force, auto) {
                traces->row.assign(force.begin(), force.end());
                traces->add(time);
            };
        }
        sinks.stop = [&watcher] { return watcher.stop(); };
        sinks.progress = [&watcher](auto step, auto seconds) { watcher.progress(step, seconds); };
        watcher.begin(attempt.time_step.count, attempt.time_step.step, chain_.total());
        return sinks;
    };
    return running::run_chain(chain_, settings, first, threads, begin, nullptr, make);
}

Outcome ChainJob::run(const Request& request, Watcher& own_watcher) const {
    std::optional<SharedWatcher> shared;
    if (chain_.share) shared.emplace(own_watcher, *chain_.share->ranks);
    Watcher& watcher = shared ? *shared : own_watcher;
    const MessageCount messages(chain_.ranks());
    const chain::Scenario& scenario = read_.scenario;
    const running::Settings settings = running::settings_of(scenario);
    const running::Attempt first = first_attempt(request);
    const int threads =
        start_threads(request.threads > 0 ? request.threads : threads_a_rank(chain_.ranks()),
                      dynamics::worthwhile_threads(chain_.own_end() - chain_.own_begin()), watcher);
    if (request.output.empty()) {
        const auto memory = request.keep ? make_memory(settings) : nullptr;
        const running::Finished finished =
            run_unrecorded(settings, first, threads, request, memory.get(), {}, watcher);
        if (memory) memory->finish(finished.notes());
        return outcome_of(finished, request, memory, {}, messages.so_far(), watcher);
    }
    const ChainRecording recording{.output = {request.output, request.force},
                                   .scenario_text = scenario.text,
                                   .law = scenario.law.name,
                                   .file_texts = scenario.file_texts,
                                   .checkpoints = scenario.checkpoints,
                                   .from = request.from,
                                   .checkpoint = request.checkpoint};
    const Recorded recorded = record_chain(chain_, settings, first, threads, recording, watcher);
    return outcome_of(recorded.finished, request, nullptr, recorded.how_to_continue,
                      messages.so_far(), watcher);
}

Outcome ChainJob::run_with(const running::MakeEngine& make, Watcher& watcher) const {
    const running::Settings settings = running::settings_of(read_.scenario);
    const Request request{.keep = true};
    const auto memory = make_memory(settings);
    const running::Finished finished = run_unrecorded(settings, {.time_step = time_step_}, 1,
                                                      request, memory.get(), make, watcher);
    memory->finish(finished.notes());
    return outcome_of(finished, request, memory, {}, std::nullopt, watcher);
}

Outcome ChainJob::outcome_of(const running::Finished& finished, const Request& request,
                             std::shared_ptr<const Recording> recording,
                             const std::string& how_to_continue,
                             const std::optional<Messages>& messages, Watcher& watcher) const {
    const running::Settings settings = running::settings_of(read_.scenario);
    const running::RunResult& result = finished.result;
    ChainSummary summary{.scenario = read_.scenario,
                         .beads = chain_.total(),
                         .finished = finished,
                         .output = request.output.string(),
                         .messages = messages,
                         .half_step = {}};
    if (request.check && !result.stopped)
        summary.half_step = run_at_half_step(chain_, settings, finished, watcher);

    Outcome outcome{
        .numbers = numbers_of(finished),
        .notes = finished.notes(),
        .doubts = finished.doubts,
        .stopped = {},
        .updates = static_cast<double>(chain_.total()) * static_cast<double>(result.steps),
        .wall_seconds = result.wall_seconds,
        .largest_energy = result.ledger.scale,
        .text = {},
        .json = {},
        .recording = std::move(recording)};
    if (result.stopped) {
        outcome.stopped =
            interrupted(static_cast<double>(result.steps) * finished.attempt.time_step.step,
                        settings.end, request.output, how_to_continue);
    }
    if (request.keep || !request.output.empty()) {
        outcome.text = summary.text();
        outcome.json = summary.json();
    }
    return outcome;
}

}  // namespace beadwave::jobs

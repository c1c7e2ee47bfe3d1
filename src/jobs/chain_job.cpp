#include "jobs/chain_job.hpp"

#include "dynamics/tiled_engine.hpp"
#include "jobs/shared_progress.hpp"
#include "jobs/stepped_job.hpp"
#include "jobs/threads.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

namespace beadwave::jobs {
namespace {

const std::vector<SensorColumn>& sensor_columns() {
    using observers::SensorResult;
    static const std::vector<SensorColumn> columns{
        {{"peak_force", "N", "N", ""}, &SensorResult::peak_force, "peak force"},
        {{"arrival_time", "s", "s", ""}, &SensorResult::arrival_time, "arrival"},
        {{"peak_velocity", "m s-1", "m_per_s", ""}, &SensorResult::peak_velocity, "peak velocity"}};
    return columns;
}

/// 0: all that there are. The ranks on one machine share its processors, unless some are assigned
/// to each of them.
int threads_per_rank(const ranks::Communicator* ranks) {
    if (ranks == nullptr) return 0;
    const int processors = static_cast<int>(std::thread::hardware_concurrency());
    return std::clamp(processors / ranks->on_this_node(), 1, omp_get_max_threads());
}

/// Messages of a run that several processes share.
struct Messages {
    int ranks;
    double halo_bytes;                          ///< sent by all ranks
    double mean_share = 0.0, most_share = 0.0;  ///< of their time that ranks sent or waited
};

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

SteppedNumbers summary_numbers(const running::RunResult& result) {
    std::vector<nlohmann::ordered_json> positions;
    for (const observers::SensorResult& sensor : result.sensors)
        positions.push_back(sensor.position);
    return {.result = result,
            .momenta =
                {{"momentum", "momentum", "kg m/s", {result.momentum}, {result.initial_momentum}}},
            .more = {{"sleep_loss_momentum", result.sleep_loss_momentum}},
            .positions = std::move(positions)};
}

}  // namespace

ChainJob::ChainJob(io::ReadScenario read, ranks::Communicator* ranks)
    : read_(std::move(read)),
      chain_(running::build_chain(read_.scenario, ranks)),
      time_step_(running::choose_time_step(read_.scenario, chain_)) {}

ChainJob::ChainJob(io::ReadScenario read, chain::Chain chain)
    : read_(std::move(read)),
      chain_(std::move(chain)),
      time_step_(running::choose_time_step(read_.scenario, chain_)) {}

io::Columns ChainJob::columns() const {
    return columns_of(read_.scenario, recording::SystemKind::chain, sensor_columns(), "bead",
                      {{"momentum", "kg m s-1", "kg_m_per_s", ""}});
}

JobResult ChainJob::run(const RunRequest& request, ProgressCallback& callback) const {
    return run(request, {}, callback);
}

JobResult ChainJob::run_with(const running::MakeEngine& make, ProgressCallback& callback) const {
    return run({.record = ToMemory{}, .threads = 1}, make, callback);
}

JobResult ChainJob::run(const RunRequest& request, const running::MakeEngine& make,
                        ProgressCallback& own_callback) const {
    ranks::Communicator* const ranks = chain_.ranks();
    std::optional<SharedProgressCallback> shared;
    if (ranks != nullptr) shared.emplace(own_callback, *ranks);
    ProgressCallback& callback = shared ? *shared : own_callback;
    const MessageCount messages(ranks);
    const chain::Scenario& scenario = read_.scenario;
    const running::Settings settings = this->settings();
    const running::StepTrial first = first_trial(request, time_step_, settings);
    const int threads = start_threads(
        request.threads > 0 ? request.threads : threads_per_rank(ranks),
        dynamics::worthwhile_threads(chain_.own_end() - chain_.own_begin()), callback);
    RunRecorder recorder(request, source_of(scenario), callback, ranks);
    const running::Finished finished = recorder.run([&](const auto& start, const auto* from) {
        return running::run_chain(chain_, settings, first, threads, start, from, make);
    });
    const running::RunResult& result = finished.result;
    const bool driven = scenario.left.drive || scenario.right.drive;
    SteppedSummary summary{
        .scenario = scenario,
        .system = recording::SystemKind::chain,
        .body = "bead",
        .bodies = chain_.total(),
        .sensor_columns = sensor_columns(),
        .time_step = finished.trial.time_step,
        .threads = finished.threads,
        .warnings = finished.warnings(),
        .output = output_of(request),
        .notes = {{&recording::Ledger::external_work,
                   driven ? " by gravity, loads and driven walls" : " by gravity and loads"}},
        .numbers = summary_numbers(result)};
    if (scenario.time.sleep_speed > 0.0) {
        summary.notes.emplace_back(&recording::Ledger::sleep_loss,
                                   fmt::format(", with {:.3g} kg m/s", result.sleep_loss_momentum));
    }
    if (const auto sent = messages.so_far()) {
        const double steps = static_cast<double>(std::max<std::int64_t>(result.steps, 1));
        summary.more = {{"processes", sent->ranks},
                        {"halo_bytes_per_bead_step",
                         sent->halo_bytes / (static_cast<double>(chain_.total()) * steps)},
                        {"message_share_of_time", sent->mean_share},
                        {"largest_message_share_of_time", sent->most_share}};
    }
    std::optional<HalfStep<running::RunResult>> half;
    if (request.check && !result.stopped) {
        half = at_half_step<running::RunResult>(
            finished, settings, callback, [&](const auto& trial, const auto& start) {
                return running::run_chain(chain_, settings, trial, finished.threads, start);
            });
        summary.half_step.emplace(SteppedSummary::Half{.time_step = half->time_step,
                                                       .numbers = summary_numbers(half->result)});
    }
    return job_result(finished, summary, request, recorder, settings.end,
                      numbers_of(finished, recording::SystemKind::chain, sensor_columns(),
                                 {finished.result.momentum}));
}

}  // namespace beadwave::jobs

#include "jobs/chain_job.hpp"

#include "dynamics/tiled_engine.hpp"
#include "jobs/chain_summary.hpp"
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
        {{"peak_force", "N", "N", ""}, &SensorResult::peak_force},
        {{"arrival_time", "s", "s", ""}, &SensorResult::arrival_time},
        {{"peak_velocity", "m s-1", "m_per_s", ""}, &SensorResult::peak_velocity}};
    return columns;
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
    ChainSummary summary{.scenario = scenario,
                         .beads = chain_.total(),
                         .finished = finished,
                         .output = output_of(request),
                         .messages = messages.so_far(),
                         .half_step = {}};
    if (request.check && !finished.result.stopped) {
        summary.half_step = at_half_step<running::RunResult>(
            finished, settings, callback, [&](const auto& trial, const auto& start) {
                return running::run_chain(chain_, settings, trial, finished.threads, start);
            });
    }
    return job_result(finished, summary, request, recorder, settings.end, chain_.total(),
                      numbers_of(finished, recording::SystemKind::chain, sensor_columns(),
                                 {finished.result.momentum}));
}

}  // namespace beadwave::jobs

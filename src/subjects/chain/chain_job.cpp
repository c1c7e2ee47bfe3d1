#include "subjects/chain/chain_job.hpp"

#include "dynamics/chain_lanes.hpp"
#include "dynamics/one_tile.hpp"
#include "dynamics/tiled_engine.hpp"
#include "jobs/message_count.hpp"
#include "jobs/shared_progress.hpp"
#include "jobs/stepped_job.hpp"
#include "jobs/threads.hpp"
#include "running/run_together.hpp"
#include "subjects/chain/fast_impact.hpp"
#include "subjects/chain/parting_beads.hpp"

#include <nlohmann/json.hpp>

#include <optional>
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

std::vector<double> numbers(const running::Finished& finished) {
    return numbers_of(finished, recording::SystemKind::chain, sensor_columns(),
                      {finished.result.momentum});
}

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

ChainJob::ChainJob(io::ReadScenario read, ranks::Communicator* ranks,
                   const stepping::TimeStep* time_step)
    : read_(std::move(read)),
      chain_(running::build_chain(read_.scenario, ranks)),
      time_step_(time_step != nullptr ? *time_step
                                      : running::choose_time_step(read_.scenario, chain_)) {
    if (chain_.partition && read_.scenario.dissipation.any())
        read_.scenario.origin.fail("dissipation", "needs one process; several share this chain");
}

ChainJob::ChainJob(io::ReadScenario read, chain::Chain chain)
    : read_(std::move(read)),
      chain_(std::move(chain)),
      time_step_(running::choose_time_step(read_.scenario, chain_)) {}

io::Columns ChainJob::columns() const {
    return columns_of(read_.scenario, recording::SystemKind::chain, sensor_columns(), "bead",
                      {{"momentum", "kg m s-1", "kg_m_per_s", ""}});
}

bool ChainJob::starts_in_equilibrium() const {
    const chain::Scenario& scenario = read_.scenario;
    return scenario.precompression.value_or(0.0) > 0.0 || settings().starts_in_equilibrium;
}

std::optional<chain::StaticLoads> ChainJob::static_loads() const {
    if (chain_.partition || !starts_in_equilibrium()) return std::nullopt;
    return chain::static_loads(read_.scenario, chain_);
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
    RunRecorder recorder(request, source_of(scenario, read_.warnings), callback, ranks);
    const running::Finished finished = recorder.run([&](const auto& start, const auto* from) {
        running::Finished done =
            running::run_chain(chain_, settings, first, threads, start, from, make);
        if (auto fast = fast_impact(read_.scenario, chain_))
            done.diagnostics.push_back(std::move(*fast));
        if (auto parting = parting_beads(chain_)) done.diagnostics.push_back(std::move(*parting));
        return done;
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
        .warnings = recorder.all_warnings(finished.warnings()),
        .output = output_of(request),
        .notes = {{&recording::Ledger::external_work,
                   driven ? " by gravity, loads and driven walls" : " by gravity and loads"}},
        .numbers = summary_numbers(result)};
    if (scenario.time.sleep_speed > 0.0) {
        summary.notes.emplace_back(&recording::Ledger::sleep_loss,
                                   fmt::format(", with {:.3g} kg m/s", result.sleep_loss_momentum));
    }
    if (const auto sent = messages.so_far())
        summary.more = sent->entries("bead", chain_.total(), result.steps);
    std::optional<HalfStep<running::RunResult>> half;
    if (request.check && !result.stopped) {
        half = at_half_step<running::RunResult>(
            finished, settings, callback, [&](const auto& trial, const auto& start) {
                return running::run_chain(chain_, settings, trial, finished.threads, start);
            });
        summary.half_step.emplace(SteppedSummary::Half{.time_step = half->time_step,
                                                       .numbers = summary_numbers(half->result)});
    }
    return job_result(finished, summary, request, recorder, settings.end, numbers(finished));
}

std::string ChainJob::together_key() const {
    const running::Settings settings = this->settings();
    const bool fits = chain_.total() <= dynamics::most_beads_of_one_tile && !chain_.partition &&
                      chain_.elements.empty() && !chain_.left_drive && !chain_.right_drive &&
                      settings.sleep_speed == 0.0 && !settings.dissipation.any();
    if (!fits) return {};
    // Uniform chains step beside uniform ones only.
    return fmt::format("{} {} {} {} {} {} {} {} {}", chain_.contacts.first().index(),
                       chain_.contacts.kind_count(), chain_.gravity == 0.0, chain_.total(),
                       time_step_.step, time_step_.count, settings.end,
                       settings.energy_interval.value_or(0.0), fmt::join(settings.sensors, " "));
}

std::size_t ChainJob::most_together() const {
    return dynamics::chains_at_once();
}

std::vector<std::optional<JobResult>> ChainJob::run_together(
    std::span<const std::unique_ptr<Job>> jobs, ProgressCallback& callback) const {
    std::vector<running::ChainRun> runs;
    std::vector<const ChainJob*> members;
    for (const auto& job : jobs) {
        const auto* const chain = dynamic_cast<const ChainJob*>(job.get());
        if (chain == nullptr) return {};  // another kind with the same key
        // It is refused alone, with a reason.
        if (!callback.accepts_long_runs && chain->least_wall_time() > longest_unasked_run)
            return {};
        members.push_back(chain);
        runs.push_back({chain->chain_, chain->settings(), {.time_step = chain->time_step_}});
    }
    const auto finished = running::run_together(runs, [&] { return callback.stop(); });
    std::vector<std::optional<JobResult>> results(jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (!finished[i]) continue;
        std::vector<std::string> warnings = jobs[i]->warnings();
        for (std::string& of_run : finished[i]->warnings())
            warnings.push_back(std::move(of_run));
        if (auto fast = fast_impact(members[i]->read_.scenario, members[i]->chain_))
            warnings.push_back(std::move(*fast));
        results[i] = plain_result(*finished[i], runs[i].chain.total(), numbers(*finished[i]),
                                  std::move(warnings));
    }
    return results;
}

}  // namespace beadwave::jobs

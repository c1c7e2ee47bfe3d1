#include "beadwave/record.hpp"

#include "beadwave/dynamics/time_step.hpp"
#include "beadwave/input_error.hpp"
#include "jobs/read_job.hpp"
#include "jobs/run_recorder.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace beadwave {
namespace {

class StopCallback : public jobs::ProgressCallback {
  public:
    explicit StopCallback(const RecordOptions& options) : stop_(options.stop) {
        accepts_long_runs = options.accept_long_run;
    }
    bool stop() override { return stop_ && stop_(); }

  private:
    const std::function<bool()>& stop_;
};

running::Finished run(const chain::Chain& chain, const running::Settings& settings,
                      const RecordOptions& options, const io::CheckpointFile* from,
                      const std::filesystem::path& checkpoint) {
    const stepping::TimeStep chosen = dynamics::choose_time_step(chain, settings.step_request());
    const jobs::RunRequest request{
        .record = jobs::ToFile{.output = options.history,
                               .overwrite = options.overwrite,
                               .ignore_disk_space = options.ignore_disk_space,
                               .from = from,
                               .checkpoint = checkpoint},
        .threads = options.threads};
    jobs::RunSource source{.law = options.law};
    if (options.checkpoint_interval) {
        source.checkpoints =
            scenario::Checkpoints{.wall_interval = {}, .interval = *options.checkpoint_interval};
    }
    StopCallback callback(options);
    jobs::RunRecorder recorder(request, std::move(source), callback);
    const running::StepTrial first = jobs::first_trial(request, chosen, settings);
    return recorder.run([&](const auto& start, const auto* saved) {
        return running::run_chain(chain, settings, first, options.threads, start, saved);
    });
}

/// A scenario has these options itself.
void refuse_options_of_chains(const RecordOptions& options) {
    if (!options.law.empty())
        throw InputError("law: is for chains made from arrays; the scenario names its law");
    if (options.checkpoint_interval)
        throw InputError(
            "checkpoint_interval: is for chains made from arrays; expected [checkpoint] "
            "in the scenario");
}

ScenarioRun run(const jobs::Job& job, jobs::ToFile file, const RecordOptions& options) {
    StopCallback callback(options);
    const jobs::JobResult result =
        job.run({.record = std::move(file), .threads = options.threads}, callback);
    return {.summary = result.json->dump(), .warnings = result.warnings, .stopped = result.stopped};
}

}  // namespace

running::Finished record(const chain::Chain& chain, const running::Settings& settings,
                         const RecordOptions& options) {
    return run(chain, settings, options, nullptr, {});
}

ScenarioRun record(const ScenarioText& scenario, const RecordOptions& options) {
    refuse_options_of_chains(options);
    const auto job = jobs::read_job_text(scenario.toml, "scenario", std::filesystem::current_path(),
                                         {}, scenario.files);
    return run(*job,
               {.output = options.history,
                .overwrite = options.overwrite,
                .ignore_disk_space = options.ignore_disk_space},
               options);
}

ScenarioRun resume(const std::filesystem::path& checkpoint, const RecordOptions& options) {
    refuse_options_of_chains(options);
    const io::CheckpointFile from(checkpoint);
    const auto job = jobs::read_job(from, checkpoint);
    return run(*job,
               {.output = jobs::resumed_history(from, checkpoint, options.history),
                .overwrite = options.overwrite,
                .ignore_disk_space = options.ignore_disk_space,
                .from = &from,
                .checkpoint = checkpoint},
               options);
}

running::Finished resume(const std::filesystem::path& checkpoint, const chain::Chain& chain,
                         const running::Settings& settings, const RecordOptions& options) {
    const io::CheckpointFile from(checkpoint);
    return run(chain, settings, options, &from, checkpoint);
}

}  // namespace beadwave

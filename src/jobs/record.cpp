#include "beadwave/record.hpp"

#include "beadwave/dynamics/time_step.hpp"
#include "jobs/run_recorder.hpp"

namespace beadwave {
namespace {

class StopCallback : public jobs::ProgressCallback {
  public:
    explicit StopCallback(const std::function<bool()>& stop) : stop_(stop) {}
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
    StopCallback callback(options.stop);
    jobs::RunRecorder recorder(request, std::move(source), callback);
    const running::StepTrial first = jobs::first_trial(request, chosen, settings);
    return recorder.run([&](const auto& start, const auto* saved) {
        return running::run_chain(chain, settings, first, options.threads, start, saved);
    });
}

}  // namespace

running::Finished record(const chain::Chain& chain, const running::Settings& settings,
                         const RecordOptions& options) {
    return run(chain, settings, options, nullptr, {});
}

running::Finished resume(const std::filesystem::path& checkpoint, const chain::Chain& chain,
                         const running::Settings& settings, const RecordOptions& options) {
    const io::CheckpointFile from(checkpoint);
    return run(chain, settings, options, &from, checkpoint);
}

}  // namespace beadwave

#include "beadwave/record.hpp"

#include "beadwave/dynamics/time_step.hpp"
#include "jobs/chain_recording.hpp"

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
    const dynamics::TimeStep chosen = dynamics::choose_time_step(chain, settings.step_request());
    jobs::ChainRecording recording{
        .output = {options.history, options.overwrite, options.ignore_disk_space},
        .law = options.law,
        .from = from,
        .checkpoint = checkpoint};
    if (options.checkpoint_interval) {
        recording.checkpoints =
            scenario::Checkpoints{.wall_interval = {}, .interval = *options.checkpoint_interval};
    }
    const running::StepTrial first =
        from == nullptr ? running::StepTrial{.time_step = chosen}
                        : jobs::trial_of(*from, chosen, settings, checkpoint.string());
    StopCallback callback(options.stop);
    return jobs::record_chain(chain, settings, first, options.threads, recording, callback)
        .finished;
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

#include "jobs/run_recorder.hpp"

#include "base/long_run.hpp"
#include "beadwave/input_error.hpp"
#include "io/durable/disk_space.hpp"
#include "io/files/error_message.hpp"
#include "observers/sensor_recorder.hpp"
#include "ranks/collective.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <utility>

namespace beadwave::jobs {
namespace {

/// Keeps the forces of the sensors.
class TraceStore : public recording::Store {
  public:
    TraceStore(SensorTraces& traces, running::System& system) : traces_(traces), system_(system) {
        traces_.times.clear();
        traces_.forces.clear();
    }
    void sample(recording::Pace pace, std::int64_t, double time) override {
        if (pace != recording::Pace::sensors) return;
        const std::span<const double> force = system_.sensors().force();
        const std::size_t sensors = system_.sensors().bodies().size();
        traces_.times.push_back(time);
        for (std::size_t s = 0; s < sensors; ++s) {
            const double* const f = &force[s * (force.size() / sensors)];
            const bool scalar = force.size() == sensors;
            traces_.forces.push_back(scalar ? *f
                                     : traces_.axis < 3
                                         ? f[traces_.axis]
                                         : std::sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]));
        }
    }

  private:
    SensorTraces& traces_;
    running::System& system_;
};

}  // namespace

std::string long_run_text(const stepping::TimeStep& step, double seconds) {
    const bool chosen = !step.given && step.shortest_contact > 0.0;
    return fmt::format(
        "the run of {:.2g} steps of {:.2g} s{} {}", static_cast<double>(step.count), step.step,
        chosen ? fmt::format(", chosen for contacts of {:.2g} s at speeds up to {:.2g} m/s,",
                             step.shortest_contact, step.largest_speed)
               : "",
        too_long_text(seconds));
}

RunSource source_of(const scenario::Common& scenario, std::vector<std::string> warnings) {
    return {.text = scenario.text,
            .law = scenario.law.name,
            .file_texts = scenario.file_texts,
            .checkpoints = scenario.checkpoints,
            .warnings = std::move(warnings)};
}

RunRecorder::RunRecorder(const RunRequest& request, RunSource source, ProgressCallback& callback,
                         ranks::Communicator* ranks)
    : request_(request),
      to_file_(request.file()),
      output_(to_file_ == nullptr
                  ? io::Output(std::filesystem::path())
                  : io::Output(to_file_->output, to_file_->overwrite, to_file_->ignore_disk_space)),
      source_(std::move(source)),
      callback_(callback),
      ranks_(ranks),
      from_(to_file_ == nullptr ? nullptr : to_file_->from) {
    if (to_file_ == nullptr) return;
    ranks::collective(ranks_, [&] {
        if (!first_rank()) return;
        checkpoints_.emplace(source_.checkpoints, output_, to_file_->checkpoint,
                             to_file_->resume_options);
    });
}

recording::Store* RunRecorder::begin(const running::StepTrial& trial,
                                     recording::Description description, int threads) {
    io::RunDescription run{.scenario_text = source_.text,
                           .law = source_.law,
                           .time_step = trial.time_step.step,
                           .threads = threads,
                           .file_texts = source_.file_texts,
                           .time_step_rule = stepping::name_of(trial.time_step.rule),
                           .steps = trial.time_step.count};
    trial_ = trial;
    if (to_file_ != nullptr) return &begin_file(trial, std::move(description), run);
    if (!std::holds_alternative<ToMemory>(request_.record)) return nullptr;
    if (request_.observables.empty()) {
        memory_ = std::make_shared<Recording>(std::move(description), std::move(run));
        return &memory_->store();
    }
    observing_ = std::make_unique<ObservingStore>(description, request_.observables);
    memory_ = std::make_shared<Recording>(observing_->described(), std::move(run));
    observing_->hand_to(memory_->store());
    return observing_.get();
}

recording::Store& RunRecorder::begin_file(const running::StepTrial& trial,
                                          recording::Description description,
                                          const io::RunDescription& run) {
    const bool resumes = from_ != nullptr && !std::exchange(begun_, true);
    if (file() != nullptr) file()->discard();
    const auto open = [&](auto& store) {
        if (resumes) {
            store.emplace(output_, std::move(description), from_->history());
        } else {
            store.emplace(output_, std::move(description), run);
        }
    };
    ranks_ == nullptr ? open(own_) : open(shared_);
    ranks::collective(ranks_, [&] {
        if (!first_rank()) return;
        try {
            const std::string sizes =
                std::exchange(size_checked_, true)
                    ? ""
                    : io::check_disk_space(output_.path, "the history", file()->expected_bytes(),
                                           "sample less often (sensors.interval, "
                                           "snapshots.interval, energy.interval), end sooner "
                                           "(time.end)",
                                           output_.ignore_disk_space);
            if (!sizes.empty()) callback_.warn(sizes);
        } catch (...) {
            file()->discard();
            throw;
        }
        checkpoints_->begin(trial, resumes ? from_->step() : 0);
    });
    return ranks_ == nullptr ? static_cast<recording::Store&>(*own_) : *shared_;
}

running::Callbacks RunRecorder::start(const running::StepTrial& trial, running::System& system) {
    running::Callbacks callbacks;
    refuse_long(trial.time_step, static_cast<double>(system.bodies()));
    if (request_.each_snapshot) {
        if (!(system.description().counts.snapshots > 0.0))
            throw InputError("each_snapshot: this scenario has none; give snapshots.interval");
        callbacks.each_snapshot = request_.each_snapshot;
    }
    if (SensorTraces* const* traces = std::get_if<SensorTraces*>(&request_.record)) {
        traces_ = std::make_unique<TraceStore>(**traces, system);
        callbacks.store = traces_.get();
    } else if (request_.has_summary()) {
        callbacks.store = begin(trial, system.description(), system.threads());
    }
    callback_.begin(trial.time_step.count, trial.time_step.step, system.bodies());
    callbacks.progress = [this](auto step, auto seconds) {
        callback_.progress(step, seconds);
        flush();
    };
    callbacks.stop = [this] { return stop(); };
    if (to_file_ == nullptr) return callbacks;
    for (; warned_ < trial.warnings.size(); ++warned_)
        callback_.warn(trial.warnings[warned_]);
    callbacks.checkpoint_due = [this](auto step) {
        if (ranks_ == nullptr) return checkpoint_due(step);
        if (!source_.checkpoints) return false;
        bool due = checkpoint_due(step);
        ranks_->broadcast(due);
        return due;
    };
    callbacks.checkpoint = [this, &system](const std::vector<double>& observers) {
        write_checkpoint({.system = io::text_of(system.fingerprint()),
                          .step = system.step(),
                          .columns = system.state(),
                          .observers = observers});
    };
    return callbacks;
}

void RunRecorder::refuse_long(const stepping::TimeStep& step, double bodies) const {
    if (callback_.accepts_long_runs || from_ != nullptr) return;  // it has been accepted
    const double shared = ranks_ == nullptr ? bodies : bodies / ranks_->count();
    const double seconds = beadwave::least_wall_time(static_cast<double>(step.count), shared);
    if (seconds > longest_unasked_run) throw InputError(long_run_text(step, seconds));
}

bool RunRecorder::stop() {
    if (to_file_ == nullptr) return callback_.stop();
    if (ranks_ == nullptr) return callback_.stop() || history_lost();
    // The callback collects the answers of all ranks.
    return callback_.stop() | ranks_->any(file() != nullptr && history_lost());
}

bool RunRecorder::history_lost() {
    // The system takes as long for the answer as a short chain for dozens of steps.
    constexpr auto interval = std::chrono::milliseconds(10);
    const auto now = std::chrono::steady_clock::now();
    if (lost_ || now - looked_ < interval) return lost_;
    looked_ = now;
    lost_ = file()->lost();
    return lost_;
}

void RunRecorder::write_checkpoint(const io::RunState& state) {
    if (to_file_ == nullptr) return;
    const auto write = [&](const io::Output& place) {
        if (shared_) shared_->sync();
        io::write_checkpoint(place, file(), output_.path, trial_, state, ranks_);
    };
    if (file() != nullptr) {
        checkpoints_->write(*file(), state.step, write);
    } else {
        write({io::checkpoint_path(output_.path), output_.overwrite});
    }
}

std::vector<std::string> RunRecorder::all_warnings(const std::vector<std::string>& of_run) const {
    std::vector<std::string> all = source_.warnings;
    all.insert(all.end(), of_run.begin(), of_run.end());
    return all;
}

void RunRecorder::finish(bool stopped, const std::vector<std::string>& of_run) {
    const std::vector<std::string> warnings = all_warnings(of_run);
    if (memory_) memory_->finish(warnings);
    if (to_file_ == nullptr) return;
    ranks::collective(ranks_, [&] {
        if (first_rank()) checkpoints_->finish(*file(), stopped, warnings);
    });
}

void RunRecorder::refuse_damaged_state(const std::length_error& error) const {
    const std::string why = io::message_of(error);
    // The standard library throws the same where a container exceeds all memory.
    if (from_ != nullptr && why == error.what()) from_->refuse_damaged(why);
}

running::StepTrial trial_of(const io::CheckpointFile& checkpoint, const stepping::TimeStep& chosen,
                            const running::Settings& settings, const std::string& name) {
    const double step = checkpoint.time_step();
    if (step == chosen.step) return {.time_step = chosen, .warnings = checkpoint.warnings()};
    if (chosen.given || checkpoint.warnings().empty() || !(step > 0.0 && step < chosen.step)) {
        throw InputError(fmt::format("{}: its time step is {} s; expected {} s, from its scenario",
                                     name, step, chosen.step));
    }
    running::StepTrial trial{
        .time_step = stepping::with_step(chosen, step, settings.step_request()),
        .warnings = checkpoint.warnings()};
    trial.time_step.rule = stepping::StepRule::restart;
    return trial;
}

running::StepTrial first_trial(const RunRequest& request, const stepping::TimeStep& chosen,
                               const running::Settings& settings) {
    const ToFile* const file = request.file();
    if (file == nullptr || file->from == nullptr) return {.time_step = chosen};
    return trial_of(*file->from, chosen, settings, file->checkpoint.string());
}

}  // namespace beadwave::jobs

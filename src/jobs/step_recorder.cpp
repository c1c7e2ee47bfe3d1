#include "jobs/step_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace beadwave::jobs {

StepRecorder::StepRecorder(running::System& system, const running::Settings& settings,
                           const stepping::TimeStep& time_step, double energy_interval,
                           RunSource source, const std::vector<OwnObservable>& observables)
    : system_(system),
      time_step_(time_step),
      source_(std::move(source)),
      callbacks_{.store = open(observables)},
      loop_(system, settings, time_step, energy_interval, callbacks_),
      first_(system.step()) {
    if (first_ < time_step_.count) loop_.begin();
}

recording::Store* StepRecorder::open(const std::vector<OwnObservable>& observables) {
    io::RunDescription run{.scenario_text = source_.text,
                           .law = source_.law,
                           .time_step = time_step_.step,
                           .threads = system_.threads(),
                           .file_texts = source_.file_texts,
                           .time_step_rule = stepping::name_of(time_step_.rule),
                           .steps = time_step_.count};
    recording::Description description = system_.description();
    if (observables.empty()) {
        memory_ = std::make_unique<Recording>(std::move(description), std::move(run),
                                              recording::Expected::some);
        return &memory_->store();
    }
    observing_ = std::make_unique<ObservingStore>(description, observables);
    memory_ = std::make_unique<Recording>(observing_->described(), std::move(run),
                                          recording::Expected::some);
    observing_->hand_to(memory_->store());
    return observing_.get();
}

void StepRecorder::run_to(std::int64_t last, const std::function<bool()>& stop) {
    while (system_.step() < last && !stop()) {
        const std::int64_t first = system_.step();
        if (failed_ >= 0 || first >= time_step_.count) {
            system_.advance(std::min(system_.last_of_block(first), last) - first);
            system_.check_state();
            continue;
        }
        try {
            system_.advance(std::min(loop_.next_stop(), last) - first);
            loop_.end_block(first);
        } catch (...) {
            failed_ = system_.step();
            throw;
        }
    }
}

std::vector<std::string> StepRecorder::warnings() const {
    std::vector<std::string> all = source_.warnings;
    if (first_ > 0) {
        all.push_back(fmt::format("the recording begins at step {}, not at the start", first_));
    }
    if (failed_ >= 0) {
        all.push_back(fmt::format("the recording ended at step {} with an error", failed_));
    } else if (system_.step() > time_step_.count) {
        all.push_back(fmt::format("the recording ended at time.end, step {} of {}",
                                  time_step_.count, system_.step()));
    }
    return all;
}

void StepRecorder::save(const io::Output& output) const {
    memory_->finish(warnings());
    memory_->save(output);
}

}  // namespace beadwave::jobs

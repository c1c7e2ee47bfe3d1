#include "running/step_loop.hpp"

#include "observers/sensor_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

namespace beadwave::running {

using recording::Pace;

StepLoop::StepLoop(System& system, const Settings& settings, const stepping::TimeStep& time_step,
                   double energy_interval, const Callbacks& callbacks)
    : system_(system),
      time_step_(time_step),
      callbacks_(callbacks),
      energy_(settings.energy_interval.value_or(energy_interval), time_step.step),
      snapshots_(settings.snapshot_interval.value_or(settings.end), time_step.step),
      measures_(settings.measure_interval.value_or(settings.end), time_step.step),
      takes_snapshots_((callbacks.store != nullptr || callbacks.each_snapshot) &&
                       settings.snapshot_interval),
      measured_(settings.measure_interval.has_value()),
      takes_measures_(callbacks.store != nullptr && measured_) {}

RunEnd StepLoop::run() {
    begin();
    return advance();
}

RunEnd StepLoop::resume(const std::vector<double>& observers) {
    Archive archive(observers);
    serialize(archive);
    if (!archive.exhausted()) throw std::length_error("the observers' state is too long");
    return advance();
}

void StepLoop::begin() {
    system_.sample_sensors();
    record_sensors(system_.step());
    sample(false);
}

std::int64_t StepLoop::next_stop() const {
    std::int64_t last =
        std::min({system_.last_of_block(system_.step()), time_step_.count, energy_.next()});
    if (takes_snapshots_) last = std::min(last, snapshots_.next());
    if (takes_measures_) last = std::min(last, measures_.next());
    return last;
}

void StepLoop::end_block(std::int64_t first, const dynamics::LaneTrace* lane) {
    const std::int64_t last = system_.step();
    system_.check_state();
    lane != nullptr ? system_.sensors().record(*lane) : record_sensors(first + 1);
    stopped_ = callbacks_.stop && callbacks_.stop();
    const bool finished = last == time_step_.count;
    sample(finished);
    if (!finished) {
        // Before the ledger sample at the step of the interruption, because the
        // uninterrupted run does not have that sample.
        if (stopped_ || (callbacks_.checkpoint_due && callbacks_.checkpoint_due(last)))
            checkpoint();
        if (stopped_) sample(true);
    }
    if (callbacks_.progress) callbacks_.progress(last, seconds());
}

RunEnd StepLoop::advance() {
    while (!done()) {
        const std::int64_t first = system_.step();
        system_.advance(next_stop() - first);
        end_block(first);
    }
    return end();
}

RunEnd StepLoop::end() const {
    return {.steps = system_.step(),
            .stopped = stopped_ && system_.step() < time_step_.count,
            .wall_seconds = seconds(),
            .ledger = system_.ledger(),
            .largest_relative_energy_error = largest_relative_energy_error_,
            .sensors = {}};
}

void StepLoop::record_sensors(std::int64_t first) {
    system_.sensors().record(first, system_.sensor_force(), system_.sensor_velocity(),
                             callbacks_.store);
}

void StepLoop::sample(bool last) {
    const std::int64_t step = system_.step();
    const double time = static_cast<double>(step) * time_step_.step;
    if (energy_.due(step) || (last && step != energy_step_)) {
        energy_step_ = step;
        energy_.done(step);
        const recording::Ledger& ledger = system_.take_energy(scale_);
        scale_ = ledger.scale;
        largest_relative_energy_error_ =
            std::max(largest_relative_energy_error_, std::abs(ledger.relative_energy_error));
        if (callbacks_.store != nullptr) callbacks_.store->sample(Pace::energy, step, time);
    }
    if (takes_snapshots_ && snapshots_.due(step)) {
        snapshots_.done(step);
        if (callbacks_.store != nullptr) {
            system_.take_snapshot(time);
            callbacks_.store->sample(Pace::snapshots, step, time);
        }
        if (callbacks_.each_snapshot) callbacks_.each_snapshot(system_.own_part());
    }
    if (takes_measures_ && measures_.due(step)) {
        measures_.done(step);
        system_.take_measures();
        callbacks_.store->sample(Pace::measures, step, time);
    }
}

void StepLoop::checkpoint() {
    if (!callbacks_.checkpoint) return;
    Archive archive;
    serialize(archive);
    callbacks_.checkpoint(archive.numbers());
}

/// Includes the time of the earlier parts of the run; that of this part counts from here on.
void StepLoop::serialize(Archive& archive) {
    earlier_seconds_ = seconds();
    began_ = std::chrono::steady_clock::now();
    archive(earlier_seconds_);
    system_.sensors().serialize(archive);
    energy_.serialize(archive);
    snapshots_.serialize(archive);
    if (measured_) measures_.serialize(archive);
    archive(energy_step_), archive(scale_), archive(largest_relative_energy_error_);
    system_.serialize(archive);
}

double StepLoop::seconds() const {
    return earlier_seconds_ +
           std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

namespace {

/// The next trial after one whose step was rejected. Throws RunError if there is none.
StepTrial shorter_trial(const StepTrial& failed, const StepRejected& why,
                        const Settings& settings) {
    StepTrial next = failed;
    try {
        next.time_step =
            stepping::shortened(failed.time_step, why.longest, settings.step_request());
    } catch (const stepping::StepError& error) {
        throw RunError(
            fmt::format("{}, and a time step that resolves it {}", why.what(), error.what()));
    }
    next.warnings.push_back(
        fmt::format("the chosen time step of {:.3g} s was too long: {}; the run restarted with "
                    "{:.3g} s",
                    failed.time_step.step, why.what(), next.time_step.step));
    return next;
}

}  // namespace

void System::refuse_non_finite(const std::string& what, const std::string& where) const {
    const std::string when = fmt::format("{} is no longer finite at step {} (t = {:.6g} s){}", what,
                                         step(), time(), where);
    if (!time_step_.given) throw StepRejected(when, time_step_.step / 8.0, true);
    throw RunError(fmt::format("unstable: {}; a smaller time.step than {:g} s may help", when,
                               time_step_.step));
}

void System::refuse_unresolved(const std::string& what, double longest) const {
    const std::string when = fmt::format("at t = {:.6g} s {}", time(), what);
    if (!time_step_.given) throw StepRejected(when, longest);
    throw RunError(
        fmt::format("unstable: {}, too fast for a time.step of {:g} s; {:.1g} s resolves it", when,
                    time_step_.step, longest));
}

RunEnd run_steps(System& system, const Settings& settings, const stepping::TimeStep& time_step,
                 double energy_interval, const Callbacks& callbacks,
                 const std::vector<double>* observers) {
    StepLoop loop(system, settings, time_step, energy_interval, callbacks);
    return observers != nullptr ? loop.resume(*observers) : loop.run();
}

void SinkStore::sample(recording::Pace pace, std::int64_t step, double time) {
    if (pace == Pace::sensors && sinks_.sensors)
        sinks_.sensors(step, time, system_.sensors().force(), system_.sensors().velocity());
    if (pace == Pace::energy && sinks_.energy) sinks_.energy(step, time, system_.ledger());
    if (pace == Pace::snapshots && sinks_.snapshot) sinks_.snapshot(step, time, system_);
}

StepTrial run_trials(const StepTrial& first, const Settings& settings,
                     const std::function<void(const StepTrial&)>& attempt) {
    // Each trial has a step at least five times shorter than the one before.
    constexpr std::size_t most_trials = 12, most_guesses = 3;
    StepTrial trial = first;
    std::size_t guesses = 0;
    for (std::size_t count = 1;; ++count) {
        try {
            attempt(trial);
            return trial;
        } catch (const StepRejected& why) {
            if (count == most_trials) throw RunError(fmt::format("unstable: {}", why.what()));
            guesses = why.is_guess ? guesses + 1 : 0;
            if (guesses > most_guesses) {
                throw RunError(
                    fmt::format("unstable: {}; {} shorter time steps, the last of {:.3g} s, "
                                "have not helped, so the time step is not the cause; expected "
                                "other numbers of the bodies, their law or their motion",
                                why.what(), most_guesses, trial.time_step.step));
            }
            trial = shorter_trial(trial, why, settings);
        }
    }
}

}  // namespace beadwave::running

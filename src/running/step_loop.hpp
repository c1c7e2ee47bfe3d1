// The steps of one run, of a chain or of a packing: blocks of steps, and between them samples,
// checks of the state, checkpoints, and the check whether to stop.
#pragma once

#include "archive.hpp"
#include "beadwave/dynamics/time_step.hpp"
#include "beadwave/running/settings.hpp"
#include "beadwave/running/simulation.hpp"
#include "observers/schedule.hpp"
#include "running/sample_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace beadwave::running {

/// The types of a run.
template <typename Engine_, typename Sinks_, typename Sensors_, typename Ledger_, typename Result_>
struct Parts {
    using Engine = Engine_;
    using Sinks = Sinks_;
    using Sensors = Sensors_;
    using Ledger = Ledger_;
    using Result = Result_;
};

/// The common part of all runs. A class Run derives from it and adds:
/// - `last_of_block(first)`: the last step before the next check of the state;
/// - `check_state()`: throws, with one of the two refuse functions, if the run cannot continue;
/// - `ledger(totals)`: the energy ledger up to now;
/// - `show_energy(totals)` and `show_snapshot()`: pass a sample to the sinks;
/// - `serialize(archive)`: its own state, and that of this class with the two serialize functions;
/// - `result()`.
template <typename Run, typename Of>
class StepLoop {
  public:
    /// From the first step to the last.
    typename Of::Result run() {
        engine_.sample(sensors_.trace());
        sensors_.record(0);
        sample(false);
        return advance();
    }

  protected:
    /// Continues from a checkpoint with this state of the observers; the engine is already
    /// restored.
    typename Of::Result resume(const std::vector<double>& observers) {
        Archive archive(observers);
        serialize(archive);
        if (!archive.exhausted()) throw std::length_error("the observers' state is too long");
        return advance();
    }

    StepLoop(const Settings& settings, const dynamics::TimeStep& time_step,
             typename Of::Engine& engine, const typename Of::Sinks& sinks,
             double standard_energy_interval)
        : time_step_(time_step),
          engine_(engine),
          sinks_(sinks),
          sensors_(settings.sensors,
                   settings.sensor_interval.value_or(settings.end / standard_sensor_samples),
                   time_step.step, sinks.sensors),
          energy_(settings.energy_interval.value_or(standard_energy_interval), time_step.step),
          snapshots_(settings.snapshot_interval.value_or(settings.end), time_step.step),
          takes_snapshots_(sinks.snapshot && settings.snapshot_interval) {}
    ~StepLoop() = default;

    double time() const { return static_cast<double>(engine_.step()) * time_step_.step; }
    bool stopped() const { return stopped_ && engine_.step() < time_step_.count; }
    double seconds() const {
        return earlier_seconds_ +
               std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    }

    /// The time of the earlier parts of the run; the time of this part counts from here on.
    void serialize_seconds(Archive& archive) {
        earlier_seconds_ = seconds();
        began_ = std::chrono::steady_clock::now();
        archive(earlier_seconds_);
    }
    void serialize_balance(Archive& archive) {
        archive(energy_step_), archive(ledger_.scale), archive(largest_relative_energy_error_);
    }

    /// `what` is not finite; `where`: its place in more detail.
    [[noreturn]] void refuse_non_finite(const std::string& what,
                                        const std::string& where = "") const {
        const std::string when = fmt::format("{} is no longer finite at step {} (t = {:.6g} s){}",
                                             what, engine_.step(), time(), where);
        if (!time_step_.given) throw StepRejected(when, time_step_.step / 8.0);
        throw RunError(fmt::format("unstable: {}; a smaller time.step than {:g} s may help", when,
                                   time_step_.step));
    }

    /// The step does not resolve `what`; `longest` [s] is the longest step that would.
    [[noreturn]] void refuse_unresolved(const std::string& what, double longest) const {
        const std::string when = fmt::format("at t = {:.6g} s {}", time(), what);
        if (!time_step_.given) throw StepRejected(when, longest);
        throw RunError(
            fmt::format("unstable: {}, too fast for a time.step of {:g} s; {:.1g} s resolves it",
                        when, time_step_.step, longest));
    }

    dynamics::TimeStep time_step_;
    typename Of::Engine& engine_;
    const typename Of::Sinks& sinks_;
    typename Of::Sensors sensors_;
    observers::Schedule energy_, snapshots_;
    bool takes_snapshots_;
    typename Of::Ledger ledger_{};
    double largest_relative_energy_error_ = 0.0;

  private:
    Run& self() { return static_cast<Run&>(*this); }
    void serialize(Archive& archive) { self().serialize(archive); }

    typename Of::Result advance() {
        while (engine_.step() < time_step_.count && !stopped_) {
            const std::int64_t first = engine_.step();
            std::int64_t last =
                std::min({self().last_of_block(first), time_step_.count, energy_.next()});
            if (takes_snapshots_) last = std::min(last, snapshots_.next());
            engine_.advance(last - first, sensors_.trace());
            self().check_state();
            sensors_.record(first + 1);
            stopped_ = sinks_.stop && sinks_.stop();
            const bool finished = last == time_step_.count;
            sample(finished);
            if (!finished) {
                // Before the ledger sample at the step of the interruption, because the
                // uninterrupted run does not have that sample.
                if (stopped_ || (sinks_.checkpoint_due && sinks_.checkpoint_due(last)))
                    checkpoint();
                if (stopped_) sample(true);
            }
            if (sinks_.progress) sinks_.progress(last, seconds());
        }
        return self().result();
    }

    void checkpoint() {
        if (!sinks_.checkpoint) return;
        Archive archive;
        serialize(archive);
        sinks_.checkpoint(archive.numbers());
    }

    /// Takes the samples that are due; the ledger also at the end of the run.
    void sample(bool last) {
        const std::int64_t step = engine_.step();
        if (energy_.due(step) || (last && step != energy_step_)) {
            energy_step_ = step;
            energy_.done(step);
            const auto totals = engine_.totals();
            ledger_ = self().ledger(totals);
            largest_relative_energy_error_ =
                std::max(largest_relative_energy_error_, std::abs(ledger_.relative_energy_error));
            if (sinks_.energy) self().show_energy(totals);
        }
        if (takes_snapshots_ && snapshots_.due(step)) {
            snapshots_.done(step);
            self().show_snapshot();
        }
    }

    std::int64_t energy_step_ = -1;
    bool stopped_ = false;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    double earlier_seconds_ = 0.0;
};

}  // namespace beadwave::running

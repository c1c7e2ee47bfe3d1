#include "beadwave/running/simulation.hpp"

#include "observers/observables.hpp"
#include "observers/schedule.hpp"
#include "observers/sensor_recorder.hpp"
#include "running/sample_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <string>

namespace beadwave::running {

using observers::Schedule;

namespace {

/// Of a chain this long a ledger sample costs as much as a dozen steps: so many steps lie between
/// two, unless the run says otherwise.
constexpr std::size_t long_chain = 20'000;
constexpr double steps_between_samples = 250.0;

double standard_energy_interval(const Settings& settings, const chain::Chain& chain,
                                double time_step) {
    const double by_count = settings.end / standard_energy_samples;
    return chain.beads() < long_chain ? by_count
                                      : std::max(by_count, steps_between_samples * time_step);
}

/// Steps between two looks at the state: short enough to answer a person, many enough for the
/// engine to keep pieces of the chain in the cache.
std::int64_t block_length(std::size_t beads, std::size_t sensors) {
    const double by_beads = 4e6 / static_cast<double>(beads);
    const double by_trace = 1e6 / static_cast<double>(std::max<std::size_t>(sensors, 1));
    return static_cast<std::int64_t>(std::clamp(std::min(by_beads, by_trace), 248.0, 1024.0));
}

class Run {
  public:
    Run(const Settings& settings, const chain::Chain& chain, const dynamics::TimeStep& time_step,
        dynamics::Engine& engine, const Sinks& sinks)
        : chain_(chain),
          time_step_(time_step),
          engine_(engine),
          sinks_(sinks),
          sensors_(settings.sensors,
                   settings.sensor_interval.value_or(settings.end / standard_sensor_samples),
                   time_step.step, sinks.sensors),
          energy_(settings.energy_interval.value_or(
                      standard_energy_interval(settings, chain, time_step.step)),
                  time_step.step),
          snapshots_(settings.snapshot_interval.value_or(settings.end), time_step.step),
          takes_snapshots_(sinks.snapshot && settings.snapshot_interval),
          start_(engine.totals()) {
        // A twentieth: damping that is steep only at far smaller speeds harms nothing.
        engine.watch_rates(std::max(time_step.largest_speed / 20.0, 1e-9));
    }

    RunResult run() {
        engine_.sample(sensors_.trace());
        sensors_.see(0);
        sample(false);
        return advance();
    }

    RunResult run_on(const SavedState& from) {
        from.restore(engine_);
        engine_.continue_at(from.step);
        StateNumbers numbers(from.observers);
        exchange(numbers);
        if (!numbers.used_up()) throw std::length_error("the observers' state is too long");
        return advance();
    }

  private:
    RunResult advance() {
        const std::int64_t longest = block_length(chain_.beads(), sensors_.trace().beads.size());
        bool stopped = false;
        while (engine_.step() < time_step_.count && !stopped) {
            const std::int64_t first = engine_.step();
            std::int64_t last = std::min({first + longest, time_step_.count, energy_.next()});
            if (takes_snapshots_) last = std::min(last, snapshots_.next());
            engine_.advance(last - first, sensors_.trace());
            refuse_non_finite();
            refuse_unresolved();
            sensors_.see(first + 1);
            stopped = sinks_.stop && sinks_.stop();
            const bool finished = last == time_step_.count;
            sample(finished);
            if (!finished) {
                // Before the ledger's sample at the place of the interruption, which the whole run
                // does not have.
                if (stopped || (sinks_.checkpoint_due && sinks_.checkpoint_due(last))) checkpoint();
                if (stopped) sample(true);
            }
            if (sinks_.progress) sinks_.progress(last, seconds());
        }

        const dynamics::Totals end = engine_.totals();
        return {.steps = engine_.step(),
                .stopped = stopped && engine_.step() < time_step_.count,
                .wall_seconds = seconds(),
                .ledger = ledger_,
                .largest_residual = largest_residual_,
                .initial_momentum = start_.momentum,
                .momentum = end.momentum,
                .discarded_momentum = end.discarded_momentum,
                .rates = rates_,
                .sensors = sensors_.results(chain_)};
    }

    void checkpoint() {
        if (!sinks_.checkpoint) return;
        StateNumbers numbers;
        exchange(numbers);
        sinks_.checkpoint(numbers.numbers());
    }

    void exchange(StateNumbers& state) {
        // The earlier pieces' time; this one's is counted from here on.
        earlier_seconds_ = seconds();
        began_ = std::chrono::steady_clock::now();
        state(earlier_seconds_);
        sensors_.exchange(state);
        energy_.exchange(state);
        snapshots_.exchange(state);
        state(start_.kinetic), state(start_.stored), state(start_.momentum);
        state(energy_step_), state(ledger_.scale), state(largest_residual_);
        state(rates_.frequency), state(rates_.frequency_bead);
        state(rates_.damping), state(rates_.damping_bead);
    }

    double seconds() const {
        return earlier_seconds_ +
               std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    }

    double time() const { return static_cast<double>(engine_.step()) * time_step_.step; }

    /// Samples what is due; the ledger also at the end of the run.
    void sample(bool last) {
        const std::int64_t step = engine_.step();
        if (energy_.due(step) || (last && step != energy_step_)) {
            energy_step_ = step;
            energy_.done(step);
            const dynamics::Totals totals = engine_.totals();
            ledger_ = observers::balance(start_, totals, ledger_.scale);
            largest_residual_ = std::max(largest_residual_, std::abs(ledger_.residual));
            if (sinks_.energy)
                sinks_.energy(step, time(), ledger_, observers::observed(engine_, totals));
        }
        if (takes_snapshots_ && snapshots_.due(step)) {
            snapshots_.done(step);
            sinks_.snapshot(step, time(), engine_.displacement(), engine_.velocity(),
                            engine_.contact_force());
        }
    }

    void refuse_non_finite() const {
        const auto bead = engine_.first_non_finite();
        if (!bead) return;
        const std::string what =
            fmt::format("bead {} is no longer finite at step {} (t = {:.6g} s), {}", *bead,
                        engine_.step(), time(), contact_beside(*bead));
        if (!time_step_.given) throw StepTooLong(what, time_step_.step / 8.0);
        throw RunError(fmt::format("unstable: {}; a smaller time.step than {:g} s may help", what,
                                   time_step_.step));
    }

    /// The step is held against the fastest that the contacts make beads vibrate, and damp them.
    void refuse_unresolved() {
        rates_.keep_larger(engine_.rates());
        const double step = time_step_.step;
        const bool given = time_step_.given;
        using namespace dynamics;
        if (rates_.frequency * step > (given ? unstable_frequency : good_frequency)) {
            refuse(fmt::format("bead {} vibrates with a period of {:.3g} s", rates_.frequency_bead,
                               2.0 * std::numbers::pi / rates_.frequency),
                   fine_frequency / rates_.frequency);
        }
        if (rates_.damping * step > (given ? unstable_damping : good_damping)) {
            refuse(fmt::format("damping stops bead {} in {:.3g} s", rates_.damping_bead,
                               1.0 / rates_.damping),
                   fine_damping / rates_.damping);
        }
    }

    [[noreturn]] void refuse(const std::string& what, double longest) const {
        const std::string when = fmt::format("at t = {:.6g} s {}", time(), what);
        if (!time_step_.given) throw StepTooLong(when, longest);
        throw RunError(
            fmt::format("unstable: {}, too fast for a time.step of {:g} s; {:.1g} s "
                        "resolves it",
                        when, time_step_.step, longest));
    }

    /// The one of a bead's two contacts whose force is not finite either; the left one if neither
    /// or both are.
    std::string contact_beside(std::size_t bead) const {
        const auto force = engine_.contact_force();
        const std::size_t contact =
            std::isfinite(force[bead]) && !std::isfinite(force[bead + 1]) ? bead + 1 : bead;
        if (contact == 0) return "at contact 0, of bead 0 and the left wall";
        if (contact == chain_.beads()) {
            return fmt::format("at contact {}, of bead {} and the right wall", contact,
                               contact - 1);
        }
        return fmt::format("at contact {}, of beads {} and {}", contact, contact - 1, contact);
    }

    const chain::Chain& chain_;
    dynamics::TimeStep time_step_;
    dynamics::Engine& engine_;
    const Sinks& sinks_;
    observers::SensorRecorder sensors_;
    Schedule energy_, snapshots_;
    bool takes_snapshots_;
    dynamics::Totals start_;
    std::int64_t energy_step_ = -1;
    observers::Ledger ledger_{};
    dynamics::Rates rates_;
    double largest_residual_ = 0.0;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    double earlier_seconds_ = 0.0;
};

}  // namespace

RunResult simulate(const Settings& settings, const chain::Chain& chain,
                   const dynamics::TimeStep& time_step, dynamics::Engine& engine,
                   const Sinks& sinks) {
    return Run(settings, chain, time_step, engine, sinks).run();
}

RunResult continue_simulation(const Settings& settings, const chain::Chain& chain,
                              const dynamics::TimeStep& time_step, dynamics::Engine& engine,
                              const Sinks& sinks, const SavedState& from) {
    return Run(settings, chain, time_step, engine, sinks).run_on(from);
}

}  // namespace beadwave::running

#include "running/packing_simulation.hpp"

#include "running/sample_counts.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

namespace beadwave::running {
namespace {

using observers::Schedule;
using packing::Packing;
using packing::PackingEngine;

/// A ledger sample and a look at the contacts' rates cost some ten steps each.
constexpr double steps_between_samples = 100.0;

double standard_energy_interval(const Settings& settings, double time_step) {
    return std::max(settings.end / standard_energy_samples, steps_between_samples * time_step);
}

/// Steps between two looks at the state: short enough to answer a person.
std::int64_t block_length(std::size_t particles, std::size_t sensors) {
    const double by_particles = 4e6 / static_cast<double>(particles);
    const double by_trace = 3e5 / static_cast<double>(std::max<std::size_t>(sensors, 1));
    return static_cast<std::int64_t>(std::clamp(std::min(by_particles, by_trace), 16.0, 1024.0));
}

class Run {
  public:
    Run(const Settings& settings, const Packing& packing, const dynamics::TimeStep& time_step,
        PackingEngine& engine, const PackingSinks& sinks, const packing::PackingTotals& start)
        : packing_(packing),
          time_step_(time_step),
          engine_(engine),
          sinks_(sinks),
          sensors_(settings.sensors,
                   settings.sensor_interval.value_or(settings.end / standard_sensor_samples),
                   time_step.step, sinks.sensors),
          energy_(
              settings.energy_interval.value_or(standard_energy_interval(settings, time_step.step)),
              time_step.step),
          looks_(steps_between_samples * time_step.step, time_step.step),
          snapshots_(settings.snapshot_interval.value_or(settings.end), time_step.step),
          takes_snapshots_(sinks.snapshot && settings.snapshot_interval),
          start_(start) {}

    PackingResult run() {
        engine_.sample(sensors_.trace());
        sensors_.see(0);
        sample(false);
        return advance();
    }

    PackingResult run_on(const PackingSavedState& from) {
        StateNumbers numbers(from.observers);
        exchange(numbers);
        if (!numbers.used_up()) throw std::length_error("the observers' state is too long");
        return advance();
    }

  private:
    PackingResult advance() {
        const std::int64_t longest =
            block_length(packing_.particles(), sensors_.trace().particles.size());
        bool stopped = false;
        while (engine_.step() < time_step_.count && !stopped) {
            const std::int64_t first = engine_.step();
            // Looks at the rates lie on the same steps however the run is interrupted.
            std::int64_t last =
                std::min({first + longest, time_step_.count, energy_.next(), looks_.next()});
            if (takes_snapshots_) last = std::min(last, snapshots_.next());
            engine_.advance(last - first, sensors_.trace());
            refuse_non_finite();
            refuse_unresolved(last);
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
        const packing::PackingTotals end = engine_.totals();
        return {.steps = engine_.step(),
                .stopped = stopped && engine_.step() < time_step_.count,
                .wall_seconds = seconds(),
                .ledger = ledger_,
                .largest_residual = largest_residual_,
                .initial_momentum = start_.momentum,
                .momentum = end.momentum,
                .initial_angular_momentum = start_.angular_momentum,
                .angular_momentum = end.angular_momentum,
                .rates = rates_,
                .sensors = sensors_.results(packing_),
                .listed_pairs = engine_.listed_pairs(),
                .closed_contacts = engine_.closed_contacts(),
                .list_renewals = engine_.list_renewals()};
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
        looks_.exchange(state);
        snapshots_.exchange(state);
        state(energy_step_), state(ledger_.scale), state(largest_residual_);
        state(rates_.frequency), state(rates_.damping);
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
            const packing::PackingTotals totals = engine_.totals();
            ledger_ = observers::balance(start_, totals, ledger_.scale);
            largest_residual_ = std::max(largest_residual_, std::abs(ledger_.residual));
            if (sinks_.energy) sinks_.energy(step, time(), ledger_, totals);
        }
        if (takes_snapshots_ && snapshots_.due(step)) {
            snapshots_.done(step);
            sinks_.snapshot(step, time(), engine_);
        }
    }

    void refuse_non_finite() const {
        const auto particle = engine_.first_non_finite();
        if (!particle) return;
        const std::string what = fmt::format(
            "particle {} is no longer finite at step {} (t = "
            "{:.6g} s)",
            *particle, engine_.step(), time());
        if (!time_step_.given) throw StepTooLong(what, time_step_.step / 8.0);
        throw RunError(fmt::format("unstable: {}; a smaller time.step than {:g} s may help", what,
                                   time_step_.step));
    }

    /// The step is held against the fastest that the contacts make particles vibrate, and damp
    /// them.
    void refuse_unresolved(std::int64_t step_number) {
        if (!looks_.due(step_number)) return;
        looks_.done(step_number);
        // A twentieth: damping that is steep only at far smaller speeds harms nothing.
        const packing::PackingRates now =
            engine_.rates(std::max(time_step_.largest_speed / 20.0, 1e-9));
        rates_.frequency = std::max(rates_.frequency, now.frequency);
        rates_.damping = std::max(rates_.damping, now.damping);
        const double step = time_step_.step;
        using namespace dynamics;
        if (rates_.frequency * step > (time_step_.given ? unstable_frequency : rough_frequency)) {
            refuse(fmt::format("a particle vibrates with a period of {:.3g} s",
                               2.0 * std::numbers::pi / rates_.frequency),
                   0.5 * rough_frequency / rates_.frequency);
        }
        if (rates_.damping * step > (time_step_.given ? unstable_damping : rough_damping)) {
            refuse(fmt::format("damping stops a particle in {:.3g} s", 1.0 / rates_.damping),
                   0.5 * rough_damping / rates_.damping);
        }
    }

    [[noreturn]] void refuse(const std::string& what, double longest) const {
        const std::string when = fmt::format("at t = {:.6g} s {}", time(), what);
        if (!time_step_.given) throw StepTooLong(when, longest);
        throw RunError(
            fmt::format("unstable: {}, too fast for a time.step of {:g} s; {:.1g} s resolves it",
                        when, time_step_.step, longest));
    }

    const Packing& packing_;
    dynamics::TimeStep time_step_;
    PackingEngine& engine_;
    const PackingSinks& sinks_;
    observers::PackingSensors sensors_;
    Schedule energy_, looks_, snapshots_;
    bool takes_snapshots_;
    packing::PackingTotals start_;
    std::int64_t energy_step_ = -1;
    observers::PackingLedger ledger_{};
    packing::PackingRates rates_;
    double largest_residual_ = 0.0;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    double earlier_seconds_ = 0.0;
};

void note_rates(std::vector<std::string>& notes, const dynamics::TimeStep& time_step,
                const packing::PackingRates& rates) {
    if (!time_step.given) return;
    const double step = time_step.step;
    if (rates.frequency * step > dynamics::rough_frequency) {
        notes.push_back(fmt::format(
            "rough: a particle vibrated with a period of only {:.0f} steps; a time.step of {:.1g} "
            "s resolves it",
            2.0 * std::numbers::pi / (rates.frequency * step),
            0.5 * dynamics::rough_frequency / rates.frequency));
    }
    if (rates.damping * step > dynamics::rough_damping) {
        notes.push_back(fmt::format(
            "rough: damping stopped a particle within {:.1f} steps; a time.step of {:.1g} s "
            "resolves it",
            1.0 / (rates.damping * step), 0.5 * dynamics::rough_damping / rates.damping));
    }
}

void note_doubts(PackingFinished& finished) {
    const dynamics::TimeStep& step = finished.attempt.time_step;
    const observers::PackingLedger& ledger = finished.result.ledger;
    note_rates(finished.doubts, step, finished.result.rates);
    constexpr double small = 1e-3, large_residual = 1e-2;
    if (ledger.dissipated < -small * ledger.scale) {
        finished.doubts.push_back(fmt::format(
            "the normal forces gave {:.3g} J more than they took: the law does not hold here",
            -ledger.dissipated));
    }
    if (ledger.friction < -small * ledger.scale) {
        finished.doubts.push_back(fmt::format(
            "friction gave {:.3g} J more than it took: its law does not keep to energy here",
            -ledger.friction));
    }
    if (const double missing = finished.result.largest_residual; missing > large_residual) {
        finished.doubts.push_back(
            fmt::format("the energy ledger misses {:.2g} % at most; a smaller time.step than "
                        "{:.3g} s is needed",
                        100.0 * missing, step.step));
    }
}

}  // namespace

std::vector<std::string> PackingFinished::notes() const {
    std::vector<std::string> all = attempt.notes;
    all.insert(all.end(), doubts.begin(), doubts.end());
    return all;
}

int worthwhile_threads(std::size_t particles) {
    constexpr std::size_t particles_a_thread = 1000;
    const std::size_t most = std::max<std::size_t>(1, particles / particles_a_thread);
    return static_cast<int>(
        std::min<std::size_t>(most, static_cast<std::size_t>(omp_get_max_threads())));
}

PackingFinished run_packing(const Packing& packing, const Settings& settings, const Attempt& first,
                            int threads, const BeginPacking& begin, const PackingSavedState* from) {
    constexpr std::size_t most_attempts = 12;
    Attempt attempt = first;
    if (threads == 0) threads = worthwhile_threads(packing.particles());
    for (std::size_t count = 1;; ++count) {
        const auto engine = packing::make_packing_engine(packing, attempt.time_step.step, threads);
        const packing::PackingTotals start = engine->totals();
        // Before anything is written: what was saved may be of another build.
        if (from != nullptr) from->restore(*engine);
        const PackingSinks sinks = begin ? begin(attempt, *engine) : PackingSinks{};
        try {
            Run run(settings, packing, attempt.time_step, *engine, sinks, start);
            PackingFinished finished{.result = from != nullptr ? run.run_on(*from) : run.run(),
                                     .attempt = attempt,
                                     .threads = engine->threads(),
                                     .doubts = {}};
            note_doubts(finished);
            return finished;
        } catch (const StepTooLong& why) {
            if (count == most_attempts) throw RunError(fmt::format("unstable: {}", why.what()));
            attempt = shorter_attempt(attempt, why, settings);
            from = nullptr;
        }
    }
}

}  // namespace beadwave::running

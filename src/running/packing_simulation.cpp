#include "running/packing_simulation.hpp"

#include "running/doubts.hpp"
#include "running/step_loop.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <numbers>

namespace beadwave::running {
namespace {

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

using PackingParts = Parts<PackingEngine, PackingSinks, observers::PackingSensors,
                           observers::PackingLedger, PackingResult>;

class Run : public StepLoop<Run, PackingParts> {
  public:
    Run(const Settings& settings, const Packing& packing, const dynamics::TimeStep& time_step,
        PackingEngine& engine, const PackingSinks& sinks, const packing::PackingTotals& start)
        : StepLoop(settings, time_step, engine, sinks,
                   standard_energy_interval(settings, time_step.step)),
          packing_(packing),
          looks_(steps_between_samples * time_step.step, time_step.step),
          start_(start) {}

    PackingResult run_on(const PackingSavedState& from) { return go_on(from.observers); }

  private:
    friend StepLoop;

    /// Looks at the rates lie on the same steps however the run is interrupted.
    std::int64_t last_of_block(std::int64_t first) {
        const std::size_t sensors = sensors_.trace().particles.size();
        return std::min(first + block_length(packing_.particles(), sensors), looks_.next());
    }

    void look() {
        if (const auto particle = engine_.first_non_finite())
            refuse_non_finite(fmt::format("particle {}", *particle));
        if (!looks_.due(engine_.step())) return;
        looks_.done(engine_.step());
        // A twentieth: damping that is steep only at far smaller speeds harms nothing.
        const packing::PackingRates now =
            engine_.rates(std::max(time_step_.largest_speed / 20.0, 1e-9));
        rates_.frequency = std::max(rates_.frequency, now.frequency);
        rates_.damping = std::max(rates_.damping, now.damping);
        const double step = time_step_.step;
        const bool given = time_step_.given;
        using namespace dynamics;
        if (rates_.frequency * step > (given ? unstable_frequency : rough_frequency)) {
            refuse_unresolved(fmt::format("a particle vibrates with a period of {:.3g} s",
                                          2.0 * std::numbers::pi / rates_.frequency),
                              0.5 * rough_frequency / rates_.frequency);
        }
        if (rates_.damping * step > (given ? unstable_damping : rough_damping)) {
            refuse_unresolved(
                fmt::format("damping stops a particle in {:.3g} s", 1.0 / rates_.damping),
                0.5 * rough_damping / rates_.damping);
        }
    }

    observers::PackingLedger ledger(const packing::PackingTotals& totals) const {
        return observers::balance(start_, totals, ledger_.scale);
    }

    void show_energy(const packing::PackingTotals& totals) const {
        sinks_.energy(engine_.step(), time(), ledger_, totals);
    }

    void show_snapshot() const { sinks_.snapshot(engine_.step(), time(), engine_); }

    void exchange(StateNumbers& state) {
        exchange_seconds(state);
        sensors_.exchange(state);
        energy_.exchange(state);
        looks_.exchange(state);
        snapshots_.exchange(state);
        exchange_balance(state);
        state(rates_.frequency), state(rates_.damping);
    }

    PackingResult result() {
        const packing::PackingTotals end = engine_.totals();
        return {.steps = engine_.step(),
                .stopped = stopped(),
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

    const Packing& packing_;
    observers::Schedule looks_;
    packing::PackingTotals start_;
    packing::PackingRates rates_;
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
                                     .doubts = doubts_before(packing, attempt.time_step)};
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

#include "running/packing_simulation.hpp"

#include "running/diagnostics.hpp"
#include "running/step_loop.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <numbers>

namespace beadwave::running {
namespace {

using packing::Packing;
using packing::PackingEngine;

/// A sample of the energy ledger costs about as much as ten steps, and so does a check of the
/// stability limits.
constexpr double steps_between_samples = 100.0;

double standard_energy_interval(const Settings& settings, double time_step) {
    return std::max(settings.end / standard_energy_samples, steps_between_samples * time_step);
}

/// Steps between two checks of the state: few enough to react to the user.
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
          limit_checks_(steps_between_samples * time_step.step, time_step.step),
          start_(start) {}

    PackingResult run_on(const PackingSavedState& from) { return resume(from.observers); }

  private:
    friend StepLoop;

    /// The stability limits are checked at the same steps, however the run is interrupted.
    std::int64_t last_of_block(std::int64_t first) {
        const std::size_t sensors = sensors_.trace().particles.size();
        return std::min(first + block_length(packing_.particles(), sensors), limit_checks_.next());
    }

    void check_state() {
        if (const auto particle = engine_.first_non_finite())
            refuse_non_finite(fmt::format("particle {}", *particle));
        if (!limit_checks_.due(engine_.step())) return;
        limit_checks_.done(engine_.step());
        // A twentieth of the largest speed: damping that is steep only at far smaller speeds does
        // no harm.
        const packing::StabilityLimits now =
            engine_.stability_limits(std::max(time_step_.largest_speed / 20.0, 1e-9));
        limits_.frequency = std::max(limits_.frequency, now.frequency);
        limits_.damping = std::max(limits_.damping, now.damping);
        const double step = time_step_.step;
        const bool given = time_step_.given;
        using namespace dynamics;
        if (limits_.frequency * step > (given ? unstable_frequency : coarse_frequency)) {
            refuse_unresolved(fmt::format("a particle vibrates with a period of {:.3g} s",
                                          2.0 * std::numbers::pi / limits_.frequency),
                              0.5 * coarse_frequency / limits_.frequency);
        }
        if (limits_.damping * step > (given ? unstable_damping : coarse_damping)) {
            refuse_unresolved(
                fmt::format("damping stops a particle in {:.3g} s", 1.0 / limits_.damping),
                0.5 * coarse_damping / limits_.damping);
        }
    }

    observers::PackingLedger ledger(const packing::PackingTotals& totals) const {
        return observers::balance(start_, totals, ledger_.scale);
    }

    void show_energy(const packing::PackingTotals& totals) const {
        sinks_.energy(engine_.step(), time(), ledger_, totals);
    }

    void show_snapshot() const { sinks_.snapshot(engine_.step(), time(), engine_); }

    void serialize(Archive& archive) {
        serialize_seconds(archive);
        sensors_.serialize(archive);
        energy_.serialize(archive);
        limit_checks_.serialize(archive);
        snapshots_.serialize(archive);
        serialize_balance(archive);
        archive(limits_.frequency), archive(limits_.damping);
    }

    PackingResult result() {
        const packing::PackingTotals end = engine_.totals();
        return {.steps = engine_.step(),
                .stopped = stopped(),
                .wall_seconds = seconds(),
                .ledger = ledger_,
                .largest_relative_energy_error = largest_relative_energy_error_,
                .initial_momentum = start_.momentum,
                .momentum = end.momentum,
                .initial_angular_momentum = start_.angular_momentum,
                .angular_momentum = end.angular_momentum,
                .stability_limits = limits_,
                .sensors = sensors_.results(packing_),
                .listed_pairs = engine_.listed_pairs(),
                .closed_contacts = engine_.closed_contacts(),
                .neighbour_list_builds = engine_.neighbour_list_builds()};
    }

    const Packing& packing_;
    observers::Schedule limit_checks_;
    packing::PackingTotals start_;
    packing::StabilityLimits limits_;
};

void add_step_warnings(std::vector<std::string>& warnings, const dynamics::TimeStep& time_step,
                       const packing::StabilityLimits& stability_limits) {
    if (!time_step.given) return;
    const double step = time_step.step;
    if (stability_limits.frequency * step > dynamics::coarse_frequency) {
        warnings.push_back(
            fmt::format("coarse time step: a particle vibrated with a period of only {:.0f} steps; "
                        "a time.step of {:.1g} "
                        "s resolves it",
                        2.0 * std::numbers::pi / (stability_limits.frequency * step),
                        0.5 * dynamics::coarse_frequency / stability_limits.frequency));
    }
    if (stability_limits.damping * step > dynamics::coarse_damping) {
        warnings.push_back(
            fmt::format("coarse time step: damping stopped a particle within {:.1f} steps; a "
                        "time.step of {:.1g} s "
                        "resolves it",
                        1.0 / (stability_limits.damping * step),
                        0.5 * dynamics::coarse_damping / stability_limits.damping));
    }
}

void add_diagnostics(PackingFinished& finished) {
    const dynamics::TimeStep& step = finished.trial.time_step;
    const observers::PackingLedger& ledger = finished.result.ledger;
    add_step_warnings(finished.diagnostics, step, finished.result.stability_limits);
    constexpr double small = 1e-3, large_error = 1e-2;
    if (ledger.normal < -small * ledger.scale) {
        finished.diagnostics.push_back(fmt::format(
            "the normal forces gave {:.3g} J more than they took: the law is not valid here",
            -ledger.normal));
    }
    const double tangential = ledger.friction + ledger.rolling;
    if (tangential < -small * ledger.scale) {
        finished.diagnostics.push_back(fmt::format(
            "friction gave {:.3g} J more than it took: its law creates energy here", -tangential));
    }
    if (const double error = finished.result.largest_relative_energy_error; error > large_error) {
        finished.diagnostics.push_back(
            fmt::format("the energy error reaches {:.2g} % of the largest entry of the ledger; a "
                        "smaller time.step than {:.3g} s is needed",
                        100.0 * error, step.step));
    }
}

}  // namespace

std::vector<std::string> PackingFinished::warnings() const {
    std::vector<std::string> all = trial.warnings;
    all.insert(all.end(), diagnostics.begin(), diagnostics.end());
    return all;
}

int worthwhile_threads(std::size_t particles) {
    constexpr std::size_t particles_per_thread = 1000;
    const std::size_t largest = std::max<std::size_t>(1, particles / particles_per_thread);
    return static_cast<int>(
        std::min<std::size_t>(largest, static_cast<std::size_t>(omp_get_max_threads())));
}

PackingFinished run_packing(const Packing& packing, const Settings& settings,
                            const StepTrial& first, int threads, const BeginPacking& begin,
                            const PackingSavedState* from) {
    constexpr std::size_t max_trials = 12;
    StepTrial trial = first;
    if (threads == 0) threads = worthwhile_threads(packing.particles());
    for (std::size_t count = 1;; ++count) {
        const auto engine = packing::make_packing_engine(packing, trial.time_step.step, threads);
        const packing::PackingTotals start = engine->totals();
        // Before anything is written: the checkpoint may come from another build.
        if (from != nullptr) from->restore(*engine);
        const PackingSinks sinks = begin ? begin(trial, *engine) : PackingSinks{};
        try {
            Run run(settings, packing, trial.time_step, *engine, sinks, start);
            PackingFinished finished{.result = from != nullptr ? run.run_on(*from) : run.run(),
                                     .trial = trial,
                                     .threads = engine->threads(),
                                     .diagnostics = diagnose(packing, trial.time_step)};
            add_diagnostics(finished);
            return finished;
        } catch (const StepRejected& why) {
            if (count == max_trials) throw RunError(fmt::format("unstable: {}", why.what()));
            trial = shorter_trial(trial, why, settings);
            from = nullptr;
        }
    }
}

}  // namespace beadwave::running

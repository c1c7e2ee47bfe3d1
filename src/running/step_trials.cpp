#include "beadwave/running/step_trials.hpp"

#include "running/chain_system.hpp"

#include <fmt/format.h>

#include <numbers>

namespace beadwave::running {
namespace {

/// Each trial has a step at least five times shorter than the one before.
constexpr std::size_t most_trials = 12;

/// Relative energy error beyond which the energies are not accurate to one per cent.
constexpr double large_energy_error = 1e-2;

void warn_of_rough_step(std::vector<std::string>& warnings, const dynamics::TimeStep& time_step,
                        const dynamics::StabilityLimits& limits) {
    if (!time_step.given) return;
    const double step = time_step.step;
    if (limits.frequency * step > dynamics::coarse_frequency) {
        warnings.push_back(fmt::format(
            "coarse time step: bead {} vibrated with a period of only {:.0f} steps; a time.step "
            "of {:.1g} s resolves it",
            limits.frequency_bead, 2.0 * std::numbers::pi / (limits.frequency * step),
            dynamics::fine_frequency / limits.frequency));
    }
    if (limits.damping * step > dynamics::coarse_damping) {
        warnings.push_back(
            fmt::format("coarse time step: damping stopped bead {} within {:.1f} steps; a "
                        "time.step of {:.1g} s "
                        "resolves it",
                        limits.damping_bead, 1.0 / (limits.damping * step),
                        dynamics::fine_damping / limits.damping));
    }
}

/// Contacts that give back more energy than they took. Laws as published do so outside of their
/// range.
void warn_of_energy_gain(std::vector<std::string>& warnings, const observers::Ledger& ledger) {
    constexpr double small = 1e-3;
    if (ledger.dissipated >= -small * ledger.scale) return;
    warnings.push_back(
        fmt::format("the contacts gave back {:.3g} J more than they took: the law is not "
                    "valid here",
                    -ledger.dissipated));
}

}  // namespace

StepTrial shorter_trial(const StepTrial& failed, const StepRejected& why,
                        const Settings& settings) {
    StepTrial next = failed;
    try {
        next.time_step =
            dynamics::shortened(failed.time_step, why.longest, settings.step_request());
    } catch (const dynamics::StepError& error) {
        throw RunError(
            fmt::format("{}, and a time step that resolves it {}", why.what(), error.what()));
    }
    next.warnings.push_back(
        fmt::format("the chosen time step of {:.3g} s was too long: {}; the run restarted with "
                    "{:.3g} s",
                    failed.time_step.step, why.what(), next.time_step.step));
    return next;
}

std::vector<std::string> Finished::warnings() const {
    std::vector<std::string> all = trial.warnings;
    all.insert(all.end(), diagnostics.begin(), diagnostics.end());
    return all;
}

Finished run_chain(const chain::Chain& chain, const Settings& settings, const StepTrial& first,
                   int threads, const StartTrial& start, const SavedState* from,
                   const MakeEngine& make) {
    StepTrial trial = first;
    for (std::size_t count = 1;; ++count) {
        const double step = trial.time_step.step;
        const auto engine = make ? make(chain, step) : make_engine(chain, settings, step, threads);
        const Sinks sinks = start ? start(trial, *engine) : Sinks{};
        try {
            Finished finished{
                .result = from != nullptr
                              ? continue_simulation(settings, chain, trial.time_step, *engine,
                                                    sinks, *from)
                              : simulate(settings, chain, trial.time_step, *engine, sinks),
                .trial = trial,
                .threads = engine->threads(),
                .diagnostics = diagnose(chain, trial.time_step)};
            warn_of_rough_step(finished.diagnostics, trial.time_step,
                               finished.result.stability_limits);
            warn_of_energy_gain(finished.diagnostics, finished.result.ledger);
            if (const double missing = finished.result.largest_relative_energy_error;
                missing > large_energy_error) {
                finished.diagnostics.push_back(fmt::format(
                    "the relative energy error reaches {:.2g} %; expected a smaller time.step than "
                    "{:.3g} s",
                    100.0 * missing, trial.time_step.step));
            }
            return finished;
        } catch (const StepRejected& why) {
            if (count == most_trials) throw RunError(fmt::format("unstable: {}", why.what()));
            trial = shorter_trial(trial, why, settings);
            from = nullptr;
        }
    }
}

}  // namespace beadwave::running

#include "beadwave/running/step_trials.hpp"

#include "running/chain_system.hpp"
#include "running/diagnostics.hpp"
#include "running/step_loop.hpp"
#include "running/stepped_chain.hpp"

#include <fmt/format.h>

#include <numbers>

namespace beadwave::running {
namespace {

/// Relative energy error beyond which the energies are not accurate to one per cent.
constexpr double large_energy_error = 1e-2;

void warn_of_rough_step(std::vector<std::string>& warnings, const stepping::TimeStep& time_step,
                        const dynamics::StabilityLimits& limits) {
    if (!time_step.given) return;
    const double step = time_step.step;
    if (limits.frequency * step > stepping::coarse_frequency) {
        warnings.push_back(fmt::format(
            "coarse time step: bead {} vibrated with a period of only {:.0f} steps; a time.step "
            "of {:.1g} s resolves it",
            limits.frequency_bead, 2.0 * std::numbers::pi / (limits.frequency * step),
            stepping::fine_frequency / limits.frequency));
    }
    if (limits.damping * step > stepping::coarse_damping) {
        warnings.push_back(
            fmt::format("coarse time step: damping stopped bead {} within {:.1f} steps; a "
                        "time.step of {:.1g} s "
                        "resolves it",
                        limits.damping_bead, 1.0 / (limits.damping * step),
                        stepping::fine_damping / limits.damping));
    }
}

/// Contacts that give back more energy than they took. Laws as published do so outside of their
/// range.
void warn_of_energy_gain(std::vector<std::string>& warnings, const recording::Ledger& ledger) {
    constexpr double small = 1e-3;
    if (ledger.dissipated >= -small * ledger.scale) return;
    warnings.push_back(
        fmt::format("the contacts gave back {:.3g} J more than they took: the law is not "
                    "valid here",
                    -ledger.dissipated));
}

}  // namespace

void add_diagnostics(Finished& finished, const chain::Chain& chain, const Settings& settings) {
    const stepping::TimeStep& step = finished.trial.time_step;
    finished.diagnostics = diagnose(chain, step);
    warn_of_intervals(finished.diagnostics, settings, step);
    warn_of_rough_step(finished.diagnostics, step, finished.result.stability_limits);
    warn_of_energy_gain(finished.diagnostics, finished.result.ledger);
    warn_of_missed_peaks(finished.diagnostics, finished.result.sensors, step);
    warn_of_jumps(finished.diagnostics, finished.result.sensors, {}, step);
    if (const double missing = finished.result.largest_relative_energy_error;
        missing > large_energy_error) {
        finished.diagnostics.push_back(fmt::format(
            "the relative energy error reaches {:.2g} %; expected a smaller time.step than "
            "{:.3g} s",
            100.0 * missing, step.step));
    }
}

Finished run_chain(const chain::Chain& chain, const Settings& settings, const StepTrial& first,
                   int threads, const StartTrial& start, const SavedState* from,
                   const MakeEngine& make) {
    Finished finished =
        run_in_trials<RunResult>(first, settings, start, from, [&](const stepping::TimeStep& step) {
            return SteppedChain(
                chain, settings, step,
                make ? make(chain, step.step) : make_engine(chain, settings, step.step, threads));
        });
    add_diagnostics(finished, chain, settings);
    return finished;
}

}  // namespace beadwave::running

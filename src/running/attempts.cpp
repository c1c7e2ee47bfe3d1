#include "beadwave/running/attempts.hpp"

#include "running/model.hpp"

#include <fmt/format.h>

#include <numbers>

namespace beadwave::running {
namespace {

/// Each is at least five times shorter than the one before.
constexpr std::size_t most_attempts = 12;

/// Of the ledger: beyond it the energies are not to be trusted to a percent.
constexpr double large_residual = 1e-2;

void note_rates(std::vector<std::string>& notes, const dynamics::TimeStep& time_step,
                const dynamics::Rates& rates) {
    if (!time_step.given) return;
    const double step = time_step.step;
    if (rates.frequency * step > dynamics::rough_frequency) {
        notes.push_back(
            fmt::format("rough: bead {} vibrated with a period of only {:.0f} steps; a time.step "
                        "of {:.1g} s resolves it",
                        rates.frequency_bead, 2.0 * std::numbers::pi / (rates.frequency * step),
                        dynamics::fine_frequency / rates.frequency));
    }
    if (rates.damping * step > dynamics::rough_damping) {
        notes.push_back(fmt::format(
            "rough: damping stopped bead {} within {:.1f} steps; a time.step of {:.1g} s "
            "resolves it",
            rates.damping_bead, 1.0 / (rates.damping * step),
            dynamics::fine_damping / rates.damping));
    }
}

/// Contacts that give back more than they took: printed laws do, outside of where they hold.
void note_gain(std::vector<std::string>& notes, const observers::Ledger& ledger) {
    constexpr double small = 1e-3;
    if (ledger.dissipated >= -small * ledger.scale) return;
    notes.push_back(
        fmt::format("the contacts gave {:.3g} J more than they took: the law does not "
                    "hold here",
                    -ledger.dissipated));
}

}  // namespace

Attempt shorter_attempt(const Attempt& failed, const StepTooLong& why, const Settings& settings) {
    Attempt next = failed;
    try {
        next.time_step =
            dynamics::shortened(failed.time_step, why.longest, settings.step_request());
    } catch (const dynamics::StepError& error) {
        throw RunError(
            fmt::format("{}, and a time step that resolves it {}", why.what(), error.what()));
    }
    next.notes.push_back(
        fmt::format("the chosen time step of {:.3g} s was too long: {}; the run began again with "
                    "{:.3g} s",
                    failed.time_step.step, why.what(), next.time_step.step));
    return next;
}

std::vector<std::string> Finished::notes() const {
    std::vector<std::string> all = attempt.notes;
    all.insert(all.end(), doubts.begin(), doubts.end());
    return all;
}

Finished run_chain(const chain::Chain& chain, const Settings& settings, const Attempt& first,
                   int threads, const Begin& begin, const SavedState* from,
                   const MakeEngine& make) {
    Attempt attempt = first;
    for (std::size_t count = 1;; ++count) {
        const double step = attempt.time_step.step;
        const auto engine = make ? make(chain, step) : make_engine(chain, settings, step, threads);
        const Sinks sinks = begin ? begin(attempt, *engine) : Sinks{};
        try {
            Finished finished{
                .result = from != nullptr
                              ? continue_simulation(settings, chain, attempt.time_step, *engine,
                                                    sinks, *from)
                              : simulate(settings, chain, attempt.time_step, *engine, sinks),
                .attempt = attempt,
                .threads = engine->threads(),
                .doubts = doubts_before(chain, attempt.time_step)};
            note_rates(finished.doubts, attempt.time_step, finished.result.rates);
            note_gain(finished.doubts, finished.result.ledger);
            if (const double missing = finished.result.largest_residual; missing > large_residual) {
                finished.doubts.push_back(fmt::format(
                    "the energy ledger misses {:.2g} % at most; a smaller time.step than {:.3g} s "
                    "is needed",
                    100.0 * missing, attempt.time_step.step));
            }
            return finished;
        } catch (const StepTooLong& why) {
            if (count == most_attempts) throw RunError(fmt::format("unstable: {}", why.what()));
            attempt = shorter_attempt(attempt, why, settings);
            from = nullptr;
        }
    }
}

}  // namespace beadwave::running

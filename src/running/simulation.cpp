#include "beadwave/running/simulation.hpp"

#include "observers/observables.hpp"
#include "observers/sensor_recorder.hpp"
#include "running/step_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <string>

namespace beadwave::running {

namespace {

/// In a chain of at least this length a ledger sample costs as much as a dozen steps. Between two
/// samples there are then at least steps_between_samples steps, unless the settings give an
/// interval.
constexpr std::size_t long_chain = 20'000;
constexpr double steps_between_samples = 250.0;

double standard_energy_interval(const Settings& settings, const chain::Chain& chain,
                                double time_step) {
    const double by_count = settings.end / standard_energy_samples;
    return chain.total() < long_chain ? by_count
                                      : std::max(by_count, steps_between_samples * time_step);
}

/// Steps between two checks of the state: few enough to react to the user soon, many enough for the
/// engine to keep pieces of the chain in the cache.
std::int64_t block_length(std::size_t beads, std::size_t sensors) {
    const double by_beads = 4e6 / static_cast<double>(beads);
    const double by_trace = 1e6 / static_cast<double>(std::max<std::size_t>(sensors, 1));
    return static_cast<std::int64_t>(std::clamp(std::min(by_beads, by_trace), 248.0, 1024.0));
}

using ChainParts =
    Parts<dynamics::Engine, Sinks, observers::SensorRecorder, observers::Ledger, RunResult>;

class Run : public StepLoop<Run, ChainParts> {
  public:
    Run(const Settings& settings, const chain::Chain& chain, const dynamics::TimeStep& time_step,
        dynamics::Engine& engine, const Sinks& sinks)
        : StepLoop(settings, time_step, engine, sinks,
                   standard_energy_interval(settings, chain, time_step.step)),
          chain_(chain),
          start_(engine.totals()) {
        // A twentieth, because damping that is steep only at far smaller speeds does no harm.
        engine.monitor_stability(std::max(time_step.largest_speed / 20.0, 1e-9));
    }

    RunResult run_on(const SavedState& from) {
        from.restore(engine_);
        engine_.continue_at(from.step);
        return resume(from.observers);
    }

  private:
    friend StepLoop;

    std::int64_t last_of_block(std::int64_t first) {
        return first + block_length(chain_.total(), sensors_.trace().beads.size());
    }

    void check_state() {
        if (const auto bead = engine_.first_non_finite())
            refuse_non_finite(fmt::format("bead {}", *bead), ", " + contact_of(*bead));
        stability_limits_.keep_larger(engine_.stability_limits());
        const double step = time_step_.step;
        const bool given = time_step_.given;
        using namespace dynamics;
        if (stability_limits_.frequency * step > (given ? unstable_frequency : good_frequency)) {
            refuse_unresolved(fmt::format("bead {} vibrates with a period of {:.3g} s",
                                          stability_limits_.frequency_bead,
                                          2.0 * std::numbers::pi / stability_limits_.frequency),
                              fine_frequency / stability_limits_.frequency);
        }
        if (stability_limits_.damping * step > (given ? unstable_damping : good_damping)) {
            refuse_unresolved(
                fmt::format("damping stops bead {} in {:.3g} s", stability_limits_.damping_bead,
                            1.0 / stability_limits_.damping),
                fine_damping / stability_limits_.damping);
        }
    }

    observers::Ledger ledger(const dynamics::Totals& totals) const {
        return observers::balance(start_, totals, ledger_.scale);
    }

    void show_energy(const dynamics::Totals& totals) const {
        sinks_.energy(engine_.step(), time(), ledger_, observers::observed(totals));
    }

    void show_snapshot() const {
        sinks_.snapshot(engine_.step(), time(), engine_.displacement(), engine_.velocity(),
                        engine_.contact_force());
    }

    void serialize(Archive& archive) {
        serialize_seconds(archive);
        sensors_.serialize(archive);
        energy_.serialize(archive);
        snapshots_.serialize(archive);
        archive(start_.kinetic), archive(start_.stored), archive(start_.momentum);
        serialize_balance(archive);
        archive(stability_limits_.frequency), archive(stability_limits_.frequency_bead);
        archive(stability_limits_.damping), archive(stability_limits_.damping_bead);
    }

    RunResult result() {
        const dynamics::Totals end = engine_.totals();
        return {.steps = engine_.step(),
                .stopped = stopped(),
                .wall_seconds = seconds(),
                .ledger = ledger_,
                .largest_relative_energy_error = largest_relative_energy_error_,
                .initial_momentum = start_.momentum,
                .momentum = end.momentum,
                .sleep_loss_momentum = end.sleep_loss_momentum,
                .stability_limits = stability_limits_,
                .sensors = sensors_.results(chain_)};
    }

    std::string contact_of(std::size_t bead) const {
        const std::size_t contact = engine_.contact_beside(bead);
        if (contact == 0) return "at contact 0, between the left wall and bead 0";
        if (contact == chain_.total()) {
            return fmt::format("at contact {}, between bead {} and the right wall", contact,
                               contact - 1);
        }
        return fmt::format("at contact {}, between beads {} and {}", contact, contact - 1, contact);
    }

    const chain::Chain& chain_;
    dynamics::Totals start_;
    dynamics::StabilityLimits stability_limits_;
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

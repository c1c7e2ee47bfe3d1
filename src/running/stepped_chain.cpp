#include "running/stepped_chain.hpp"

#include "chain/fingerprint.hpp"
#include "observers/balance.hpp"
#include "ranks/communicator.hpp"
#include "recording/energy_stream.hpp"
#include "running/chain_dissipation.hpp"
#include "running/resonator_streams.hpp"
#include "running/sample_counts.hpp"
#include "running/step_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <stdexcept>

namespace beadwave::running {
namespace {

using recording::Channel;
using recording::Constant;
using recording::Pace;
using recording::Stream;

/// Copies items of this process, of which the first has the number `own_first`.
template <class Numbers>
recording::Fill copy_of(Numbers numbers, std::size_t own_first) {
    return [numbers, own_first](std::size_t first, std::span<double> out) {
        std::ranges::copy(numbers().subspan(first - own_first, out.size()), out.begin());
    };
}

}  // namespace

SteppedChain::SteppedChain(const chain::Chain& chain, const Settings& settings,
                           const stepping::TimeStep& time_step, dynamics::Engine& engine)
    : System(settings, time_step),
      chain_(chain),
      engine_(engine),
      sensors_(settings.sensors, sensor_interval(settings), time_step.step, 1,
               settings.arrival_threshold),
      start_(engine.totals()),
      bonds_(chain, engine, time_step.step) {
    trace_.beads.assign(settings.sensors.begin(), settings.sensors.end());
    // A twentieth, because damping that is steep only at far smaller speeds does no harm.
    engine_.monitor_stability(std::max(time_step.largest_speed / 20.0, 1e-9));
}

SteppedChain::SteppedChain(const chain::Chain& chain, const Settings& settings,
                           const stepping::TimeStep& time_step,
                           std::unique_ptr<dynamics::Engine> engine)
    : SteppedChain(chain, settings, time_step, *engine) {
    owned_ = std::move(engine);
}

OwnPart SteppedChain::own_part() const {
    OwnPart part{.step = step(), .time = time(), .components = 1};
    const std::vector<double> start = chain_.positions();
    const std::span<const double> moved = engine_.displacement(), velocity = engine_.velocity();
    const std::size_t begin = chain_.own_begin();
    for (std::size_t i = 0; begin + i < chain_.own_end(); ++i) {
        part.numbers.push_back(chain_.first() + begin + i);
        part.position.push_back(start[begin + i] + moved[i]);
        part.velocity.push_back(velocity[i]);
    }
    return part;
}

double SteppedChain::standard_energy_interval() const {
    // A sample costs as much as ten steps of a long chain, and more steps of a short one, whose
    // ledger costs little beside the start of the program.
    constexpr double most_steps_between = 500.0, steps_per_bead = 4.0;
    const double steps =
        std::min(steps_per_bead * static_cast<double>(chain_.total()), most_steps_between);
    return std::max(settings_.end / standard_energy_samples, steps * time_step_.step);
}

std::int64_t SteppedChain::last_of_block(std::int64_t first) const {
    // Few enough steps to react to the user soon, many enough for the engine to keep pieces of the
    // chain in the cache.
    const double by_beads = 4e6 / static_cast<double>(chain_.total());
    const double by_trace =
        1e6 / static_cast<double>(std::max<std::size_t>(trace_.beads.size(), 1));
    return first +
           static_cast<std::int64_t>(std::clamp(std::min(by_beads, by_trace), 248.0, 1024.0));
}

void SteppedChain::check_state() {
    if (const auto bead = engine_.first_non_finite())
        refuse_non_finite(fmt::format("bead {}", *bead), ", " + contact_of(*bead));
    stability_limits_.keep_larger(engine_.stability_limits());
    const double step = time_step_.step;
    const bool given = time_step_.given;
    using namespace stepping;
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

void SteppedChain::take_snapshot(double time) {
    snapshot_time_ = time;
    bonds_.take_snapshot();
    dissipation_ = engine_.contact_dissipation();
}

const recording::Ledger& SteppedChain::take_energy(double scale) {
    const dynamics::Totals now = engine_.totals();
    bonds_.update();
    observed_.take({engine_, now, chain_});
    return ledger_ = observers::balance(start_, now, scale);
}

void SteppedChain::serialize(Archive& archive) {
    archive(start_.kinetic), archive(start_.stored), archive(start_.momentum);
    archive(stability_limits_.frequency), archive(stability_limits_.frequency_bead);
    archive(stability_limits_.damping), archive(stability_limits_.damping_bead);
    bonds_.serialize(archive);
}

recording::Description SteppedChain::description() const {
    recording::Description all{.system = "chain", .bodies = "particles/beads"};
    const std::size_t total = chain_.total();
    const std::size_t own_begin = chain_.own_begin(), own = chain_.own_end() - own_begin;
    const bool shared = chain_.partition.has_value();
    all.ranks = chain_.ranks();
    all.own_first = chain_.first() + own_begin;
    all.own_end = all.own_first + own;
    all.total = total;
    all.counts = sample_counts(settings_, time_step_);

    const auto per_bead = [&](const char* name, const char* unit,
                              const std::vector<double>& numbers) {
        all.constants.push_back({std::string("particles/beads/") + name,
                                 name,
                                 unit,
                                 {total},
                                 std::span(numbers).subspan(own_begin, own),
                                 shared});
    };
    per_bead("radius", "m", chain_.radius);
    per_bead("mass", "kg", chain_.mass);
    all.constants.push_back(
        {"", "start", "m", {total}, [&chain = chain_] { return chain.positions(); }});
    // With it and the displacements a reader can compute the overlap of every contact.
    all.constants.push_back({"parameters/contact_gap",
                             "contact_gap",
                             "m",
                             {total + 1},
                             std::span(chain_.gap).subspan(own_begin, all.own_count(total + 1)),
                             shared});
    all.constants.push_back(
        {"particles/beads/id", "", "", {total}, recording::Numbering{total}, shared});
    const auto species = [&chain = chain_, own_begin](std::size_t bead) {
        return static_cast<int>(chain.species[own_begin + bead]);
    };
    all.constants.push_back({"particles/beads/species",
                             "",
                             "",
                             {total},
                             recording::Named{chain_.species_names, species, own},
                             shared});

    all.sensors = settings_.sensors;
    all.sensor_bodies = "beads";
    if (const std::size_t count = all.sensors.size(); count > 0) {
        const auto force = copy_of([this] { return sensors_.force(); }, 0);
        const auto velocity = copy_of([this] { return sensors_.velocity(); }, 0);
        all.streams.push_back({Pace::sensors,
                               "sensor",
                               {{"observables/sensor_force", "N", {count}, force},
                                {"observables/sensor_velocity", "m s-1", {count}, velocity}}});
    }
    if (settings_.snapshot_interval) {
        const std::vector<double> positions = chain_.positions();
        const auto from = positions.begin() + static_cast<std::ptrdiff_t>(own_begin);
        const auto start = all.keep({from, from + static_cast<std::ptrdiff_t>(own)});
        const auto displacement = copy_of([this] { return engine_.displacement(); }, all.own_first);
        const auto velocity = copy_of([this] { return engine_.velocity(); }, all.own_first);
        const auto force = copy_of([this] { return engine_.contact_force(); }, all.own_first);
        const std::string beads = "particles/beads/";
        all.streams.push_back({Pace::snapshots,
                               "snapshot",
                               {{beads + "position",
                                 "m",
                                 {total},
                                 {},
                                 true,
                                 Channel::Sum{2, recording::adding(start, all.own_first)}},
                                {beads + "velocity", "m s-1", {total}, velocity, true},
                                {beads + "displacement", "m", {total}, displacement}},
                               shared});
        all.streams.push_back({Pace::snapshots,
                               "",
                               {{"observables/contact_force", "N", {total + 1}, force}},
                               shared});
        add_chain_dissipation(all, chain_, settings_.dissipation, dissipation_);
        if (chain_.left_drive || chain_.right_drive) {
            const auto walls = [this](std::size_t, std::span<double> out) {
                const auto at = [this](const std::optional<stepping::Drive>& drive) {
                    return drive ? drive->displacement(snapshot_time_) : 0.0;
                };
                out[0] = at(chain_.left_drive), out[1] = at(chain_.right_drive);
            };
            all.streams.push_back(
                {Pace::snapshots, "", {{"observables/wall_displacement", "m", {2}, walls}}});
        }
    }
    add_resonators(all, chain_, engine_, settings_.snapshot_interval.has_value());
    bonds_.add_to(all, settings_.snapshot_interval.has_value());
    Stream energy = recording::energy_stream(recording::SystemKind::chain, Pace::energy, ledger_);
    for (Channel& channel : observed_.channels())
        energy.channels.push_back(std::move(channel));
    all.streams.push_back(std::move(energy));
    return all;
}

RunResult SteppedChain::result(RunEnd end) const {
    const dynamics::Totals now = engine_.totals();
    RunResult result;
    static_cast<RunEnd&>(result) = std::move(end);
    result.sensors = sensors_.results(chain_.positions(sensors_.bodies()));
    result.initial_momentum = start_.momentum;
    result.momentum = now.momentum;
    result.sleep_loss_momentum = now.sleep_loss_momentum;
    result.stability_limits = stability_limits_;
    return result;
}

std::uint64_t SteppedChain::fingerprint() const {
    return chain::fingerprint(chain_);
}

std::vector<SavedColumn> SteppedChain::state() {
    std::vector<SavedColumn> columns;
    for (const dynamics::StateColumn& column : engine_.state())
        columns.push_back({column.name, column.values, column.first, column.total});
    return columns;
}

void SteppedChain::restore(std::int64_t step, const ReadColumn& read) {
    for (const dynamics::StateColumn& column : engine_.state()) {
        std::ranges::copy(read(column.name, column.first, column.values.size(), column.total),
                          column.values.begin());
    }
    engine_.continue_at(step);
}

std::string SteppedChain::contact_of(std::size_t bead) const {
    const std::size_t contact = engine_.contact_beside(bead);
    if (contact == 0) return "at contact 0, between the left wall and bead 0";
    if (contact == chain_.total()) {
        return fmt::format("at contact {}, between bead {} and the right wall", contact,
                           contact - 1);
    }
    return fmt::format("at contact {}, between beads {} and {}", contact, contact - 1, contact);
}

namespace {

RunResult simulate_with(SteppedChain& system, const Settings& settings,
                        const stepping::TimeStep& time_step, const Sinks& sinks,
                        const std::vector<double>* observers) {
    SinkStore store(system, sinks);
    Callbacks callbacks = sinks;
    callbacks.store = &store;
    return system.result(run_steps(system, settings, time_step, system.standard_energy_interval(),
                                   callbacks, observers));
}

}  // namespace

RunResult simulate(const Settings& settings, const chain::Chain& chain,
                   const stepping::TimeStep& time_step, dynamics::Engine& engine,
                   const Sinks& sinks) {
    SteppedChain system(chain, settings, time_step, engine);
    return simulate_with(system, settings, time_step, sinks, nullptr);
}

RunResult continue_simulation(const Settings& settings, const chain::Chain& chain,
                              const stepping::TimeStep& time_step, dynamics::Engine& engine,
                              const Sinks& sinks, const SavedState& from) {
    SteppedChain system(chain, settings, time_step, engine);
    from.restore(system);
    return simulate_with(system, settings, time_step, sinks, &from.observers);
}

}  // namespace beadwave::running

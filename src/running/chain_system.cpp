#include "running/chain_system.hpp"

#include "base/machine_memory.hpp"
#include "beadwave/argument_error.hpp"
#include "beadwave/dynamics/time_step.hpp"
#include "chain/build_chain.hpp"
#include "chain/pair_equilibrium.hpp"
#include "dynamics/tiled_engine.hpp"
#include "ranks/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <variant>

namespace beadwave::running {

Settings settings_of(const scenario::Common& scenario) {
    Settings settings{.end = scenario.time.end,
                      .step = scenario.time.step,
                      .resolution = scenario.time.resolution,
                      .sleep_speed = scenario.time.sleep_speed,
                      .snapshot_interval = scenario.snapshot_interval,
                      .energy_interval = scenario.energy_interval,
                      .dissipation = scenario.dissipation};
    if (scenario.sensors) {
        settings.sensors = scenario.sensors->ids;
        settings.sensor_interval = scenario.sensors->interval;
        settings.arrival_threshold = scenario.sensors->arrival_threshold.value_or(0.0);
    }
    return settings;
}

Settings settings_of(const chain::Scenario& scenario) {
    Settings settings = settings_of(static_cast<const scenario::Common&>(scenario));
    settings.starts_in_equilibrium = scenario.gravity && scenario.gravity->equilibrium;
    return settings;
}

namespace {

/// Numbers of a law per contact.
struct LawSize {
    double fields = 0.0, memory = 0.0, power = 0.0;
};

LawSize law_size(const chain::Chain& chain) {
    const laws::AnyLaw& law = chain.contacts.first();
    return {.fields = static_cast<double>(chain.contacts.law_fields()),
            .memory = static_cast<double>(law.traits().memory_numbers),
            .power = law.traits().conservative ? 0.0 : 1.0};
}

/// A short chain with the same segments and laws.
chain::Chain short_chain(const chain::Scenario& scenario) {
    chain::Scenario few = scenario;
    few.elements = {};
    for (chain::End* end : {&few.left, &few.right}) {
        if (end->kind == chain::EndKind::absorbing) *end = {};
    }
    for (chain::Segment& segment : few.segments) {
        const auto kinds = static_cast<std::int64_t>(segment.pattern.size());
        segment.beads = std::min(segment.beads, std::max<std::int64_t>(kinds, 8));
    }
    return chain::build_chain(few);
}

}  // namespace

double memory_needed(const chain::Scenario& scenario, const chain::Chain& chain) {
    // Measured; a test compares them with the memory of a run. If all beads differ, so do all
    // contacts.
    constexpr double bytes_per_bead = 81.0, bytes_per_different_bead = 62.0;
    constexpr double number = 8.0;
    const auto beads = static_cast<double>(scenario.bead_count());
    double different = 0.0;
    for (const chain::Segment& segment : scenario.segments) {
        if (segment.disorder > 0.0 || segment.taper != 1.0 || !segment.listed.empty())
            different += static_cast<double>(segment.beads);
    }
    const LawSize law = law_size(chain);
    const double loads = scenario.gravity && scenario.gravity->equilibrium ? 1.0 : 0.0;
    // Memory for elements, if all beads have them: as a list, as columns of parameters, and state.
    const chain::ElementGroups& groups = scenario.elements;
    double pairs = 0.0;
    for (const chain::PairForceGroup& each : groups.pair_forces)
        pairs += static_cast<double>(each.neighbours);
    const double carried = (groups.empty() ? 0.0 : 6.0) +
                           4.0 * static_cast<double>(groups.foundations.size()) +
                           16.0 * static_cast<double>(groups.resonators.size()) +
                           14.0 * static_cast<double>(groups.bonds.size()) + 2.0 * pairs;
    return beads * (bytes_per_bead + number * (law.memory + law.power + loads + carried)) +
           different * (bytes_per_different_bead + 2.0 * number * law.fields);
}

chain::Chain build_chain(const chain::Scenario& scenario, ranks::Communicator* ranks) {
    const bool shared = ranks != nullptr && !ranks->alone();
    constexpr double most_bytes_per_bead =
        1000.0;  // upper bound, so that short chains need no estimate
    const double memory = machine_memory();
    // An equilibrium with forces between beads is solved by every rank for the whole chain.
    const bool each_whole =
        !scenario.elements.pair_forces.empty() && chain::pair_equilibrium_wanted(scenario);
    const double here =
        shared ? static_cast<double>(ranks->on_this_node()) / (each_whole ? 1 : ranks->count())
               : 1.0;
    ranks::collective(ranks, [&] {
        if (most_bytes_per_bead * here * static_cast<double>(scenario.bead_count()) <= memory)
            return;
        const double needed = here * memory_needed(scenario, short_chain(scenario));
        if (needed > memory) {
            scenario.origin.fail(
                "segment",
                fmt::format("{} beads need {:.3g} GB of memory or more; this machine has {:.3g}",
                            scenario.bead_count(), needed / 1e9, memory / 1e9));
        }
    });
    std::optional<chain::Partition> partition;
    try {
        const auto beads = static_cast<std::size_t>(scenario.bead_count());
        dynamics::Burden burden{.any = scenario.elements.carried() ||
                                       scenario.left.kind == chain::EndKind::absorbing ||
                                       scenario.right.kind == chain::EndKind::absorbing};
        for (const chain::PairForceGroup& each : scenario.elements.pair_forces)
            burden.neighbours =
                std::max(burden.neighbours, static_cast<std::size_t>(each.neighbours));
        if (shared && beads > 0) {
            partition = dynamics::partition_of(beads, {.sleep_speed = scenario.time.sleep_speed},
                                               *ranks, burden);
        }
    } catch (const ArgumentError& error) {
        scenario.origin.fail("segment", error.what());
    }
    return chain::build_chain(scenario, partition);
}

stepping::TimeStep choose_time_step(const chain::Scenario& scenario, const chain::Chain& chain) {
    try {
        return dynamics::choose_time_step(chain, settings_of(scenario).step_request());
    } catch (const stepping::StepError& error) {
        scenario.origin.fail("time.step", error.what());
    }
}

}  // namespace beadwave::running

#include "running/resonator_streams.hpp"

#include "running/own_items.hpp"

#include <string>
#include <vector>

namespace beadwave::running {
namespace {

/// Reads one column of the engine's state per slot: the k-th resonator of every bead. `own`: the
/// resonators of this process.
recording::Fill column_of(const chain::Chain& chain, const std::vector<chain::ElementRun>& own,
                          dynamics::Engine& engine, const std::string& name) {
    struct Place {
        std::size_t bead, slot;
    };
    std::vector<Place> places;
    std::vector<std::size_t> used(chain.beads());
    for (const chain::Resonator& each : chain.elements.resonators)
        places.push_back({each.bead - chain.own_begin(), used[each.bead]++});
    return [places, own, &engine, name](std::size_t first, std::span<double> out) {
        std::vector<std::span<const double>> slots;
        for (const dynamics::StateColumn& column : engine.state()) {
            if (column.name == "resonator_" + std::to_string(slots.size()) + "_" + name)
                slots.push_back(column.values);
        }
        for_each_own(own, first, out.size(), [&](std::size_t k, std::size_t index) {
            out[k] = slots[places[index].slot][places[index].bead];
        });
    };
}

}  // namespace

void add_resonators(recording::Description& all, const chain::Chain& chain,
                    dynamics::Engine& engine, bool snapshots) {
    const std::size_t count = chain::all_resonators(chain);
    if (count == 0) return;
    const std::vector<chain::ElementRun> own = chain::own_resonators(chain);
    const auto constant = [&](const char* name, const char* unit, const auto& number) {
        add_constant_of(all, chain, own, count, name, unit,
                        [&](std::size_t k) { return number(chain.elements.resonators[k]); });
    };
    constant("resonator_bead", "1", [&](const chain::Resonator& each) {
        return static_cast<double>(chain.first() + each.bead);
    });
    constant("resonator_mass", "kg", [](const chain::Resonator& each) { return each.mass; });
    if (!snapshots) return;
    all.streams.push_back({recording::Pace::snapshots,
                           "",
                           {{"observables/resonator_displacement",
                             "m",
                             {count},
                             column_of(chain, own, engine, "displacement")},
                            {"observables/resonator_velocity",
                             "m s-1",
                             {count},
                             column_of(chain, own, engine, "velocity")}},
                           chain.partition.has_value(),
                           items_of(own)});
}

}  // namespace beadwave::running

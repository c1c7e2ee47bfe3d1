#include "running/resonator_streams.hpp"

#include <string>
#include <vector>

namespace beadwave::running {
namespace {

/// Reads one column of the engine's state per slot: the k-th resonator of every bead.
recording::Fill column_of(const chain::Chain& chain, dynamics::Engine& engine,
                          const std::string& name) {
    struct Place {
        std::size_t bead, slot;
    };
    std::vector<Place> places;
    std::vector<std::size_t> used(chain.beads());
    for (const chain::Resonator& each : chain.elements.resonators)
        places.push_back({each.bead, used[each.bead]++});
    return [places, &engine, name](std::size_t first, std::span<double> out) {
        std::vector<std::span<const double>> slots;
        for (const dynamics::StateColumn& column : engine.state()) {
            if (column.name == "resonator_" + std::to_string(slots.size()) + "_" + name)
                slots.push_back(column.values);
        }
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = slots[places[first + i].slot][places[first + i].bead];
    };
}

}  // namespace

void add_resonators(recording::Description& all, const chain::Chain& chain,
                    dynamics::Engine& engine, bool snapshots) {
    const std::vector<chain::Resonator>& resonators = chain.elements.resonators;
    if (resonators.empty()) return;
    const std::size_t count = resonators.size();
    std::vector<double> bead, mass;
    for (const chain::Resonator& each : resonators) {
        bead.push_back(static_cast<double>(each.bead));
        mass.push_back(each.mass);
    }
    all.constants.push_back(
        {"parameters/resonator_bead", "resonator_bead", "1", {count}, all.keep(std::move(bead))});
    all.constants.push_back(
        {"parameters/resonator_mass", "resonator_mass", "kg", {count}, all.keep(std::move(mass))});
    if (!snapshots) return;
    all.streams.push_back({recording::Pace::snapshots,
                           "",
                           {{"observables/resonator_displacement",
                             "m",
                             {count},
                             column_of(chain, engine, "displacement")},
                            {"observables/resonator_velocity",
                             "m s-1",
                             {count},
                             column_of(chain, engine, "velocity")}}});
}

}  // namespace beadwave::running

#include "running/chain_dissipation.hpp"

#include <cstddef>

namespace beadwave::running {

void add_chain_dissipation(recording::Description& all, const chain::Chain& chain,
                           const recording::DissipationRecords& records,
                           const std::vector<double>& of_contacts) {
    const std::size_t beads = chain.total();
    const auto add = [&](const char* path, std::size_t count, auto number) {
        all.streams.push_back(
            {recording::Pace::snapshots, "", {{path, "J", {count}, recording::per_item(number)}}});
    };
    const std::vector<double>* const of = &of_contacts;
    if (records.contacts) {
        add("observables/contact_normal_dissipation", beads + 1,
            [of](std::size_t c) { return (*of)[c]; });
    }
    if (records.bodies) {
        add("particles/beads/particle_normal_dissipation", beads,
            [of](std::size_t i) { return 0.5 * ((*of)[i] + (*of)[i + 1]); });
    }
    if (records.walls) {
        add("observables/wall_normal_dissipation", 2,
            [of](std::size_t side) { return 0.5 * (side == 0 ? of->front() : of->back()); });
    }
}

}  // namespace beadwave::running

#include "packing_system/dissipation_streams.hpp"

#include <string>
#include <utility>

namespace beadwave::running {

using packing::ContactDissipation;
using packing::DissipationParts;
using recording::Pace;

void DissipationSnapshot::take(const packing::PackingEngine& engine, std::size_t wall_count) {
    contacts = engine.dissipation();
    particles.assign(engine.particles(), {});
    walls.assign(wall_count, {});
    for (const ContactDissipation& each : contacts) {
        particles[each.first].add(each.parts, 0.5);
        DissipationParts& other = each.second < particles.size()
                                      ? particles[each.second]
                                      : walls[each.second - particles.size()];
        other.add(each.parts, 0.5);
    }
}

DissipationParts total_of(const std::vector<ContactDissipation>& contacts) {
    DissipationParts sum;
    for (const ContactDissipation& each : contacts)
        sum.add(each.parts);
    return sum;
}

void add_dissipation(recording::Description& all, const recording::DissipationRecords& records,
                     const DissipationSnapshot& snapshot, std::size_t particles,
                     std::size_t walls) {
    if (records.contacts) {
        recording::Table table{.path = "connectivity/dissipation",
                               .name = "dissipation",
                               .pace = Pace::snapshots,
                               .chunk = 4096,
                               .columns = {},
                               .rows = [&snapshot] { return snapshot.contacts.size(); },
                               .expected_rows = 3 * particles};
        table.columns.push_back(
            {"pair", "", 2, true, [&snapshot](std::size_t first, std::span<double> out) {
                 for (std::size_t i = 0; i < out.size() / 2; ++i) {
                     const ContactDissipation& each = snapshot.contacts[first + i];
                     out[2 * i] = static_cast<double>(each.first);
                     out[2 * i + 1] = static_cast<double>(each.second);
                 }
             }});
        for (std::size_t k = 0; k < DissipationParts::count; ++k) {
            table.columns.push_back({DissipationParts::names[k], "J", 1, false,
                                     recording::per_item([&snapshot, k](std::size_t i) {
                                         return snapshot.contacts[i].parts.*
                                                DissipationParts::all[k];
                                     })});
        }
        all.tables.push_back(std::move(table));
    }
    const auto of_bodies = [&](const std::string& path, std::size_t count,
                               const std::vector<DissipationParts>& parts) {
        recording::Stream stream{Pace::snapshots, "", {}};
        for (std::size_t k = 0; k < DissipationParts::count; ++k) {
            stream.channels.push_back({path + DissipationParts::names[k] + "_dissipation",
                                       "J",
                                       {count},
                                       recording::per_item([&parts, k](std::size_t i) {
                                           return parts[i].*DissipationParts::all[k];
                                       })});
        }
        all.streams.push_back(std::move(stream));
    };
    if (records.bodies) of_bodies("particles/all/particle_", particles, snapshot.particles);
    if (records.walls && walls > 0) of_bodies("observables/wall_", walls, snapshot.walls);
}

}  // namespace beadwave::running

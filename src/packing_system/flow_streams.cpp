#include "packing_system/flow_streams.hpp"

#include "recording/archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace beadwave::running {

using packing::Packing;
using packing::PackingEngine;
using packing::Population;
using packing::Presence;
using recording::Pace;

FlowCounts flow_counts(const PackingEngine& engine) {
    const Population& population = engine.population();
    return {population.count(Presence::waiting), population.count(Presence::inside),
            population.count(Presence::left)};
}

std::vector<std::string> flow_warnings(const Packing& packing, const PackingEngine& engine) {
    const Population& population = engine.population();
    const double time = static_cast<double>(engine.step()) * engine.time_step();
    std::vector<std::string> warnings;
    for (const packing::Pour& pour : packing.pours) {
        std::size_t came = 0;
        for (std::size_t i = pour.first; i < pour.first + pour.count; ++i)
            came += population.presence(i) != Presence::waiting ? 1 : 0;
        if (came == pour.count) continue;
        const bool crowded = pour.due(std::min(time, pour.end)) > came;
        warnings.push_back(fmt::format(
            "only {} of the {} particles from {} on came until {:g} s: {}", came, pour.count,
            pour.first, time,
            crowded ? "there was no room for the others; a larger region, a lower rate or a later "
                      "end of the pour lets more of them come"
                    : "the others were not due yet"));
    }
    for (std::size_t e = 0; e < packing.exits.size(); ++e) {
        std::size_t at_start = 0;
        for (std::size_t i = 0; i < packing.particles(); ++i) {
            at_start += population.presence(i) == Presence::left && population.exit_of(i) == e &&
                                population.leave_step(i) == 0
                            ? 1
                            : 0;
        }
        if (at_start > 0)
            warnings.push_back(fmt::format("exit {} took {} particle{} at the start", e, at_start,
                                           at_start == 1 ? "" : "s"));
    }
    return warnings;
}

void Passages::update(const Packing& packing, const PackingEngine& engine) {
    const Population& population = engine.population();
    const double step = engine.time_step();
    came_.clear();
    left_.clear();
    for (std::size_t i = 0; i < packing.particles(); ++i) {
        const auto particle = static_cast<double>(i);
        const auto came = static_cast<double>(population.entry_step(i)),
                   left = static_cast<double>(population.leave_step(i));
        if (came >= seen_ && packing.waits(i)) came_.push_back({particle, 0.0, came * step});
        if (left >= seen_)
            left_.push_back({particle, static_cast<double>(population.exit_of(i)), left * step});
    }
    for (std::vector<Row>* rows : {&came_, &left_})
        std::ranges::stable_sort(*rows, {}, &Row::time);
    seen_ = static_cast<double>(engine.step());
}

recording::Table Passages::table(const char* name, const char* time, bool exits,
                                 const std::vector<Row>& rows) const {
    recording::Table table{.path = std::string("observables/") + name,
                           .name = name,
                           .pace = Pace::energy,
                           .chunk = 256,
                           .columns = {},
                           .rows = [&rows] { return rows.size(); },
                           .expected_rows = 1};
    const auto add = [&](const char* column, const char* unit, bool whole, double Row::*number) {
        table.columns.push_back(
            {column, unit, 1, whole, [&rows, number](std::size_t first, std::span<double> out) {
                 for (std::size_t k = 0; k < out.size(); ++k)
                     out[k] = rows[first + k].*number;
             }});
    };
    add("particle", "", true, &Row::particle);
    if (exits) add("exit", "", true, &Row::exit);
    add(time, "s", false, &Row::time);
    return table;
}

void Passages::describe(recording::Description& all, const Packing& packing,
                        const PackingEngine& engine, bool snapshots) const {
    const std::size_t particles = packing.particles(), exits = packing.exits.size();
    if (snapshots) {
        const auto presence = recording::per_item([&engine](std::size_t i) {
            return static_cast<double>(engine.population().presence(i));
        });
        all.streams.push_back(
            {Pace::snapshots, "", {{"particles/all/presence", "1", {particles}, presence}}});
    }
    const auto inside = recording::per_item([&engine](std::size_t) {
        return static_cast<double>(engine.population().count(Presence::inside));
    });
    const auto momentum = [&engine](std::size_t first, std::span<double> out) {
        const packing::Vec3& p = engine.population().inflow().momentum;
        const double parts[] = {p.x, p.y, p.z};
        std::copy_n(parts + first, out.size(), out.begin());
    };
    recording::Stream stream{Pace::energy,
                             "",
                             {{"observables/particles_inside", "1", {}, inside},
                              {"observables/inflow_momentum", "kg m s-1", {3}, momentum}}};
    if (exits > 0) {
        const auto left = recording::per_item([&engine](std::size_t exit) {
            return static_cast<double>(engine.population().left_through(exit));
        });
        stream.channels.push_back({"observables/particles_left", "1", {exits}, left});
    }
    all.streams.push_back(std::move(stream));
    if (!packing.pours.empty()) all.tables.push_back(table("entries", "entry_time", false, came_));
    if (exits > 0) all.tables.push_back(table("exits", "exit_time", true, left_));
}

void Passages::serialize(Archive& archive) {
    archive(seen_);
}

}  // namespace beadwave::running

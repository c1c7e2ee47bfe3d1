// What each contact, particle and wall of a packing dissipated, at snapshots.
#pragma once

#include "beadwave/recording/dissipation.hpp"
#include "packing/packing_engine.hpp"
#include "recording/stream.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::running {

/// The dissipation at one snapshot. A body has half of what each of its contacts dissipated:
/// particles and walls add up to the contacts.
struct DissipationSnapshot {
    std::vector<packing::ContactDissipation> contacts;
    std::vector<packing::DissipationParts> particles, walls;

    void take(const packing::PackingEngine& engine, std::size_t wall_count);
};

/// The dissipation of all contacts [J].
packing::DissipationParts total_of(const std::vector<packing::ContactDissipation>& contacts);

/// Adds what `records` names; `snapshot` must outlive the description.
void add_dissipation(recording::Description& all, const recording::DissipationRecords& records,
                     const DissipationSnapshot& snapshot, std::size_t particles, std::size_t walls);

}  // namespace beadwave::running

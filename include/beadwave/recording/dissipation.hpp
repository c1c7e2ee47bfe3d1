// What a history holds of the energy that contacts dissipated.
#pragma once

namespace beadwave::recording {

/// [dissipation] per: of each contact, of each bead or particle, of each wall, in snapshots.
/// impacts: a row for each impact.
struct DissipationRecords {
    bool contacts = false, bodies = false, walls = false;
    bool impacts = false;

    bool in_snapshots() const { return contacts || bodies || walls; }
    bool any() const { return in_snapshots() || impacts; }
};

}  // namespace beadwave::recording

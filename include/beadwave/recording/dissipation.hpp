// What snapshots hold of the energy that contacts dissipated.
#pragma once

namespace beadwave::recording {

/// [dissipation] per: of each contact, of each bead or particle, of each wall, of each triangle.
struct DissipationRecords {
    bool contacts = false, bodies = false, walls = false, triangles = false;

    bool any() const { return contacts || bodies || walls || triangles; }
};

}  // namespace beadwave::recording

// What is recorded of what the particles of a packing carry.
#pragma once

#include "packing/packing_engine.hpp"
#include "recording/stream.hpp"
#include "running/broken_bonds.hpp"

#include <vector>

namespace beadwave::running {

/// Adds the particle of every drive and its force, sampled with the energy, and particle and mass
/// of every resonator and, with snapshots, displacement and velocity, in the order of
/// packing::Elements; the particles of every bond and, with snapshots, its tension. The engine must
/// live as long as the description.
void add_carried(recording::Description& all, const packing::Packing& packing,
                 const packing::PackingEngine& engine, bool snapshots);

/// Of all bonds that broke so far.
std::vector<BrokenBonds::Row> broken_rows(const packing::Packing& packing,
                                          const packing::PackingEngine& engine);

}  // namespace beadwave::running

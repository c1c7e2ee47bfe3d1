// The streams of what the particles of a packing carry.
#pragma once

#include "packing/packing_engine.hpp"
#include "recording/stream.hpp"
#include "running/broken_bonds.hpp"

#include <vector>

namespace beadwave::running {

/// Adds the particle of every drive and its force, sampled with the energy, and particle and mass
/// of every resonator and, with snapshots, displacement and velocity, in the order of
/// packing::Elements; the particles of every bond and, with snapshots, its tension. The engine and
/// `drive_forces`, those at the last sample of the energy, must live as long as the description.
/// With ranks all of them call engine.elements() before each snapshot.
void add_carried(recording::Description& all, const packing::Packing& packing,
                 const packing::PackingEngine& engine,
                 const std::vector<packing::Vec3>& drive_forces,
                 const std::vector<packing::Vec3>& drive_torques, bool snapshots);

/// The rows of the bonds that broke after a step; with ranks on the first one.
std::vector<BrokenBonds::Row> broken_rows(const packing::Packing& packing,
                                          const packing::PackingEngine& engine, double after);

}  // namespace beadwave::running

// A wave that travels through a chain without losses and keeps its shape: after each period it is
// one cell further on. In a chain of equal beads this is the solitary wave of the lattice.
#pragma once

#include "orbits/find.hpp"

#include <vector>

namespace beadwave::orbits {

/// x of a wave that passes `search.frequency` cells per second, towards higher numbers, with the
/// contact in the middle of the chain at its deepest. A guess: the pulse that a struck end makes,
/// cut free of what follows it, or Search::near, moved to the middle. Throws InputError that starts
/// with the name: cells that differ, losses, drives, held beads, masses inside beads, or waves that
/// are slower than sound.
std::vector<double> find_wave(const Search& search);

/// The speed of a wave that passes `search.frequency` cells per second [m/s].
double speed_of_wave(const Search& search);

/// The cells per second that a weak wave passes in a chain at rest, with masses m and stiffnesses k
/// of the contacts of a cell: 1 / sqrt(sum(m) sum(1 / k)); 0: its contacts are not compressed.
double sound_of_cells(const Setting& setting, std::size_t cell);

/// The largest speed of the beads of the outermost cells over that of all [1]: how much of the wave
/// the chain is too short for.
double tail_of_wave(const State& state, std::size_t cell);

}  // namespace beadwave::orbits

// Tables of a chain: [[segment]] and [boundary]. Packings share some of their keys.
#pragma once

#include "chain/scenario.hpp"
#include "io/scenario/table.hpp"

namespace beadwave::io {

/// The list of segments; together they have a limited number of beads.
Table<chain::Scenario> segments_row();

/// Relative standard deviation of radii, and the seed of random numbers.
Key disorder_key();
Key seed_key();

/// [boundary]: how the ends are held or driven.
Table<chain::Scenario> boundary_table();

/// The keys of the motion of a wall: a sine, or a file with a table. The second says whether one of
/// them is given, the third reads them.
std::vector<Key> drive_keys();
bool has_drive(const TomlTable& table);
stepping::Drive read_drive(const TomlTable& table, Reading& reading);

}  // namespace beadwave::io

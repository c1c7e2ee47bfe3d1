// The beads of a segment from a CSV file.
#pragma once

#include "chain/scenario.hpp"
#include "io/scenario/reading.hpp"
#include "io/toml/toml_table.hpp"

namespace beadwave::io {

/// Reads the file that the key names, if it is given. Throws InputError with file and line, and for
/// keys that contradict the file.
void read_bead_file(const TomlTable& table, const Key& key, chain::Segment& segment,
                    Reading& reading);

}  // namespace beadwave::io

// Reads the [boundary] table: how the ends of the chain are held or driven.
#pragma once

#include "chain/scenario.hpp"
#include "io/scenario/named_files.hpp"
#include "io/scenario/segment_reader.hpp"
#include "io/toml/toml_table.hpp"

namespace beadwave::io {

/// The motion of a driven wall: frequency, amplitude and cycles of a sine, or a file with a table.
chain::Drive read_drive(const TomlTable& table, NamedFiles& files);

/// Sets the ends that the table gives; the others are unchanged.
void read_boundary(const TomlTable& root, const Materials& materials, NamedFiles& files,
                   chain::Scenario& scenario);

}  // namespace beadwave::io

// The [boundary] table: how either end of the chain is held or driven.
#pragma once

#include "chain/scenario.hpp"
#include "io/scenario/named_files.hpp"
#include "io/scenario/segment_reader.hpp"
#include "io/toml/toml_table.hpp"

namespace beadwave::io {

/// The table's motion: frequency, amplitude and cycles of a sine, or the file of a table.
chain::Drive read_drive(const TomlTable& table, NamedFiles& files);

/// Sets both ends; those that are not mentioned stay as they are.
void read_boundary(const TomlTable& root, const Materials& materials, NamedFiles& files,
                   chain::Scenario& scenario);

}  // namespace beadwave::io

// The [boundary] table: how either end of the chain is held or driven.
#pragma once

#include "beadwave/chain/scenario.hpp"
#include "named_files.hpp"
#include "segment_reader.hpp"
#include "toml_table.hpp"

namespace beadwave::io {

/// Sets both ends; those that are not mentioned stay as they are.
void read_boundary(const TomlTable& root, const Materials& materials, NamedFiles& files,
                   chain::Scenario& scenario);

}  // namespace beadwave::io

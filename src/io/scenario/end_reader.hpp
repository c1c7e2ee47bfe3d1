// The [boundary] table: how either end of the chain is held or driven.
#pragma once

#include "chain/scenario.hpp"
#include "io/scenario/named_files.hpp"
#include "io/scenario/segment_reader.hpp"
#include "io/toml/toml_table.hpp"

namespace beadwave::io {

/// Sets both ends; those that are not mentioned stay as they are.
void read_boundary(const TomlTable& root, const Materials& materials, NamedFiles& files,
                   chain::Scenario& scenario);

}  // namespace beadwave::io

// What the beads of a chain carry: [[foundation]], [[resonator]], [[load]] and [[drive]].
#pragma once

#include "chain/scenario.hpp"
#include "io/scenario/table.hpp"

#include <string_view>

namespace beadwave::io {

Table<chain::ElementGroups> element_rows();

// Shared with packings (packing_element_tables.hpp).

/// The key of a range of bodies, "beads" or "particles".
Key range_key(std::string_view name, std::string_view meaning);
/// That key, and `every`.
Table<chain::BeadRange> range_rows(Key bodies, std::string_view every);
Table<chain::Spring> spring_rows();
/// Refuses a spring without stiffness and damping.
void refuse_nothing(const TomlTable& table, const chain::Spring& spring);

}  // namespace beadwave::io

// What the beads of a chain carry: [[foundation]], [[resonator]], [[load]], [[drive]], [[bond]] and
// [[pair_force]].
#pragma once

#include "chain/scenario.hpp"
#include "io/scenario/table.hpp"

#include <cstdint>
#include <string_view>

namespace beadwave::io {

Table<chain::ElementGroups> element_rows();

Table<chain::BondGroup> bond_table();

// Shared with packings (packing_element_tables.hpp).

/// The key of a range of "beads", "particles" or "contacts", numbered from `lowest`.
Key range_key(std::string_view name, std::string_view meaning, std::int64_t lowest = 0);
/// The key `bodies`, and the key `every`.
Table<chain::BeadRange> range_rows(Key bodies, std::string_view every);
Table<chain::Spring> spring_rows();
/// Refuses a spring without stiffness and damping.
void refuse_nothing(const TomlTable& table, const chain::Spring& spring);

}  // namespace beadwave::io

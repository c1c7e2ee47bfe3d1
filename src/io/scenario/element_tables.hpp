// What the beads of a chain carry: [[foundation]], [[resonator]], [[load]], [[drive]] and [[bond]].
#pragma once

#include "chain/scenario.hpp"
#include "io/scenario/table.hpp"

#include <cstdint>
#include <string_view>

namespace beadwave::io {

Table<chain::ElementGroups> element_rows();

/// The key of a range of "beads" or "contacts", numbered from `lowest`.
Key range_key(std::string_view name, std::string_view meaning, std::int64_t lowest = 0);
/// That key, and `every`.
Table<chain::BeadRange> range_rows(Key bodies, std::string_view every);

Table<chain::BondGroup> bond_table();

}  // namespace beadwave::io

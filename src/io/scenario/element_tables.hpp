// What the beads of a chain carry: [[foundation]], [[resonator]], [[load]], [[drive]] and
// [[pair_force]].
#pragma once

#include "chain/scenario.hpp"
#include "io/scenario/table.hpp"

namespace beadwave::io {

Table<chain::ElementGroups> element_rows();

}  // namespace beadwave::io

// What the particles of a packing carry: [[foundation]], [[resonator]], [[load]] and [[drive]].
#pragma once

#include "io/scenario/table.hpp"
#include "packing/elements/element_plans.hpp"

namespace beadwave::io {

Table<packing::ElementPlans> packing_element_rows();
Table<packing::DrivePlan> packing_drive_table();
Table<packing::BondPlan> packing_bond_table();

}  // namespace beadwave::io

// [[bond]] of a packing.

#include "subjects/packing/packing_element_tables.hpp"

#include <array>

namespace beadwave::io {

using packing::BondPlan;

Table<BondPlan> packing_bond_table() {
    Key groups =
        named("groups", whole(0),
              "the numbers of two [[particles]], such as [0, 1]; [0, 0]: within the first");
    groups.kind = Kind::wholes;
    groups.otherwise("all");
    Table<BondPlan> t;
    t.row(groups, [](const TomlTable& table, const Key& key, BondPlan& plan, const Reading&) {
        const auto given = table.wholes(key);
        if (!given) return;
        if (given->size() != 2)
            table.fail(key.name, "must be the numbers of two [[particles]], such as [0, 1]");
        plan.groups = std::array{(*given)[0], (*given)[1]};
    });
    t.add(named("distance", from_zero("m"),
                "joins particles whose surfaces are no further apart at the start; 0: that touch"),
          &BondPlan::distance);
    t.add("radius_factor", above_zero("-"), &BondPlan::radius_factor,
          "radius of the cement over that of the smaller particle");
    t.add("youngs_modulus", above_zero("Pa").needed(), &BondPlan::youngs_modulus, "of the cement");
    t.add("stiffness_ratio", above_zero("-"), &BondPlan::stiffness_ratio,
          "normal over shear stiffness");
    t.add(named("tensile_strength", above_zero("Pa"),
                "the bond breaks for good when its largest tensile stress exceeds this")
              .otherwise("no limit"),
          &BondPlan::tensile_strength);
    return t.add(named("shear_strength", above_zero("Pa"), "the same for its largest shear stress")
                     .otherwise("no limit"),
                 &BondPlan::shear_strength);
}

}  // namespace beadwave::io

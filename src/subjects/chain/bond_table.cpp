// [[bond]] of a chain.

#include "subjects/chain/element_tables.hpp"

namespace beadwave::io {

using chain::BondGroup;

Table<BondGroup> bond_table() {
    Table<BondGroup> t;
    t.include(range_rows(range_key("contacts",
                                   "the first and the last contact that have it, or all between "
                                   "two beads; contact c joins beads c - 1 and c",
                                   1),
                         "only each of this many contacts, from the first one on: 2 for every "
                         "second contact"),
              &BondGroup::contacts);
    t.add("stiffness", above_zero("N/m").needed(), &BondGroup::stiffness,
          "k in the tension k x + c v; x is the elongation");
    t.add("damping", from_zero("N s/m"), &BondGroup::damping,
          "c in the same tension; v is the speed of x");
    t.add(named("strength", above_zero("N"), "the bond breaks for good when k x exceeds this")
              .otherwise("it never breaks"),
          &BondGroup::strength);
    t.add(named("gap", any_number("m"),
                "between the surfaces of the beads where x is 0; negative: overlap")
              .otherwise("that at the start"),
          &BondGroup::gap);
    return t.add("tension_only", of(Kind::flag), &BondGroup::tension_only,
                 "whether it has no force while x is below 0");
}

}  // namespace beadwave::io

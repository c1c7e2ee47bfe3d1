#include "subjects/packing/box_table.hpp"

#include <algorithm>
#include <array>

namespace beadwave::io {
namespace {

using packing::Box;
using packing::Straining;

/// A key of a box that strains, and how it sets its member.
struct StrainKey {
    Key key;
    void (*read)(const TomlTable&, const Key&, Straining&, Reading&);
};

template <auto member>
void read_member(const TomlTable& table, const Key& key, Straining& strain, Reading& reading) {
    read_value(table, key, strain.*member, reading);
}

/// xy, xz and yz; in the plane xy, one number or a list of one.
void read_shear(const TomlTable& table, const Key& key, Straining& strain, Reading& reading) {
    const auto given = table.numbers(key, reading.dimension == 2 ? 1 : 3, 3);
    if (!given) return;
    if (given->size() == 2) table.fail(key.name, "must be one number, of xy, or three, in 1/s");
    strain.shear_rate.x = given->front();
    if (given->size() == 3) strain.shear_rate = {(*given)[0], (*given)[1], (*given)[2]};
}

std::vector<StrainKey> strain_keys() {
    return {
        {named("strain_rate", vector3("1/s"),
               "of each edge, over the edge at the start; negative: the box becomes shorter. All "
               "particles follow with the affine motion")
             .otherwise("0"),
         &read_member<&Straining::rate>},
        {named("shear_rate", vector3("1/s"),
               "of the tilts xy, xz and yz of the box: xy moves the upper side along x while y "
               "goes up; over the edge y, z and z at the start. In the plane a list of one number")
             .otherwise("0"),
         &read_shear},
        {named("pistons", of(Kind::flags).ranges("list such as `[true, true, false]`"),
               "axes whose edge is moved by a piston, so that the stress becomes that of `stress`")
             .otherwise("none"),
         &read_member<&Straining::has_piston>},
        {named("stress", vector3("Pa"),
               "that pistons hold along their axes; compression is positive. In the plane in N/m")
             .otherwise("0"),
         &read_member<&Straining::stress>},
        {named("piston_mass", above_zero("kg"), "of each piston")
             .otherwise("the mass of all particles"),
         &read_member<&Straining::mass>},
        {named("piston_damping", from_zero("N s/m"),
               "of each piston: a force of this times its velocity against it")
             .otherwise("0"),
         &read_member<&Straining::damping>},
        {named("start", from_zero("s"),
               "until then the box stays as it is, such as while particles are poured")
             .otherwise("0"),
         &read_member<&Straining::start>}};
}

void check(const TomlTable& table, const Straining& strain) {
    const bool pistons = strain.has_pistons();
    for (const std::string_view key : {"stress", "piston_mass", "piston_damping"}) {
        if (table.has(key) && !pistons) {
            table.fail(key,
                       "has no piston; expected pistons, such as [true, true, false], which "
                       "says along which axes it acts");
        }
    }
    if (table.has("start") && !pistons && !table.has("strain_rate") && !table.has("shear_rate"))
        table.fail("start", "nothing begins then; expected strain_rate, shear_rate or pistons");
    if (pistons && !table.has("stress"))
        table.fail("stress", "missing; give the stress along each axis with a piston, in Pa");
}

}  // namespace

Table<packing::PressPlan> press_table() {
    using packing::PressPlan;
    Table<PressPlan> t;
    t.add("pressure",
          above_zero("Pa").otherwise("none: `volume_fraction` says when the box is small enough"),
          &PressPlan::pressure,
          "the box becomes smaller until the packing carries this pressure, within 0.1 %; in the "
          "plane in N/m");
    Key fraction = between(0.0, 1.0).otherwise("none: `pressure` says it");
    fraction.limits.lowest_allowed = false;
    t.add("volume_fraction", std::move(fraction), &PressPlan::volume_fraction,
          "the box becomes smaller until the particles fill this fraction of it; overlaps count "
          "twice");
    Key tolerance = between(0.0, 0.1);
    tolerance.limits.lowest_allowed = false;
    t.add("tolerance", std::move(tolerance), &PressPlan::tolerance,
          "the packing is at rest when no net force is above this times the mean contact force");
    return t.rule([](const TomlTable& table, const PressPlan& plan, Reading&) {
        if (plan.pressure.has_value() == plan.volume_fraction.has_value()) {
            table.fail(plan.pressure ? "volume_fraction" : "pressure",
                       plan.pressure ? "is given in addition to pressure; give one of the two"
                                     : "missing; give pressure, in Pa, or volume_fraction");
        }
    });
}

Table<Box> box_table() {
    Table<Box> t;
    t.add("lower", vector3("m").needed(), &Box::lower, "corner of the periodic box");
    t.add("upper", vector3("m").needed(), &Box::upper,
          "opposite corner. Along a periodic axis the box is at least two of the largest diameters "
          "wide");
    t.add("periodic",
          of(Kind::flags)
              .ranges("list such as `[true, true, false]`")
              .needed("which axes are periodic, such as [true, true, false]"),
          &Box::periodic,
          "axes along which the box repeats; z cannot repeat in the plane. The other axes have no "
          "bounds");
    const std::vector<StrainKey> keys = strain_keys();
    for (const StrainKey& each : keys)
        t.known(each.key);
    return t.rule([keys](const TomlTable& table, Box& box, Reading& reading) {
        const bool strains = std::ranges::any_of(
            keys, [&](const StrainKey& each) { return table.has(each.key.name); });
        if (!strains) return;
        Straining& strain = box.strain.emplace();
        for (const StrainKey& each : keys)
            each.read(table, each.key, strain, reading);
        check(table, strain);
    });
}

}  // namespace beadwave::io

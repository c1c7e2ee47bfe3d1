#include "subjects/chain/element_tables.hpp"

#include "io/scenario/file_rows.hpp"
#include "subjects/chain/chain_tables.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

namespace beadwave::io {
namespace {

using chain::BeadRange;
using chain::ElementGroups;
using chain::FoundationGroup;
using chain::PairForceGroup;
using chain::PointDrive;
using chain::PointLoad;
using chain::ResonatorGroup;
using chain::Spring;

constexpr std::size_t most_moments = 10'000'000;

void read_range(const TomlTable& table, const Key& key, BeadRange& range, const Reading&) {
    if (table.has_text(key.name)) {
        if (table.text(key) != "all") table.fail(key.name, key.expected);
        return;
    }
    const auto given = table.wholes(key);
    if (!given) return;
    if (given->size() != 2) table.fail(key.name, key.expected);
    range.ends = std::array{(*given)[0], (*given)[1]};
}

}  // namespace

Key range_key(std::string_view name, std::string_view meaning, std::int64_t lowest) {
    Key bodies = named(name, whole(lowest), meaning);
    bodies.kind = Kind::wholes;
    bodies.words = {"all"};
    bodies.or_word = true;
    bodies.expects(fmt::format("must be \"all\", or the first and the last {}, such as [{}, 9]",
                               name.substr(0, name.size() - 1), lowest));
    bodies.ranges("`\"all\"`, or `[first, last]`").otherwise("`\"all\"`");
    return bodies;
}

Table<BeadRange> range_rows(Key bodies, std::string_view every) {
    Table<BeadRange> t;
    t.row(std::move(bodies), read_range);
    return t.add("every", whole(1), &BeadRange::every, every);
}

Table<Spring> spring_rows() {
    Table<Spring> t;
    t.add("stiffness", from_zero("N/m"), &Spring::stiffness, "k in the force k x + k3 x³ + c v");
    t.add("cubic", any_number("N/m^3"), &Spring::cubic, "k3 in the same force; negative: softens");
    return t.add("damping", from_zero("N s/m"), &Spring::damping,
                 "c in the same force; v is the speed of x");
}

void refuse_nothing(const TomlTable& table, const Spring& spring) {
    if (spring.stiffness == 0.0 && spring.cubic == 0.0 && spring.damping == 0.0)
        table.fail("stiffness", "missing; give at least one of stiffness, cubic and damping");
}

namespace {

Key beads_key() {
    return range_key("beads", "the first and the last bead that have it, numbered from 0, or all");
}

Table<BeadRange> bead_rows() {
    return range_rows(
        beads_key(),
        "only each of this many beads, from the first one on: 2 for every second bead");
}

Table<FoundationGroup> foundation_table() {
    Table<FoundationGroup> t;
    t.include(bead_rows(), &FoundationGroup::beads);
    t.include(spring_rows(), &FoundationGroup::spring);
    return t.rule([](const TomlTable& table, const FoundationGroup& group, Reading&) {
        refuse_nothing(table, group.spring);
    });
}

Table<ResonatorGroup> resonator_table() {
    Table<ResonatorGroup> t;
    t.include(bead_rows(), &ResonatorGroup::beads);
    t.add("mass", above_zero("kg").needed(), &ResonatorGroup::mass, "of each mass");
    t.include(spring_rows(), &ResonatorGroup::spring);
    return t.rule([](const TomlTable& table, const ResonatorGroup& group, Reading&) {
        refuse_nothing(table, group.spring);
    });
}

Key bead_key(std::string_view meaning) {
    return named("bead", whole(0).needed("the number of a bead"), meaning);
}

Table<PointLoad> load_table() {
    const Key frequency =
        named("frequency", above_zero("Hz"), "f in the force F sin(2 pi f t); F is `amplitude`");
    const Key amplitude = named("amplitude", any_number("N"), "F in the same force")
                              .otherwise("needed with `frequency`");
    const Key cycles =
        named("cycles", above_zero("-"), "after this number of cycles the force is zero")
            .otherwise("no end");
    Table<PointLoad> constant, sine, file, t;
    constant.row(named("force", any_number("N"), "constant force, towards higher bead numbers"),
                 [](const TomlTable& table, const Key& key, PointLoad& load, const Reading&) {
                     load.force = stepping::ForceSignal::constant(table.needed_number(key));
                 });
    sine.row(frequency,
             [=](const TomlTable& table, const Key& key, PointLoad& load, const Reading&) {
                 const double number =
                     table.number(cycles).value_or(std::numeric_limits<double>::infinity());
                 load.force = stepping::ForceSignal::sine(table.needed_number(key),
                                                          table.needed_number(amplitude), number);
             });
    sine.known(amplitude);
    sine.known(cycles);
    file.row(plain("file", Kind::file,
                   "force over time: columns `time_s` and `force_N`; linear between the rows, "
                   "constant before and after them"),
             [](const TomlTable& table, const Key& key, PointLoad& load, Reading& reading) {
                 FileRows rows = read_file_rows(table, key, {"force_N"}, reading);
                 load.force = stepping::ForceSignal::table(std::move(rows.first),
                                                           std::move(rows.columns[0]));
             });
    t.choose(
        "missing; give force, in N, or frequency, in Hz, and amplitude, in N, or file, the "
        "path of a CSV file",
        constant, sine, file);
    return t.add(bead_key("the bead that the force acts on"), &PointLoad::bead);
}

Table<PointDrive> drive_table() {
    Table<PointDrive> t;
    t.add(bead_key("the bead that moves as prescribed"), &PointDrive::bead);
    for (Key key : drive_keys()) {
        constexpr std::string_view wall = "driven wall: ";
        if (key.meaning.starts_with(wall)) key.meaning.remove_prefix(wall.size());
        if (key.name == "cycles")
            key.meaning = "after this number of cycles the bead rests where it started";
        t.known(std::move(key));
    }
    return t.rule([](const TomlTable& table, PointDrive& drive, Reading& reading) {
        drive.motion = read_drive(table, reading);
    });
}

Table<PairForceGroup> pair_force_table() {
    Key moments = named("moments", any_number("A m^2"),
                        "magnets: dipole moments, one per bead, repeated from the first bead on; "
                        "positive: towards higher bead numbers");
    moments.kind = Kind::numbers;
    moments.expects("must be a list of moments in A m^2, such as [0.4, -0.4]");
    Table<PairForceGroup> power, magnets, t;
    power.add("force", any_number("N"), &PairForceGroup::force,
              "power law: A in the force A (r0/r)^p; r is the distance of the centres. Positive "
              "repels, negative attracts");
    power.add("distance", above_zero("m").needed(), &PairForceGroup::distance,
              "r0 in the same force");
    power.add("exponent", above_zero("-").needed(), &PairForceGroup::exponent,
              "p in the same force");
    magnets.row(moments,
                [](const TomlTable& table, const Key& key, PairForceGroup& group, const Reading&) {
                    if (const auto given = table.numbers(key, 1, most_moments))
                        group.moments = *given;
                });
    magnets.add("orientation", words({"coaxial", "side-by-side"}), &PairForceGroup::orientation,
                "`\"coaxial\"`: moments along the chain, which attract if they have the same "
                "sign. `\"side-by-side\"`: across it, which then repel");
    t.choose("missing; give force, in N, distance, in m, and exponent, or moments, in A m^2", power,
             magnets);
    t.add("neighbours", whole(1, chain::most_neighbours), &PairForceGroup::neighbours,
          "how many beads on each side a bead acts on");
    t.add("range", above_zero("m"), &PairForceGroup::range,
          "from this distance on there is no force; the force at it is subtracted, so that it ends "
          "without a jump");
    t.add("equilibrium", of(Kind::flag), &PairForceGroup::equilibrium,
          "`true`: the beads start where all forces balance, between ends that stay");
    Table<BeadRange> beads;
    beads.row(beads_key(), read_range);
    return t.include(beads, &PairForceGroup::beads);
}

}  // namespace

Table<ElementGroups> element_rows() {
    Table<ElementGroups> t;
    t.tables(plain("foundation", Kind::tables, "springs between beads and the ground")
                 .under("What beads carry"),
             &ElementGroups::foundations, foundation_table());
    t.tables(plain("resonator", Kind::tables, "masses on springs inside beads"),
             &ElementGroups::resonators, resonator_table());
    t.tables(plain("load", Kind::tables, "forces on single beads"), &ElementGroups::loads,
             load_table());
    t.tables(plain("drive", Kind::tables, "beads that move as prescribed"), &ElementGroups::drives,
             drive_table());
    t.tables(plain("pair_force", Kind::tables, "forces between beads without contact"),
             &ElementGroups::pair_forces, pair_force_table());
    return t.tables(
        plain("bond", Kind::tables, "springs between neighbouring beads, which may break")
            .under("Bonds"),
        &ElementGroups::bonds, bond_table());
}

}  // namespace beadwave::io

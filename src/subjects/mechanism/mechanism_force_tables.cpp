#include "subjects/mechanism/mechanism_force_tables.hpp"

#include "io/scenario/file_rows.hpp"
#include "subjects/mechanism/mechanism_contact_table.hpp"

#include <fmt/format.h>

#include <utility>

namespace beadwave::io {
namespace {

using mechanism::Force;
using mechanism::Mechanism;
using mechanism::Oscillation;
using mechanism::Spring;
using mechanism::Torque;
using mechanism::TorsionSpring;
using mechanism::Vector;

Table<Oscillation> oscillation_rows() {
    Table<Oscillation> t;
    t.add("frequency", above_zero("Hz").otherwise("none: constant"), &Oscillation::frequency,
          "multiplies by sin(2 pi `frequency` t + `phase`)");
    return t.add("phase", any_number("rad"), &Oscillation::phase, "see `frequency`");
}

/// The first key of each alternative selects it; neither reads anything yet.
template <class Element>
void constant_or_file(Table<Element>& t, std::string_view missing, Table<Element> constant,
                      const Table<Element>& file) {
    constant.include(oscillation_rows(), &Element::oscillation);
    t.choose(missing, constant, file);
}

Table<Force> force_table() {
    Table<Force> constant, file, t;
    constant.row(named("force", vector2("N"), "constant force, or its amplitude"),
                 [](const TomlTable& table, const Key& key, Force& force, const Reading&) {
                     const auto given = table.need(table.numbers(key, 2, 2), key);
                     force.times = {0.0};
                     force.forces = {{given[0], given[1]}};
                 });
    file.row(plain("force_file", Kind::file,
                   "force over time: columns `time_s`, `force_x_N` and `force_y_N`; linear between "
                   "the rows, constant before and after them"),
             [](const TomlTable& table, const Key& key, Force& force, Reading& reading) {
                 FileRows rows = read_file_rows(table, key, {"force_x_N", "force_y_N"}, reading);
                 force.times = std::move(rows.first);
                 for (std::size_t i = 0; i < force.times.size(); ++i)
                     force.forces.push_back({rows.columns[0][i], rows.columns[1][i]});
             });
    constant_or_file(t, "missing; give force, [x, y] in N, or force_file", constant, file);
    t.row(named("body", of(Kind::text).needed("the name of a body"), "the body it acts on"),
          [](const TomlTable& table, const Key& key, Force& force, const Reading& reading) {
              const std::string name = table.need(table.text(key), key);
              force.body = body_named(name, reading.names, table, "body");
          });
    t.add("point", vector2("m").needed(), &Force::point,
          "where it acts, at the start; the point moves with the body");
    return t.add(
        "direction", words({"ground", "body"}), &Force::turns_with_body,
        "the force keeps its direction (`\"ground\"`) or turns with the body (`\"body\"`)");
}

Table<Torque> torque_table() {
    Table<Torque> constant, file, t;
    constant.row(named("torque", any_number("N m"), "constant torque, or its amplitude"),
                 [](const TomlTable& table, const Key& key, Torque& torque, const Reading&) {
                     torque.times = {0.0};
                     torque.torques = {table.needed_number(key)};
                 });
    file.row(plain("torque_file", Kind::file,
                   "torque over time: columns `time_s` and `torque_N_m`; linear between the rows, "
                   "constant before and after them"),
             [](const TomlTable& table, const Key& key, Torque& torque, Reading& reading) {
                 FileRows rows = read_file_rows(table, key, {"torque_N_m"}, reading);
                 torque.times = std::move(rows.first);
                 torque.torques = std::move(rows.columns[0]);
             });
    constant_or_file(t, "missing; give torque, in N m, or torque_file", constant, file);
    add_bodies(t, "the torque acts on the second body, anticlockwise, its opposite on the first");
    return t;
}

Table<Spring> spring_table() {
    Table<Spring> linear, file, t;
    linear.add("stiffness", from_zero("N/m"), &Spring::stiffness, "stiffness; 0: a damper alone");
    file.row(plain("force_file", Kind::file,
                   "force over extension, in place of a stiffness: columns `extension_m` and "
                   "`force_N`, tension positive; two rows or more, linear between them and beyond"),
             [](const TomlTable& table, const Key& key, Spring& spring, Reading& reading) {
                 FileRows rows = read_file_rows(table, key, {"force_N"}, reading, "extension_m");
                 if (rows.first.size() < 2) table.fail(key.name, "needs two rows or more");
                 spring.extensions = std::move(rows.first);
                 spring.forces = std::move(rows.columns[0]);
             });
    t.choose("missing; give stiffness, in N/m (0 for a damper alone), or force_file", linear, file);
    t.add("name", of(Kind::text).otherwise("spring and number"), &Spring::name,
          "name in the output");
    add_bodies(t, "the two bodies it connects");
    t.add(
        "first", vector2("m").needed(), [](Spring & spring) -> auto& { return spring.points[0]; },
        "its end in the first body");
    t.add(
        "second", vector2("m").needed(), [](Spring & spring) -> auto& { return spring.points[1]; },
        "its end in the second body");
    t.add("free_length", from_zero("m").otherwise("the distance at the start"),
          &Spring::free_length, "length without force");
    t.add("damping", from_zero("N s/m"), &Spring::damping, "of a damper beside the spring");
    return t.add("acts", words({"both", "tension", "compression"}), &Spring::acts,
                 "`\"tension\"`: a rope, `\"compression\"`: a stop; these take no damping");
}

Table<TorsionSpring> torsion_spring_table() {
    Table<TorsionSpring> t;
    t.add("name", of(Kind::text).otherwise("torsion spring and number"), &TorsionSpring::name,
          "name in the output");
    add_bodies(t, "the two bodies it connects");
    t.add("stiffness", from_zero("N m/rad").needed(), &TorsionSpring::stiffness, "stiffness");
    t.add("free_angle", any_number("rad"), &TorsionSpring::free_angle,
          "rotation of the second body relative to the first, since the start, without torque");
    return t.add("damping", from_zero("N m s/rad"), &TorsionSpring::damping,
                 "of a damper beside the spring");
}

template <class Element>
void name_all(std::vector<Element>& all, std::string_view kind) {
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].name.empty()) all[i].name = fmt::format("{} {}", kind, i);
    }
}

}  // namespace

Table<Mechanism> force_tables() {
    Table<Mechanism> t;
    t.tables(plain("force", Kind::tables, "forces on bodies").under("Forces and springs"),
             &Mechanism::forces, force_table());
    t.tables(plain("torque", Kind::tables, "torques between two bodies"), &Mechanism::torques,
             torque_table());
    t.tables(plain("spring", Kind::tables, "springs and dampers between points of two bodies"),
             &Mechanism::springs, spring_table());
    t.tables(plain("torsion_spring", Kind::tables, "springs and dampers against rotation"),
             &Mechanism::torsion_springs, torsion_spring_table());
    return t.rule([](const TomlTable&, Mechanism& mechanism, const Reading&) {
        name_all(mechanism.springs, "spring");
        name_all(mechanism.torsion_springs, "torsion spring");
    });
}

}  // namespace beadwave::io

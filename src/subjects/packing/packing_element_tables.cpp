#include "subjects/packing/packing_element_tables.hpp"

#include "io/scenario/file_rows.hpp"
#include "subjects/chain/element_tables.hpp"
#include "subjects/packing/element_keys.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace beadwave::io {
namespace {

using packing::ElementPlans;
using packing::FoundationPlan;
using packing::LoadedPlan;
using packing::ResonatorPlan;
using stepping::ForceSignal;

Table<FoundationPlan> foundation_table() {
    Table<FoundationPlan> t;
    t.include(selection_rows(false), &FoundationPlan::particles);
    t.include(spring_rows(), &FoundationPlan::spring);
    t.add("rotational_damping", from_zero("N m s"), &FoundationPlan::rotational_damping,
          "drag on the rotation: torque over angular velocity");
    return t.rule([](const TomlTable& table, const FoundationPlan& plan, Reading&) {
        if (plan.rotational_damping == 0.0) refuse_nothing(table, plan.spring);
    });
}

Table<ResonatorPlan> resonator_table() {
    Table<ResonatorPlan> t;
    t.include(selection_rows(false), &ResonatorPlan::particles);
    t.add("mass", above_zero("kg").needed(), &ResonatorPlan::mass, "of each mass");
    t.include(spring_rows(), &ResonatorPlan::spring);
    return t.rule([](const TomlTable& table, const ResonatorPlan& plan, Reading&) {
        refuse_nothing(table, plan.spring);
    });
}

Table<LoadedPlan> load_table() {
    const Key frequency =
        named("frequency", above_zero("Hz"), "f in the force F sin(2 pi f t); F is `amplitude`");
    const Key amplitude = named("amplitude", vector3("N"), "F in the same force")
                              .otherwise("needed with `frequency`");
    const Key cycles =
        cycles_key("after this number of cycles the force is zero; 0.5: a pulse, half a sine long");
    Table<LoadedPlan> constant, sine, file, t;
    constant.row(
        named("force", vector3("N"), "constant force"),
        [](const TomlTable& table, const Key& key, LoadedPlan& load, const Reading& reading) {
            const auto force = parts(needed_vector(table, key, reading));
            for (std::size_t k = 0; k < 3; ++k)
                load.force[k] = ForceSignal::constant(force[k]);
        });
    sine.row(frequency, [=](const TomlTable& table, const Key& key, LoadedPlan& load,
                            const Reading& reading) {
        const double f = table.needed_number(key);
        const double end = table.number(cycles).value_or(std::numeric_limits<double>::infinity());
        const auto force = parts(needed_vector(table, amplitude, reading));
        for (std::size_t k = 0; k < 3; ++k)
            load.force[k] =
                force[k] == 0.0 ? ForceSignal::constant(0.0) : ForceSignal::sine(f, force[k], end);
    });
    sine.known(amplitude);
    sine.known(cycles);
    file.row(
        plain("file", Kind::file,
              "force over time: columns `time_s`, `fx_N`, `fy_N` and, in space, `fz_N`; linear "
              "between the rows, constant before and after them"),
        [](const TomlTable& table, const Key& key, LoadedPlan& load, Reading& reading) {
            FileRows rows = read_file_rows(
                table, key, axis_columns({"fx_N", "fy_N", "fz_N"}, reading), reading);
            load.force.fill(ForceSignal::constant(0.0));
            for (std::size_t k = 0; k < rows.columns.size(); ++k)
                load.force[k] = ForceSignal::table(rows.first, std::move(rows.columns[k]));
        });
    t.choose(
        "missing; give force, a vector in N, or frequency, in Hz, and amplitude, a vector in N, "
        "or file, the path of a CSV file",
        constant, sine, file);
    return t.include(selection_rows(true), &LoadedPlan::particles);
}

}  // namespace

Table<ElementPlans> packing_element_rows() {
    Table<ElementPlans> t;
    t.tables(plain("foundation", Kind::tables, "springs between particles and the ground")
                 .under("What particles carry"),
             &ElementPlans::foundations, foundation_table());
    t.tables(plain("resonator", Kind::tables, "masses on springs inside particles"),
             &ElementPlans::resonators, resonator_table());
    t.tables(plain("load", Kind::tables, "forces on particles"), &ElementPlans::loads,
             load_table());
    t.tables(plain("drive", Kind::tables, "particles that move as prescribed"),
             &ElementPlans::drives, packing_drive_table());
    return t.tables(
        plain("bond", Kind::tables, "cement between particles, which may break").under("Cement"),
        &ElementPlans::bonds, packing_bond_table());
}

}  // namespace beadwave::io

// Keys that several kinds of scenarios have.
#pragma once

#include "io/scenario/law_reader.hpp"
#include "io/scenario/table.hpp"
#include "scenario/common.hpp"

#include <string_view>

namespace beadwave::io {

Key title_key();
Key time_end_key();
/// Refuses an end [s] that is too short to divide.
void check_time_end(const TomlTable& table, double end);

/// A key whose value is the name of a material.
inline Key material_key(std::string_view meaning) {
    return plain("material", Kind::material, meaning);
}

/// youngs_modulus, poisson_ratio and yield_stress.
Table<laws::Elasticity> elasticity_table();

/// [material.NAME], into `materials`, which the rows below it then know. `warms`: with what heat
/// needs.
Key materials_key(bool warms = false);
void read_materials(const TomlTable& root, Materials& materials, Reading& reading,
                    bool warms = false);

/// [checkpoint]
Key checkpoint_key();
Table<scenario::Checkpoints> checkpoint_table();

/// `title` and [material.NAME].
Table<scenario::Common> head_rows(bool warms = false);

/// [law]: a line law for parallel cylinders.
template <class Scenario>
Table<Scenario> law_row() {
    return Table<Scenario>().row(
        Key(law_key()).under("Law"),
        [](const TomlTable& root, const Key&, Scenario& scenario, Reading& reading) {
            scenario.law = scenario.has_line_contacts() ? read_line_law(root, reading)
                                                        : read_law(root, std::nullopt, reading);
        });
}

/// [time], [sensors] and [snapshots]. `list` is the key of the sensors, "beads", and `body` one of
/// them, "bead".
Table<scenario::Common> output_rows(const Table<scenario::Time>& time, std::string_view list,
                                    std::string_view body);
/// [energy] and [checkpoint].
Table<scenario::Common> ledger_rows();
/// output_rows(), [dissipation] and ledger_rows().
Table<scenario::Common> run_rows(const Table<scenario::Time>& time, std::string_view list,
                                 std::string_view body);

/// `end` and `step`.
Table<scenario::Time> time_table();

}  // namespace beadwave::io

#include "subjects/packing/packing_reader.hpp"

#include "io/scenario/common_tables.hpp"
#include "io/scenario/friction_table.hpp"
#include "io/scenario/law_reader.hpp"
#include "laws/rigid_law.hpp"
#include "scenario/usual_ranges.hpp"
#include "subjects/chain/chain_tables.hpp"
#include "subjects/packing/box_table.hpp"
#include "subjects/packing/contact_record_tables.hpp"
#include "subjects/packing/flow_tables.hpp"
#include "subjects/packing/packing_element_tables.hpp"
#include "subjects/packing/packing_units.hpp"
#include "subjects/packing/pair_table.hpp"
#include "subjects/packing/particle_table.hpp"
#include "subjects/packing/wall_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace beadwave::io {
namespace {

using laws::Rolling;
using packing::Measures;
using packing::Scenario;

Table<scenario::Time> time_of_packing() {
    Table<scenario::Time> t = time_table();
    t.add("resolution", between(1e-8, 1e-2).otherwise("[usual](PACKINGS.md#the-time-step)"),
          &scenario::Time::resolution,
          "chooses the time step: relative error of collisions and vibrations");
    return t.rule([](const TomlTable& table, const scenario::Time& time, Reading&) {
        if (time.step && time.resolution)
            table.fail("resolution", "does not go with time.step; give one of the two");
    });
}

Table<packing::FieldGrid> field_grid_table() {
    using packing::FieldGrid;
    Key cells = named(
        "cells",
        whole(1, packing::most_field_cells).ranges("list of whole numbers, from 1").needed(),
        "numbers of equal cells along x, y and z; in the plane along x and y. One cell along an "
        "axis: means along it");
    cells.kind = Kind::wholes;
    Table<FieldGrid> t;
    t.row(cells, [](const TomlTable& table, const Key& key, FieldGrid& grid, Reading& reading) {
        const bool planar = reading.dimension == 2;
        const std::string wanted = planar ? "two numbers of cells, such as [20, 10]"
                                          : "three numbers of cells, such as [1, 1, 40]";
        const auto given = table.need(table.wholes(key), Key(key).needed(wanted));
        if (given.size() != (planar ? 2U : 3U)) table.fail(key.name, "must be " + wanted);
        std::ranges::copy(given, grid.cells.begin());
    });
    t.add("width", above_zero("m").needed(), &FieldGrid::width,
          "smoothing length of the kernel, from a tenth of the smallest radius: about a radius "
          "shows layers, three diameters average them out");
    return t.add("kernel", words({"gaussian", "lucy"}), &FieldGrid::kernel,
                 "Gaussian with this standard deviation, cut off at three widths, or Lucy's "
                 "polynomial, which ends at two; both along each axis");
}

Table<Measures> measure_table() {
    Table<Measures> t;
    t.add("interval", above_zero("s").otherwise("`time.end` / 1000"), &Measures::interval,
          "time between measures of stress and structure in the history");
    t.add("lower", vector3("m").otherwise("the whole packing"), &Measures::lower,
          "corner of the region that is measured: its particles are those whose centres are in it");
    t.add(
        "upper", vector3("m").otherwise("the whole packing"), &Measures::upper,
        "opposite corner. Without a region: the periodic box, along other axes from plane wall to "
        "plane wall");
    t.table(plain("grid", Kind::table,
                  "fields of density, velocity and stress in cells of the "
                  "region; none: no fields"),
            &Measures::grid, field_grid_table());
    return t.rule([](const TomlTable& table, const Measures& measures, Reading& reading) {
        if (measures.lower.has_value() != measures.upper.has_value()) {
            table.fail(measures.lower ? "upper" : "lower",
                       "missing; give lower and upper, the corners of the region, or neither");
        }
        if (!measures.lower) return;
        const packing::Vec3 edges = *measures.upper - *measures.lower;
        const bool is_box =
            edges.x > 0.0 && edges.y > 0.0 && (edges.z > 0.0 || reading.dimension == 2);
        if (!is_box) table.fail("upper", "must be above lower along each axis");
    });
}

/// [law]: rigid contacts, or a law of the catalogue.
Table<Scenario> packing_law_row() {
    return Table<Scenario>().row(
        Key(law_key()).under("Law"),
        [](const TomlTable& root, const Key&, Scenario& scenario, Reading& reading) {
            scenario.law = names_rigid(root)              ? read_rigid_law(root, reading)
                           : scenario.has_line_contacts() ? read_line_law(root, reading)
                                                          : read_law(root, std::nullopt, reading);
        });
}

/// What rigid contacts lack, and only the scenario knows.
void refuse_with_rigid(const TomlTable& root, const Scenario& scenario, Reading&) {
    if (!laws::is_rigid(scenario.law)) return;
    if (scenario.press)
        root.fail("press",
                  "presses particles whose contacts yield; leave it out with the law "
                  "rigid");
    if (scenario.knows_contacts())
        root.fail(scenario.asks_for_contacts(),
                  "is known of contacts that yield; leave it out with the law rigid");
    if (scenario.time.resolution)
        root.fail("time.resolution",
                  "is that of contacts that yield; expected time.step, or "
                  "neither, with the law rigid");
}

const Table<Scenario>& packing_table() {
    static const Table<Scenario> table = [] {
        Table<Scenario> t;
        t.include(head_rows(true));
        t.add("dimension", whole(2, 3).under("Particles"), &Scenario::dimension,
              "2: all centres are in the plane z = 0, and rotation is about z");
        t.rule([](const TomlTable&, const Scenario& scenario, Reading& reading) {
            reading.dimension = scenario.dimension;
        });
        t.include(particles_row());
        t.tables(plain("wall", Kind::tables, "planes without end, cylinders, discs, cones, meshes")
                     .under("Walls and the box"),
                 &Scenario::walls, wall_table());
        t.table(plain("box", Kind::table), &Scenario::box, box_table());
        t.table(plain("press", Kind::table,
                      "presses the packing before the run, in a box that repeats along all axes"),
                &Scenario::press, press_table());
        t.include(packing_law_row());
        t.table(plain("friction", Kind::table).under("Friction, rolling, twisting"),
                &Scenario::friction, friction_table());
        Table<Rolling> rolling;
        rolling.renamed("twisting", "twisting.coefficient");
        rolling.add("coefficient", from_zero("-"), &Rolling::coefficient,
                    "limit of the rolling torque, divided by effective radius times normal force");
        rolling.add(
            "damping_ratio", from_zero("-"), &Rolling::damping_ratio,
            "damping of the rolling and twisting springs, divided by their critical damping");
        t.table(plain("rolling", Kind::table), &Scenario::rolling, rolling);
        t.table(
            "twisting", "coefficient", from_zero("-"),
            [](Scenario& scenario) -> double& { return scenario.rolling.twisting_coefficient; },
            "the same limit for the twisting torque");
        t.include(pairs_row());
        t.tables(plain("exit", Kind::tables, "where particles leave the packing for good")
                     .under("Pouring and leaving"),
                 &Scenario::exits, exit_table());
        t.table("gravity", "acceleration", vector3("m/s^2").needed().under("Gravity"),
                &Scenario::gravity, "acceleration of gravity");
        t.include(packing_element_rows(), &Scenario::elements);
        t.include(output_rows(time_of_packing(), "particles", "particle"));
        t.include(contact_record_rows());
        t.include(ledger_rows());
        t.add("precision", words({"double", "mixed"}).under("Precision"), &Scenario::precision,
              "`\"mixed\"`: the geometry and the forces of pairs in single precision, "
              "[faster](SPEED.md#mixed-precision) and less exact");
        t.add("device", words({"cpu", "gpu", "twin"}).under("Device"), &Scenario::place,
              "where contacts and motion are computed: on the cores of the processor, on the "
              "first graphics processor, or by the code for graphics processors compiled for the "
              "cores, with the same bits ([what devices have](PACKINGS.md#graphics-processors))");
        t.rule(refuse_with_rigid);
        t.rule([](const TomlTable& root, const Scenario& scenario, Reading&) {
            if (!scenario.knows_contacts()) return;
            const std::string asks = scenario.asks_for_contacts();
            if (scenario.precision == packing::Precision::mixed) {
                root.fail("precision",
                          fmt::format("[{}] is known in double precision only; expected \"double\"",
                                      asks));
            }
            if (scenario.place != packing::Place::host)
                root.fail("device",
                          fmt::format("devices do not have [{}]; expected \"cpu\"", asks));
        });
        t.rule([](const TomlTable& root, const Scenario& scenario, Reading& reading) {
            for (std::size_t w = 0; w < scenario.walls.size(); ++w) {
                if (scenario.walls[w].angular_velocity == 0.0) continue;
                if (scenario.friction.law != laws::FrictionLaw::none) continue;
                if (scenario.walls[w].kind == packing::WallKind::mesh) continue;  // it turns
                reading.no_effect(root.key(fmt::format("wall.{}.angular_velocity", w)),
                                  "without friction nothing turns with the wall");
            }
        });
        return t.table(
            plain("measure", Kind::table, "stress and structure of the packing").under("Measures"),
            &Scenario::measures, measure_table());
    }();
    return table;
}

std::vector<std::string> high_frictions(const Scenario& scenario) {
    std::vector<std::string> warnings;
    const auto check = [&](const std::string& key, std::optional<double> coefficient) {
        if (auto doubt = scenario::high_friction(key, coefficient.value_or(0.0)))
            warnings.push_back(std::move(*doubt));
    };
    check("friction.coefficient", scenario.friction.coefficient);
    check("friction.static_coefficient", scenario.friction.static_coefficient);
    for (std::size_t p = 0; p < scenario.pairs.size(); ++p) {
        check(fmt::format("pair.{}.friction.coefficient", p), scenario.pairs[p].friction);
        check(fmt::format("pair.{}.friction.static_coefficient", p),
              scenario.pairs[p].static_friction);
    }
    return warnings;
}

}  // namespace

std::vector<Key> packing_keys() {
    return packing_table().keys();
}

ReadPacking read_packing(TomlDocument document, NamedFiles files) {
    ReadPacking result;
    Reading reading{.files = std::move(files)};
    packing_table().read(document.root(), result.scenario, reading);
    result.warnings = std::move(reading.warnings);
    result.scenario.text = std::move(document.text);
    result.scenario.file_texts = reading.files.texts();
    result.scenario.origin = std::move(document.origin);
    if (auto doubt = packing_units(result.scenario)) result.warnings.push_back(std::move(*doubt));
    for (std::string& doubt : high_frictions(result.scenario))
        result.warnings.push_back(std::move(doubt));
    return result;
}

ReadPacking read_packing_text(std::string text, const std::string& name,
                              std::map<std::string, std::string> file_texts) {
    return read_packing(parse_toml(std::move(text), name),
                        NamedFiles::from_texts(std::move(file_texts)));
}

}  // namespace beadwave::io

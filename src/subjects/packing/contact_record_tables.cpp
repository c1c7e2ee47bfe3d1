#include "subjects/packing/contact_record_tables.hpp"

#include "io/scenario/dissipation_table.hpp"
#include "packing/plain_engine_alone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace beadwave::io {
namespace {

using packing::Scenario;

Table<Scenario> dissipation_of_packing_table() {
    Table<Scenario> t;
    t.include(dissipation_rows_of_packing(), &Scenario::dissipation);
    t.add("impacts", of(Kind::flag), &Scenario::impacts,
          "whether the history has a [table of impacts](DISSIPATION.md#impacts): of each contact "
          "from its closing to its opening its bodies, times, speeds, largest force and what it "
          "dissipated");
    return t.rule([](const TomlTable& table, const Scenario& scenario, Reading&) {
        if (!scenario.dissipation.any() && !scenario.impacts)
            table.fail("per", fmt::format("missing; give {}, or impacts = true",
                                          dissipation_bodies_of_packing));
    });
}

Table<laws::Wear> wear_table() {
    using laws::Wear;
    Table<Wear> t;
    const Key hardness = named("hardness", above_zero("Pa"), "hardness of the surface that wears")
                             .otherwise("needed for `\"archard\"`");
    const Key pressure =
        named("flow_pressure", above_zero("Pa"), "plastic flow pressure of the surface that wears")
            .otherwise("needed for `\"finnie\"`");
    t.add("law", words({"archard", "finnie"}).needed(), &Wear::law,
          "worn volume: `\"archard\"`, of sliding, coefficient / hardness * normal force * sliding "
          "distance; `\"finnie\"`, of [impacts](DISSIPATION.md#wear-by-impacts), coefficient / "
          "flow pressure * mass * speed^2 * a function of the angle");
    t.add("coefficient", above_zero("-").needed(), &Wear::coefficient, "wear coefficient");
    t.add(hardness, &Wear::hardness);
    t.add(pressure, &Wear::flow_pressure);
    t.add("per", words({"wall", "triangle"}), &Wear::per,
          "`\"triangle\"`: snapshots also hold the worn depth of each triangle of meshes");
    return t.rule([hardness, pressure](const TomlTable& table, const Wear& wear, Reading& reading) {
        const bool slides = wear.law == laws::WearLaw::archard;
        const Key &used = slides ? hardness : pressure, &other = slides ? pressure : hardness;
        table.need(table.number(used), used);
        if (table.has(other.name))
            reading.no_effect(table.key(other.name), fmt::format("law \"{}\" does not use it",
                                                                 slides ? "archard" : "finnie"));
    });
}

/// Refuses keys that need temperatures, which only a packing with [heat] has.
void refuse_without_heat(const TomlTable& root, const Scenario& scenario) {
    const auto refuse = [&](const std::string& key) {
        root.fail(key,
                  "is given, but temperatures are not followed; give [heat] with temperature, "
                  "in K, too");
    };
    for (std::size_t g = 0; g < scenario.groups.size(); ++g)
        if (scenario.groups[g].temperature) refuse(fmt::format("particles.{}.temperature", g));
    for (std::size_t w = 0; w < scenario.walls.size(); ++w)
        if (scenario.walls[w].temperature) refuse(fmt::format("wall.{}.temperature", w));
}

void check_heat(const TomlTable& root, const Scenario& scenario, Reading& reading) {
    if (!scenario.heat) return refuse_without_heat(root, scenario);
    bool conducts = false;
    for (std::size_t g = 0; g < scenario.groups.size(); ++g) {
        const std::string& name = scenario.groups[g].material;
        const scenario::Material& material = scenario.materials.at(name);
        conducts = conducts || material.conductivity.value_or(0.0) > 0.0;
        if (scenario.has_line_contacts() && material.conductivity)
            root.fail(fmt::format("material.{}.conductivity", name),
                      "is given, but cylinders touch along lines, through which this program has "
                      "no law of conduction; without it each keeps the heat that its contacts "
                      "make");
        if (!material.specific_heat)
            root.fail(fmt::format("material.{}.specific_heat", name),
                      fmt::format("missing; [heat] needs it, in J/(kg K), of the material of "
                                  "particles.{}",
                                  g));
    }
    for (std::size_t w = 0; w < scenario.walls.size(); ++w) {
        const packing::WallPlan& wall = scenario.walls[w];
        const bool wall_conducts =
            scenario.materials.at(wall.material).conductivity.value_or(0.0) > 0.0;
        if (!wall.temperature || (conducts && wall_conducts)) continue;
        const std::string without =
            conducts ? fmt::format("material \"{}\" has no conductivity", wall.material)
                     : "no material of particles has a conductivity";
        reading.warnings.push_back(
            fmt::format("wall.{}.temperature warms and cools no particle: {}; the wall takes its "
                        "half of what its contacts dissipate",
                        w, without));
    }
}

void check_triangles(const TomlTable& root, const Scenario& scenario) {
    const bool meshes = std::ranges::any_of(scenario.walls, [](const packing::WallPlan& wall) {
        return wall.kind == packing::WallKind::mesh;
    });
    const char* const needs =
        "needs a [[wall]] with shape = \"mesh\": triangles are those of "
        "meshes";
    if (scenario.dissipation.triangles && !meshes) root.fail("dissipation.per", needs);
    if (!scenario.wear || scenario.wear->per != laws::WearOf::triangle) return;
    if (!meshes) root.fail("wear.per", needs);
    if (!scenario.snapshot_interval)
        root.fail("wear.per", "needs [snapshots] with interval, in s: snapshots hold the depths");
}

}  // namespace

Table<Scenario> contact_record_rows() {
    Table<Scenario> t;
    t.table(dissipation_key(), dissipation_of_packing_table());
    t.table(
        plain("wear", Kind::table, "the [wear](DISSIPATION.md#wear) of each wall, in the history"),
        &Scenario::wear, wear_table());
    t.table("heat", "temperature", above_zero("K").needed(), &Scenario::heat,
            "particles have [temperatures](DISSIPATION.md#heat), warmed by what their contacts "
            "dissipate: that of particles at the start, without one of their own");
    return t.rule([](const TomlTable& root, const Scenario& scenario, Reading& reading) {
        if (scenario.wear && scenario.walls.empty())
            root.fail("wear", "needs a [[wall]]: walls are what wears");
        check_heat(root, scenario, reading);
        check_triangles(root, scenario);
        if (scenario.dissipation.any())
            check_snapshots_of_dissipation(root, scenario.snapshot_interval.has_value());
        if (const auto alone = packing::plain_engine_alone(scenario)) {
            reading.warnings.push_back(
                fmt::format("{}: only the plain engine knows {}; it runs this scenario, on one "
                            "thread",
                            alone->key, alone->what));
        }
    });
}

}  // namespace beadwave::io

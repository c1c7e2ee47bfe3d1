#include "subjects/packing/contact_record_tables.hpp"

#include "io/scenario/dissipation_table.hpp"

#include <fmt/format.h>

namespace beadwave::io {
namespace {

using packing::Scenario;

Table<Scenario> dissipation_of_packing_table() {
    Table<Scenario> t;
    t.include(dissipation_rows(), &Scenario::dissipation);
    t.add("impacts", of(Kind::flag), &Scenario::impacts,
          "whether the history has a [table of impacts](DISSIPATION.md#impacts): of each contact "
          "from its closing to its opening its bodies, times, speeds, largest force and what it "
          "dissipated");
    return t.rule([](const TomlTable& table, const Scenario& scenario, Reading&) {
        if (!scenario.dissipation.any() && !scenario.impacts)
            table.fail("per",
                       fmt::format("missing; give {}, or impacts = true", dissipation_bodies));
    });
}

Table<laws::Wear> wear_table() {
    using laws::Wear;
    Table<Wear> t;
    t.add("law", words({"archard"}).needed(), &Wear::law,
          "worn volume = coefficient / hardness * normal force * sliding distance");
    t.add("coefficient", above_zero("-").needed(), &Wear::coefficient, "wear coefficient");
    return t.add("hardness", above_zero("Pa").needed(), &Wear::hardness,
                 "hardness of the surface that wears");
}

}  // namespace

std::string record_of_contacts(const Scenario& scenario) {
    return scenario.dissipation.any() || scenario.impacts ? "dissipation" : "wear";
}

Table<Scenario> contact_record_rows() {
    Table<Scenario> t;
    t.table(dissipation_key(), dissipation_of_packing_table());
    t.table(
        plain("wear", Kind::table, "the [wear](DISSIPATION.md#wear) of each wall, in the history"),
        &Scenario::wear, wear_table());
    return t.rule([](const TomlTable& root, const Scenario& scenario, Reading& reading) {
        if (scenario.wear && scenario.walls.empty())
            root.fail("wear", "needs a [[wall]]: walls are what wears");
        if (scenario.dissipation.any())
            check_snapshots_of_dissipation(root, scenario.snapshot_interval.has_value());
        if (scenario.impacts) reading.warnings.emplace_back(impacts_warning);
    });
}

}  // namespace beadwave::io

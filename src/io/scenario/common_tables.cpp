#include "io/scenario/common_tables.hpp"

#include "io/scenario/dissipation_table.hpp"
#include "io/toml/toml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

namespace beadwave::io {
namespace {

using scenario::Checkpoints;
using scenario::Common;
using scenario::Sensors;
using scenario::Time;

/// "90 s", "10 min" or "1.5 h" in s; 0 if the text has another form.
double wall_clock_seconds(const std::string& text) {
    double number = 0.0;
    const auto [unit, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || !std::isfinite(number)) return 0.0;
    const std::string_view word(unit, static_cast<std::size_t>(text.data() + text.size() - unit));
    constexpr std::array<std::pair<std::string_view, double>, 3> units = {
        {{"s", 1.0}, {"min", 60.0}, {"h", 3600.0}}};
    for (const auto& [name, seconds] : units) {
        if (word == name || (word.starts_with(' ') && word.substr(1) == name))
            return number * seconds;
    }
    return 0.0;
}

/// All names must fit into the header of one HDF5 dataset, which has 64 KiB.
constexpr std::size_t most_name_bytes = 40'000;

void check_material_name(const TomlTable& all, const std::string& name) {
    const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    if (name.empty()) all.fail("\"\"", "a material needs a name");
    if (std::ranges::any_of(name, control))
        all.fail(written_key(name), "a material's name must not have control characters");
}

Table<scenario::Material> make_material_table(bool warms) {
    using scenario::Material;
    Table<Material> t;
    t.include(elasticity_table(), &Material::elasticity);
    t.add("density", above_zero("kg/m^3"), &Material::density,
          "gives masses; without it, give masses on the segments or particles");
    if (!warms) return t;
    t.add("specific_heat", above_zero("J/(kg K)").otherwise("needed with `[heat]`"),
          &Material::specific_heat,
          "[heat](DISSIPATION.md#heat) that warms a kilogram by a kelvin");
    return t.add("conductivity", from_zero("W/(m K)").otherwise("0"), &Material::conductivity,
                 "conductivity of heat; 0: heat stays where it is made");
}

const Table<scenario::Material>& material_table(bool warms) {
    static const auto cold = make_material_table(false), warm = make_material_table(true);
    return warms ? warm : cold;
}

Table<Sensors> sensor_table(std::string_view list, std::string_view body) {
    const std::string wanted = fmt::format("a list of {} numbers, such as [9, 16]", body);
    const std::string system = body == "bead" ? "chain" : "packing";
    Table<Sensors> t;
    t.add(list, of(Kind::wholes).ranges(fmt::format("{} numbers, each once", body)).needed(wanted),
          &Sensors::ids, "what has a sensor");
    t.add("interval", above_zero("s").otherwise("`time.end` / 1000"), &Sensors::interval,
          "time between samples in the history");
    t.add(
        "arrival_threshold", above_zero("N").otherwise("none"), &Sensors::arrival_threshold,
        "the arrival is the time at which the force first exceeds that of the start by this much; "
        "without it, that of [the first maximum](GUIDE.md#reading-the-output)");
    return t.rule([=](const TomlTable& table, const Sensors& sensors, const Reading& reading) {
        if (sensors.ids.empty()) table.fail(list, fmt::format("is empty; give {}", wanted));
        std::set<std::int64_t> seen;
        for (std::size_t i = 0; i < sensors.ids.size(); ++i) {
            const std::string place = fmt::format("{}[{}]", list, i);
            if (sensors.ids[i] < 0 || sensors.ids[i] >= reading.bodies) {
                table.fail(place, fmt::format("there is no such {}; this {} has {} 0 to {}", body,
                                              system, list, reading.bodies - 1));
            }
            if (!seen.insert(sensors.ids[i]).second)
                table.fail(place, fmt::format("is in the list already; list each {} once", body));
        }
    });
}

}  // namespace

void Reading::no_effect(const std::string& key, std::string_view why) {
    warnings.push_back(key + " has no effect: " + std::string(why));
}

std::optional<std::string> read_material_name(const TomlTable& table, const Key& key,
                                              const Materials& materials) {
    std::optional<std::string> name = table.text(key);
    if (!name || materials.contains(*name)) return name;
    std::vector<std::string> known;
    for (const auto& entry : materials)
        known.push_back(entry.first);
    std::string hint = did_you_mean(*name, known);
    if (hint.empty()) hint = "; known here: " + comma_separated(known);
    table.fail(key.name, "no such material" + hint);
}

Key title_key() {
    return plain("title", Kind::text, "appears in the summary and on the page");
}

Key time_end_key() {
    return named("end", above_zero("s").ranges("from 1e-100"), "end of the run; a run starts at 0")
        .needed();
}

void check_time_end(const TomlTable& table, double end) {
    constexpr double shortest = 1e-100;  // parts of a far shorter run are no normal numbers
    if (end >= shortest) return;
    table.fail("end", fmt::format("must be at least {:g}, in s", shortest));
}

Table<laws::Elasticity> elasticity_table() {
    using laws::Elasticity;
    Key poisson = between(-1.0, 0.5);
    poisson.limits.lowest_allowed = false;
    Table<Elasticity> t;
    t.add("youngs_modulus", above_zero("Pa").needed(), &Elasticity::youngs_modulus,
          "Young's modulus");
    t.add("poisson_ratio", poisson.needed(), &Elasticity::poisson_ratio, "Poisson's ratio");
    t.add("yield_stress", above_zero("Pa").otherwise("none"), &Elasticity::yield_stress,
          "elastoplastic laws need it; the softer of two bodies yields");
    t.add("bulk_viscosity", above_zero("Pa s").otherwise("none"), &Elasticity::bulk_viscosity,
          "for laws whose viscosity is `\"materials\"`");
    return t.add("shear_viscosity", above_zero("Pa s").otherwise("none"),
                 &Elasticity::shear_viscosity, "for laws whose viscosity is `\"materials\"`");
}

Key materials_key(bool warms) {
    Key key = plain("material", Kind::named_tables, "materials by name")
                  .needed("at least one [material.NAME] with youngs_modulus and poisson_ratio");
    key.children = material_table(warms).keys();
    return key;
}

void read_materials(const TomlTable& root, Materials& materials, Reading& reading, bool warms) {
    const TomlTable all = root.need(root.table("material"), materials_key(warms));
    std::size_t together = 0;
    for (const std::string& name : all.names()) {
        check_material_name(all, name);
        together += name.size();
        if (together > most_name_bytes) {
            root.fail(
                "material",
                fmt::format("the names are too long; all names together may have {} characters",
                            most_name_bytes));
        }
        material_table(warms).read(*all.table(name), materials[name], reading);
    }
    reading.materials = &materials;
}

Key checkpoint_key() {
    return plain("checkpoint", Kind::table, "when checkpoints are written; one key or both");
}

Table<Checkpoints> checkpoint_table() {
    const std::string wanted = R"(wall-clock time: "90 s", "10 min" or "1 h")";
    const Key wall_interval =
        plain("wall_interval", Kind::text, "wall-clock time between checkpoints")
            .expects(wanted)
            .ranges("text: `\"90 s\"`, `\"10 min\"`, `\"1.5 h\"`");
    Table<Checkpoints> t;
    t.renamed("every", "wall_interval");
    t.row(wall_interval,
          [wanted](const TomlTable& table, const Key& key, Checkpoints& checkpoints, Reading&) {
              const auto text = table.text(key);
              if (!text) return;
              checkpoints.wall_interval = wall_clock_seconds(*text);
              if (!(*checkpoints.wall_interval > 0.0)) table.fail(key.name, "must be " + wanted);
          });
    t.add("interval", above_zero("s"), &Checkpoints::interval,
          "simulated time between checkpoints");
    return t.rule([wanted](const TomlTable& table, const Checkpoints& checkpoints, Reading&) {
        if (checkpoints.wall_interval || checkpoints.interval) return;
        table.fail("wall_interval",
                   fmt::format("missing; give {}, or interval, in s of simulated time", wanted));
    });
}

Table<Common> head_rows(bool warms) {
    Table<Common> t;
    t.add(title_key().under("Title and materials"), &Common::title);
    return t.row(materials_key(warms),
                 [warms](const TomlTable& root, const Key&, Common& common, Reading& reading) {
                     read_materials(root, common.materials, reading, warms);
                 });
}

Table<Time> time_table() {
    Table<Time> t;
    t.add(time_end_key(), &Time::end);
    t.add("step",
          above_zero("s")
              .ranges("above 0, up to `time.end`")
              .otherwise("[chosen](SCENARIO.md#the-time-step)"),
          &Time::step, "time step");
    return t.rule([](const TomlTable& table, const Time& time, Reading&) {
        check_time_end(table, time.end);
        if (time.step && *time.step > time.end)
            table.fail("step", fmt::format("must not exceed time.end, {} s", time.end));
    });
}

Table<Common> output_rows(const Table<Time>& time, std::string_view list, std::string_view body) {
    Table<Common> t;
    t.table(plain("time", Kind::table, "duration and time step")
                .needed("[time] with end, in s")
                .under("Time"),
            &Common::time, time);
    t.table(plain("sensors", Kind::table).under("Output"), &Common::sensors,
            sensor_table(list, body));
    return t.table("snapshots", "interval", above_zero("s").needed(), &Common::snapshot_interval,
                   "time between snapshots, which hold all bodies and contacts");
}

Table<Common> ledger_rows() {
    Table<Common> t;
    t.table("energy", "interval", above_zero("s").needed(), &Common::energy_interval,
            "time between samples of the energy ledger. Without `[energy]`: `time.end` / 200; "
            "chains: at least 4 steps per bead, up to 500; packings: at least 150 steps");
    return t.table(checkpoint_key(), &Common::checkpoints, checkpoint_table());
}

Table<Common> run_rows(const Table<Time>& time, std::string_view list, std::string_view body) {
    Table<Common> t = output_rows(time, list, body);
    t.table(dissipation_key(), &Common::dissipation, dissipation_table());
    t.rule([](const TomlTable& root, const Common& common, Reading& reading) {
        if (!common.dissipation.any()) return;
        check_snapshots_of_dissipation(root, common.snapshot_interval.has_value());
        reading.warnings.emplace_back(dissipation_warning);
    });
    return t.include(ledger_rows());
}

}  // namespace beadwave::io

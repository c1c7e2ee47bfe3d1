#include "io/scenario/common_tables.hpp"
#include "subjects/chain/bead_file.hpp"
#include "subjects/chain/bead_shape_table.hpp"
#include "subjects/chain/chain_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beadwave::io {
namespace {

using chain::BeadKind;
using chain::Segment;

constexpr std::int64_t most_beads = 1'000'000'000;

Table<BeadKind> kind_table() {
    Table<BeadKind> t;
    t.add("radius", above_zero("m").otherwise("of the segment"), &BeadKind::radius,
          "radius of these beads");
    t.add("mass", above_zero("kg").otherwise("from the density; without one, of the segment"),
          &BeadKind::mass, "mass of these beads");
    t.add("material", material().otherwise("of the segment"), &BeadKind::material,
          "material of these beads");
    t.include(kind_shape_rows());
    return t;
}

void check_pattern(const TomlTable& segment) {
    const auto kinds = segment.tables("pattern");
    if (!kinds) return;
    if (kinds->empty())
        segment.fail("pattern", "must hold at least one bead kind, such as [{ radius = 1e-3 }]");
    for (std::size_t i = 0; i < kinds->size(); ++i) {
        if ((*kinds)[i].names().empty()) {
            segment.fail(
                fmt::format("pattern.{}", i),
                segment.has("shape")
                    ? "is empty; give at least one of semi_axes, orientation, angle, radius, "
                      "mass, material, as the shape has them"
                    : "is empty; give at least one of radius, mass, material");
        }
    }
}

/// Radius and material of a segment may be missing if all kinds of its pattern have one. Its mass
/// may also be missing if the material has a density.
void check_complete(const TomlTable& table, const Segment& segment, const Reading& reading) {
    const auto& pattern = segment.pattern;
    const bool listed = !segment.listed.empty();
    const auto has_radius = [](const BeadKind& kind) { return kind.radius.has_value(); };
    const auto has_material = [](const BeadKind& kind) { return kind.material.has_value(); };
    if (segment.material.empty() &&
        (segment.length || pattern.empty() || !std::ranges::all_of(pattern, has_material)))
        table.fail("material", "missing; give the name of a material");
    if (segment.form != chain::BeadForm::ellipsoid && !table.has("radius") && !listed &&
        (pattern.empty() || !std::ranges::all_of(pattern, has_radius)))
        table.fail("radius", "missing; give a number above 0, in m");
    if (segment.mass || (listed && segment.listed.front().mass)) return;
    const auto need_density = [&](const std::string& key, const std::string& material) {
        if (reading.materials->at(material).density) return;
        table.fail(
            key, fmt::format("missing; give a number above 0, in kg, or material \"{}\" a density",
                             material));
    };
    if (pattern.empty()) need_density("mass", segment.material);
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i].mass) continue;
        need_density(fmt::format("pattern.{}.mass", i),
                     pattern[i].material.value_or(segment.material));
    }
}

Table<Segment> segment_table() {
    Table<Segment> t;
    t.include(bead_shape_row());
    t.row(plain("file", Kind::file,
                "radius and more of each bead, in order: the column `radius_m` and, optionally, "
                "`mass_kg`, `gap_m` and `velocity_m_per_s`; cylinders also `angle_rad`. Ellipsoids "
                "have `a_m`, `b_m`, `c_m` in place of `radius_m`, or `semi_axes`, and may have "
                "`angle_rad` and all of `qw`, `qx`, `qy`, `qz`, in place of `orientation`"),
          read_bead_file);
    t.row(named("beads",
                whole(1, most_beads)
                    .ranges("whole, from 1")
                    .needed("the number of beads")
                    .otherwise("needed without a file"),
                "number of beads; at most 1e9 in all segments together"),
          [](const TomlTable& table, const Key& key, Segment& segment, const Reading&) {
              if (!segment.listed.empty() && !table.has(key.name)) {
                  segment.beads = static_cast<std::int64_t>(segment.listed.size());
                  return;
              }
              segment.beads = table.need(table.whole(key), key);
              if (!segment.listed.empty() &&
                  segment.beads != static_cast<std::int64_t>(segment.listed.size())) {
                  table.fail(key.name, fmt::format("the file has {} beads", segment.listed.size()));
              }
          });
    t.add("radius",
          above_zero("m").otherwise(
              "needed for spheres and cylinders, unless each kind of the pattern has its own"),
          &Segment::radius, "radius of each bead");
    t.add("mass",
          above_zero("kg").otherwise("mass of a body of this shape and the material's density"),
          &Segment::mass, "mass of one bead");
    t.include(bead_shape_rows());
    t.add(
        "material",
        material().otherwise("needed, unless each kind of the pattern has its own; cylinders need "
                             "it"),
        &Segment::material, "material of each bead");
    t.add("velocity", any_number("m/s"), &Segment::velocity,
          "velocity at the start, towards higher bead numbers");
    t.add("gap", any_number("m").ranges("at least minus one radius").otherwise("0"), &Segment::gap,
          "gap before each bead of the segment; negative: overlap. Bead 0 has the left end before "
          "it and takes `boundary.left.gap`");
    t.tables(plain("pattern", Kind::tables,
                   "bead kinds that repeat along the segment: `[{ radius = 1e-3 }, { material = "
                   "\"ptfe\" }]`"),
             &Segment::pattern, kind_table());
    t.add("taper", above_zero("-"), &Segment::taper,
          "radius of a bead divided by the radius of the bead before it; the mass follows the "
          "cube, of "
          "cylinders the square");
    t.add(disorder_key(), &Segment::disorder);
    t.add(seed_key(), &Segment::seed);
    return t.rule([](const TomlTable& table, Segment& segment, Reading& reading) {
        check_pattern(table);
        resolve_shapes(table, segment, reading);
        check_complete(table, segment, reading);
        if (table.has("seed") && segment.disorder == 0.0)
            reading.no_effect(table.key("seed"), "the segment has no disorder");
    });
}

}  // namespace

Key disorder_key() {
    return named("disorder", between(0.0, 0.3),
                 "relative standard deviation of the radius; the mass follows the cube");
}

Key seed_key() {
    return named("seed", whole(0), "seed of random numbers");
}

Table<chain::Scenario> segments_row() {
    Table<chain::Scenario> t;
    t.tables(plain("segment", Kind::tables, "groups of beads, in order")
                 .needed("at least one [[segment]]: a chain needs beads")
                 .under("Segments"),
             &chain::Scenario::segments, segment_table());
    return t.rule([](const TomlTable& root, const chain::Scenario& scenario, Reading& reading) {
        for (std::size_t i = 0; i < scenario.segments.size(); ++i) {
            reading.bodies += scenario.segments[i].beads;
            if (reading.bodies > most_beads) {
                root.fail(fmt::format("segment.{}.beads", i),
                          fmt::format("makes {} beads in total; all segments together may have {}",
                                      reading.bodies, most_beads));
            }
        }
        check_shapes_together(root, scenario);
    });
}

}  // namespace beadwave::io

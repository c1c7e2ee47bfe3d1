#include "subjects/chain/bead_shape_table.hpp"

#include "beadwave/argument_error.hpp"
#include "io/scenario/orientation.hpp"
#include "io/scenario/semi_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::io {
namespace {

using chain::BeadForm;
using chain::BeadKind;
using chain::ListedShape;
using chain::Segment;

using Axes = std::array<double, 3>;

constexpr std::string_view of_ellipsoids = "belongs to shape = \"ellipsoid\"";
constexpr std::string_view across =
    "belongs to shape = \"ellipsoid\"; a cylinder lies across the chain, and angle turns it about "
    "the chain. End on, cylinders touch with flat ends, which have no radius of curvature: give "
    "beads with half the length as radius and with a mass, and law \"flat-on-flat\"";

/// `key`: what fails where the ellipsoid is tilted.
chain::EllipsoidBead bead_of(const TomlTable& table, const std::string& key, const Axes& axes,
                             const std::array<double, 4>& orientation,
                             std::string_view before = "") {
    try {
        return chain::ellipsoid_bead(axes, orientation);
    } catch (const ArgumentError& error) {
        table.fail(key, fmt::format("{}{}", before, error.what()));
    }
}

void resolve_kinds(const TomlTable& table, Segment& segment) {
    for (std::size_t k = 0; k < segment.pattern.size(); ++k) {
        BeadKind& kind = segment.pattern[k];
        const auto axes = kind.semi_axes ? kind.semi_axes : segment.semi_axes;
        if (!axes)
            table.fail(fmt::format("pattern.{}.semi_axes", k), "missing; give [a, b, c], in m");
        if (kind.radius) {
            table.fail(fmt::format("pattern.{}.radius", k),
                       "is given, but ellipsoids have semi_axes; give those alone");
        }
        if (!kind.semi_axes && !kind.orientation) continue;
        const std::string key =
            fmt::format("pattern.{}.{}", k, kind.orientation ? "orientation" : "semi_axes");
        const auto bead =
            bead_of(table, key, *axes, kind.orientation.value_or(segment.orientation));
        kind.radius = bead.radius;
        kind.shape = bead.shape;
    }
}

void resolve_listed(const TomlTable& table, Segment& segment) {
    for (std::size_t b = 0; b < segment.listed_shapes.size(); ++b) {
        ListedShape& own = segment.listed_shapes[b];
        const auto axes = own.semi_axes ? own.semi_axes : segment.semi_axes;
        const auto bead =
            bead_of(table, "file", *axes, own.orientation.value_or(segment.orientation),
                    fmt::format("bead {} of this segment: ", b));
        own.shape = bead.shape;
        segment.listed[b].radius = bead.radius;
    }
}

void resolve_ellipsoids(const TomlTable& table, Segment& segment) {
    for (const char* const key : {"radius", "length"}) {
        if (table.has(key))
            table.fail(key, "is given, but ellipsoids have semi_axes; give those alone");
    }
    const bool all_kinds =
        !segment.pattern.empty() && std::ranges::all_of(segment.pattern, [](const BeadKind& kind) {
            return kind.semi_axes.has_value();
        });
    const bool listed =
        !segment.listed_shapes.empty() && segment.listed_shapes.front().semi_axes.has_value();
    if (!segment.semi_axes && !all_kinds && !listed)
        table.fail("semi_axes", "missing; give [a, b, c], in m");
    const bool used =
        segment.listed_shapes.empty() &&
        (segment.pattern.empty() || std::ranges::any_of(segment.pattern, [](const BeadKind& kind) {
             return !kind.semi_axes && !kind.orientation;
         }));
    if (segment.semi_axes && used) {
        const std::string key = table.has("orientation") ? "orientation" : "semi_axes";
        const auto bead = bead_of(table, key, *segment.semi_axes, segment.orientation);
        segment.radius = bead.radius;
        segment.shape = bead.shape;
        for (chain::ListedBead& each : segment.listed)
            each.radius = bead.radius;
    }
    resolve_kinds(table, segment);
    resolve_listed(table, segment);
}

/// Refuses keys of ellipsoids on other beads.
void check_others(const TomlTable& table, const Segment& segment, Reading& reading) {
    const bool cylinders = segment.form == BeadForm::cylinder;
    for (const char* const key : {"semi_axes", "orientation"}) {
        const std::string_view why =
            cylinders && key == std::string_view("orientation") ? across : of_ellipsoids;
        if (table.has(key)) table.fail(key, why);
        for (std::size_t k = 0; k < segment.pattern.size(); ++k) {
            const BeadKind& kind = segment.pattern[k];
            if (key == std::string_view("semi_axes") ? kind.semi_axes.has_value()
                                                     : kind.orientation.has_value())
                table.fail(fmt::format("pattern.{}.{}", k, key), why);
        }
    }
    if (cylinders) return;
    if (table.has("angle")) reading.no_effect(table.key("angle"), "the beads are spheres");
    for (std::size_t k = 0; k < segment.pattern.size(); ++k) {
        if (segment.pattern[k].angle) {
            reading.no_effect(table.key(fmt::format("pattern.{}.angle", k)),
                              "the beads are spheres");
        }
    }
}

constexpr std::string_view orientation_meaning =
    "of ellipsoids: quaternion, scalar first, that turns vectors of the body into space, where the "
    "chain is along x. A principal axis must be along the chain, to 1e-5 rad: [tilted "
    "ellipsoids](SHAPES.md#chains-of-ellipsoids-and-cylinders) are for packings";

}  // namespace

Table<Segment> bead_shape_row() {
    return Table<Segment>().add(
        "shape",
        words({"sphere", "ellipsoid", "cylinder"})
            .otherwise("`\"sphere\"`; with `length` `\"cylinder\"`"),
        &Segment::form,
        "what the beads are, solid: [SHAPES.md](SHAPES.md#chains-of-ellipsoids-and-cylinders)");
}

Table<Segment> bead_shape_rows() {
    Table<Segment> t;
    t.row(semi_axes_key("needed for `\"ellipsoid\"`",
                        "half the axes of an ellipsoid, along x, y and z of the body; in place of "
                        "`radius`. Without `orientation` the first is along the chain"),
          [](const TomlTable& table, const Key& key, Segment& segment, const Reading&) {
              segment.semi_axes = read_semi_axes(table, key);
          });
    t.row(orientation_key(orientation_meaning),
          [](const TomlTable& table, const Key& key, Segment& segment, Reading& reading) {
              if (const auto given = read_orientation(table, key, reading))
                  segment.orientation = *given;
          });
    t.add("length", above_zero("m").otherwise("needed for `\"cylinder\"`"), &Segment::length,
          "length of cylinders, whose axes are across the chain");
    return t.add(
        "angle", any_number("rad"), &Segment::angle,
        "by which each bead is turned about the chain, from the one before it, besides their "
        "`orientation`; of cylinders between their axes. 0: cylinders touch along a line, which "
        "needs a [line law](LAWS.md#line-contacts); otherwise in a point, on an ellipse");
}

Table<BeadKind> kind_shape_rows() {
    Table<BeadKind> t;
    t.row(semi_axes_key("of the segment", "half the axes of these ellipsoids"),
          [](const TomlTable& table, const Key& key, BeadKind& kind, const Reading&) {
              kind.semi_axes = read_semi_axes(table, key);
          });
    t.row(orientation_key("of these ellipsoids").otherwise("of the segment"),
          [](const TomlTable& table, const Key& key, BeadKind& kind, Reading& reading) {
              kind.orientation = read_orientation(table, key, reading);
          });
    return t.add("angle", any_number("rad").otherwise("of the segment"), &BeadKind::angle,
                 "by which these beads are turned from the one before them");
}

void resolve_shapes(const TomlTable& table, Segment& segment, Reading& reading) {
    if (segment.form == BeadForm::ellipsoid) return resolve_ellipsoids(table, segment);
    if (segment.length && segment.form == BeadForm::sphere) {
        if (table.has("shape")) table.fail("length", "belongs to shape = \"cylinder\"");
        segment.form = BeadForm::cylinder;
    }
    check_others(table, segment, reading);
    if (segment.form == BeadForm::cylinder && !segment.length)
        table.fail("length", "missing; give the length of the cylinders, in m");
}

void check_shapes_together(const TomlTable& root, const chain::Scenario& scenario) {
    const auto& segments = scenario.segments;
    if (segments.empty()) return;
    const auto tables = root.tables("segment");
    const bool mixed =
        std::ranges::any_of(segments,
                            [](const Segment& s) { return s.form == BeadForm::ellipsoid; }) ||
        (tables &&
         std::ranges::any_of(*tables, [](const TomlTable& table) { return table.has("shape"); }));
    const Segment& first = segments.front();
    const bool all_cylinders = std::ranges::all_of(
        segments, [](const Segment& s) { return s.form == BeadForm::cylinder; });
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const Segment& own = segments[i];
        if (!mixed && own.length.has_value() != first.length.has_value()) {
            root.fail(fmt::format("segment.{}.length", own.length ? 0 : i),
                      "missing; another segment has one: give it to all segments or to none, or "
                      "each a shape");
        }
        if (all_cylinders && own.side_by_side() != first.side_by_side()) {
            root.fail(fmt::format("segment.{}.angle", i),
                      "must be 0 in all segments or in none: contacts along lines and in points "
                      "need different laws");
        }
    }
}

}  // namespace beadwave::io

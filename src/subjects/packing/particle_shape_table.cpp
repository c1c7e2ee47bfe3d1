#include "subjects/packing/particle_shape_table.hpp"

#include "beadwave/argument_error.hpp"
#include "io/scenario/orientation.hpp"
#include "io/scenario/semi_axes.hpp"
#include "shapes/clump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace beadwave::io {
namespace {

using packing::Group;
using packing::GroupShape;

Key exponents_key() {
    Key key = named("exponents", between(2.0, 8.0),
                    "of a superellipsoid, in the plane of its first two axes, and towards the "
                    "third; both 2: an ellipsoid")
                  .ranges("[n2, n1], each from 2 to 8")
                  .expects("[n2, n1], two exponents from 2 to 8")
                  .otherwise("needed for `\"superellipsoid\"`, except with a `file` that has them");
    key.kind = Kind::numbers;
    return key;
}

void read_exponents(const TomlTable& table, const Key& key, Group& group) {
    if (group.shape != GroupShape::superellipsoid) return;
    const auto* const listed = std::get_if<packing::ListedPlaces>(&group.places);
    if (listed != nullptr && listed->particles.front().exponents) {
        if (!table.has(key.name)) return;
        table.fail(key.name,
                   "is given in addition to file, which has those of each particle: n2, "
                   "n1");
    }
    const auto given = table.need(table.numbers(key, 2, 2),
                                  Key(key).needed("[n2, n1], two exponents from 2 to 8"));
    group.exponents = {.plane = given[0], .axis = given[1]};
    if (listed != nullptr) return;
    group.radius =
        farthest(shapes::Superellipsoid{{.semi_axes = group.semi_axes}, group.exponents});
}

Key spheres_key() {
    Key spheres = any_number("m");
    spheres.kind = Kind::points;
    spheres.expects("a list of spheres [x, y, z, radius], in m")
        .ranges("list of `[x, y, z, radius]`, each radius above 0")
        .otherwise("needed for `\"clump\"`");
    return named("spheres", spheres,
                 "the spheres of a clump, rigidly joined, in axes of its own; in place of "
                 "`radius`. They may overlap, and what they share counts once, or be apart. "
                 "`position` is where their centroid is. `lattice`, `random` and `radii` take the "
                 "sphere around the centroid that holds them all");
}

void read_spheres(const TomlTable& table, const Key& key, Group& group) {
    if (group.shape != GroupShape::clump) return;
    const auto given = table.need(table.lists(key, 4, "[x, y, z, radius], in m"),
                                  Key(key).needed("a list of spheres [x, y, z, radius], in m"));
    std::vector<shapes::Ball> balls;
    for (const std::vector<double>& sphere : given)
        balls.push_back({{sphere[0], sphere[1], sphere[2]}, sphere[3]});
    try {
        group.clump = shapes::make_clump(balls);
    } catch (const ArgumentError& error) {
        table.fail(key.name, error.what());
    }
    group.radius = group.clump->radius;
}

Key particle_orientation_key() {
    Key key = orientation_key(
        "of all but spheres: quaternion, scalar first, that turns vectors of the body into "
        "space, or "
        "`\"random\"`: all rotations are equally likely, each particle has its own. One that is "
        "not of unit length is divided by it, with a warning");
    key.words = {"random"};
    key.or_word = true;
    key.ranges("`[w, x, y, z]`, not all 0, or `\"random\"`");
    return key;
}

void read_particle_orientation(const TomlTable& table, const Key& key, Group& group,
                               Reading& reading) {
    if (table.has_text(key.name)) {
        const std::string word = *table.text(plain(key.name, Kind::text));
        if (word != "random") {
            table.fail(key.name, fmt::format("is \"{}\"; expected \"random\" or a unit quaternion "
                                             "[w, x, y, z]",
                                             word));
        }
        group.random_orientation = true;
        return;
    }
    const auto q = read_orientation(table, key, reading);
    if (q) group.orientation = {(*q)[0], (*q)[1], (*q)[2], (*q)[3]};
}

/// Refuses keys that do not go together with the shape.
void check_particle_shape(const TomlTable& table, const Group& group, const Reading& reading) {
    if (group.shape == GroupShape::sphere) {
        if (table.has("semi_axes")) {
            table.fail("semi_axes",
                       "belongs to shape = \"ellipsoid\" or \"superellipsoid\"; a sphere has a "
                       "radius");
        }
        if (table.has("exponents")) {
            table.fail("exponents", "belongs to shape = \"superellipsoid\"; a sphere has a radius");
        }
        if (table.has("orientation")) {
            table.fail("orientation",
                       "belongs to shape = \"ellipsoid\", \"superellipsoid\" or \"clump\"; a "
                       "sphere has a radius");
        }
        if (table.has("spheres"))
            table.fail("spheres", "belongs to shape = \"clump\"; a sphere has a radius");
        return;
    }
    const bool clump = group.shape == GroupShape::clump;
    const std::string shape = clump                                       ? "clump"
                              : group.shape == GroupShape::superellipsoid ? "superellipsoid"
                                                                          : "ellipsoid";
    if (clump && table.has("semi_axes")) {
        table.fail("semi_axes",
                   "belongs to shape = \"ellipsoid\" or \"superellipsoid\"; a clump has spheres");
    }
    if (group.shape != GroupShape::superellipsoid && table.has("exponents")) {
        table.fail("exponents", fmt::format("belongs to shape = \"superellipsoid\"; the shape is "
                                            "\"{}\"",
                                            shape));
    }
    if (!clump && table.has("spheres")) {
        table.fail("spheres",
                   fmt::format("belongs to shape = \"clump\"; the shape is \"{}\"", shape));
    }
    if (reading.dimension == 2)
        table.fail("shape", "is for packings in space; expected dimension = 3, or \"sphere\"");
    if (table.has("radius")) {
        table.fail("radius",
                   fmt::format("is given, but {}; give those alone",
                               clump ? "clumps have spheres" : shape + "s have semi_axes"));
    }
    if (table.has("length")) {
        table.fail(
            "length",
            fmt::format("makes cylinders, but the shape is \"{}\"; give one of the two", shape));
    }
    const auto* const listed = std::get_if<packing::ListedPlaces>(&group.places);
    if (listed != nullptr && table.has("orientation") &&
        listed->particles.front().orientation.has_value()) {
        table.fail("orientation",
                   "is given in addition to file, which has that of each particle: qw, qx, qy, qz");
    }
    if (listed != nullptr && table.has("semi_axes")) {
        table.fail("semi_axes",
                   "is given in addition to file, which has those of each particle: a_m, b_m, c_m");
    }
    const auto radii = table.table("radii");
    if (radii && radii->text(plain("law", Kind::text)) == "table") {
        table.fail("radii",
                   fmt::format("is a table of radii, which {}s do not have; expected \"normal\" or "
                               "\"lognormal\", which scale all {} alike",
                               shape, clump ? "spheres" : "semi-axes"));
    }
}

}  // namespace

bool says_shape(const TomlTable& group, std::string_view shape) {
    return group.has_text("shape") && group.text(plain("shape", Kind::text)) == shape;
}

Table<Group> particle_shape_rows() {
    Table<Group> t;
    t.add("shape", words({"sphere", "ellipsoid", "superellipsoid", "clump"}), &Group::shape,
          "what the particles are, solid: [ellipsoids](SHAPES.md#packings-of-ellipsoids), "
          "[superellipsoids](SHAPES.md#packings-of-superellipsoids) and "
          "[clumps](SHAPES.md#packings-of-clumps) of spheres are for packings in space");
    t.rule(check_particle_shape);
    const Key axes = semi_axes_key(
        "needed for `\"ellipsoid\"` and `\"superellipsoid\"`, except with `file`",
        "half the axes of an ellipsoid or superellipsoid, along x, y and z of the body; in place "
        "of "
        "`radius`. `lattice`, `random` and `radii` take the largest as the radius, of "
        "superellipsoids the largest distance of a point from the centre");
    t.row(axes, [](const TomlTable& table, const Key& key, Group& group, const Reading&) {
        const bool listed = std::holds_alternative<packing::ListedPlaces>(group.places);
        if ((group.shape != GroupShape::ellipsoid && group.shape != GroupShape::superellipsoid) ||
            listed)
            return;
        const auto given =
            table.need(read_semi_axes(table, key), Key(key).needed("[a, b, c], in m"));
        group.semi_axes = {given[0], given[1], given[2]};
        group.radius = std::max({given[0], given[1], given[2]});
    });
    t.row(exponents_key(), [](const TomlTable& table, const Key& key, Group& group,
                              const Reading&) { read_exponents(table, key, group); });
    t.row(spheres_key(), [](const TomlTable& table, const Key& key, Group& group, const Reading&) {
        read_spheres(table, key, group);
    });
    return t.row(particle_orientation_key(), read_particle_orientation);
}

}  // namespace beadwave::io

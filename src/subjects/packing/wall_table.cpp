#include "subjects/packing/wall_table.hpp"

#include "beadwave/input_error.hpp"
#include "packing/walls/flat_triangle.hpp"
#include "subjects/chain/chain_tables.hpp"
#include "subjects/packing/stl_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>
#include <utility>
#include <vector>

namespace beadwave::io {
namespace {

using packing::LoadPlan;
using packing::MeshPlan;
using packing::Vec3;
using packing::WallKind;
using packing::WallPlan;

constexpr std::array<std::string_view, 5> kinds{"plane", "cylinder", "disc", "cone", "mesh"};

/// A key of some shapes, and the member that it sets.
struct ShapeKey {
    Key key;
    std::vector<WallKind> needed_by, also_of;
    void (*read)(const TomlTable&, const Key&, WallPlan&, Reading&);

    bool needed(WallKind kind) const {
        return std::ranges::find(needed_by, kind) != needed_by.end();
    }
    bool known(WallKind kind) const {
        return needed(kind) || std::ranges::find(also_of, kind) != also_of.end();
    }
};

template <auto member>
void read_member(const TomlTable& table, const Key& key, WallPlan& wall, Reading& reading) {
    read_value(table, key, wall.*member, reading);
}

template <auto member>
void read_of_mesh(const TomlTable& table, const Key& key, WallPlan& wall, Reading& reading) {
    read_value(table, key, wall.mesh.*member, reading);
}

Key mesh_file() {
    Key key = named("mesh_file", of(Kind::file).needed("the path of an STL file"),
                    "mesh: its triangles; text or binary")
                  .otherwise("needed for meshes");
    key.required = false;
    return key.ranges("path of an STL file");
}

/// Leaves triangles without area out, which many programs write: they are no surface. Where there
/// is no other, they stay, and are refused with the wall.
void leave_out_flat(const std::string& key, std::vector<packing::Corners>& triangles,
                    Reading& reading) {
    const auto is_flat = [](const packing::Corners& corners) {
        const bool finite = std::ranges::all_of(corners, [](const packing::Vec3& corner) {
            return std::isfinite(corner.x) && std::isfinite(corner.y) && std::isfinite(corner.z);
        });
        return finite && packing::is_flat(corners);
    };
    const auto all = triangles.size();
    const auto flat = std::ranges::count_if(triangles, is_flat);
    if (flat == 0 || static_cast<std::size_t>(flat) == all) return;
    std::erase_if(triangles, is_flat);
    reading.warnings.push_back(fmt::format(
        "{}: {} of {} triangles have no area, only corners on one line or point, and are left out",
        key, flat, all));
}

void read_triangles(const TomlTable& table, const Key& key, WallPlan& wall, Reading& reading) {
    if (wall.kind != WallKind::mesh) return;
    const NamedFile file = reading.files.read(table, key, "STL", &stl_text);
    try {
        wall.mesh.triangles = read_stl(file);
    } catch (const InputError& error) {
        table.fail(key.name, error.what());
    }
    leave_out_flat(table.key(key.name), wall.mesh.triangles, reading);
    if (!table.has("axis")) wall.normal = {0.0, 0.0, 1.0};
}

std::vector<ShapeKey> shape_keys() {
    using enum WallKind;
    const auto direction = [] {
        return vector3("any unit").ranges("vector of any length above 0");
    };
    return {{named("normal", direction(),
                   "plane: direction from the wall to the particles; disc: its axis")
                 .otherwise("needed for planes and discs"),
             {plane, disc},
             {},
             &read_member<&WallPlan::normal>},
            {named("axis", direction(), "direction of the axis through `point`")
                 .otherwise("needed for cylinders and cones; of a mesh [0, 0, 1]"),
             {cylinder, cone},
             {mesh},
             &read_member<&WallPlan::normal>},
            {mesh_file(), {mesh}, {}, &read_triangles},
            {named("scale", above_zero("m"), "mesh: one unit of its file").otherwise("1"),
             {},
             {mesh},
             &read_of_mesh<&MeshPlan::scale>},
            {named("rotation", vector3("rad"),
                   "mesh: about the origin of its file, before the run; the length is the angle")
                 .otherwise("none"),
             {},
             {mesh},
             &read_of_mesh<&MeshPlan::rotation>},
            {named("feature_angle",
                   in_range({.name = {},
                             .unit = "rad",
                             .meaning = {},
                             .lowest = 0.0,
                             .highest = std::numbers::pi}),
                   "mesh: triangles that meet with a smaller bend form one smooth patch")
                 .ranges("0 to pi")
                 .otherwise("0.5236, 30 degrees"),
             {},
             {mesh},
             &read_of_mesh<&MeshPlan::feature_angle>},
            {named("radius", above_zero("m"), "of cylinder or disc; cone: at `point`, from 0")
                 .ranges("above 0; cone: from 0")
                 .otherwise("needed for cylinders, discs and cones"),
             {cylinder, disc, cone},
             {},
             &read_member<&WallPlan::radius>},
            {named("inner_radius", from_zero("m"), "disc: of its hole").otherwise("0"),
             {},
             {disc},
             &read_member<&WallPlan::inner_radius>},
            {named("end_radius", from_zero("m"), "cone: `length` further along the axis")
                 .otherwise("needed for cones"),
             {cone},
             {},
             &read_member<&WallPlan::end_radius>},
            {named("length", above_zero("m"),
                   "along the axis, from `point`; a cylinder without it has no end")
                 .otherwise("needed for cones"),
             {cone},
             {cylinder},
             &read_member<&WallPlan::length>}};
}

void check_shape(const TomlTable& table, const WallPlan& wall) {
    const bool round = wall.kind == WallKind::cylinder || wall.kind == WallKind::cone ||
                       wall.kind == WallKind::mesh;
    const double size = dot(wall.normal, wall.normal);
    if (!(size > 1e-200 && size < 1e200)) {
        if (round) table.fail("axis", "must not be zero; its length does not matter");
        table.fail("normal",
                   wall.kind == WallKind::plane
                       ? "must point from the wall to the particles; its length does not matter"
                       : "must not be zero; its length does not matter");
    }
    if (wall.kind == WallKind::mesh) {
        const std::string wrong = packing::TriangleSurface::fault(wall.mesh.placed());
        if (!wrong.empty()) table.fail("mesh_file", wrong);
    }
    if (wall.kind == WallKind::disc && wall.inner_radius >= wall.radius)
        table.fail("inner_radius", "must be below radius");
    if (wall.kind == WallKind::cone && wall.radius == wall.end_radius)
        table.fail("end_radius", "must differ from radius; a cone without it is a cylinder");
}

/// The keys of a wall with a mass.
std::vector<std::pair<Key, double LoadPlan::*>> load_keys() {
    return {
        {named("mass", above_zero("kg"),
               "the wall moves along its normal or axis, pushed by particles, gravity and load")
             .otherwise("none: it moves as prescribed"),
         &LoadPlan::mass},
        {named("force", any_number("N"), "load of a wall with a mass, along its normal or axis")
             .otherwise("0"),
         &LoadPlan::force},
        {named("pressure", any_number("Pa"), "load of a wall with a mass: this times `area`")
             .otherwise("0"),
         &LoadPlan::pressure},
        {named("area", above_zero("m^2"),
               "that the pressure acts on; in the plane a length, in m, "
               "and the pressure is in N/m")
             .otherwise("needed with pressure"),
         &LoadPlan::area},
        {named("target_velocity", any_number("m/s"),
               "wall with a mass: the velocity along its normal or axis that `gain` holds")
             .otherwise("0"),
         &LoadPlan::target_velocity},
        {named(
             "gain", from_zero("N s/m"),
             "wall with a mass: the load has gain times (target velocity - velocity) in addition; "
             "with target velocity 0 a damper")
             .otherwise("0"),
         &LoadPlan::gain},
        {named("start", from_zero("s"),
               "wall with a mass: until then it is held where it is, such as while particles are "
               "poured")
             .otherwise("0"),
         &LoadPlan::start}};
}

void read_load(const TomlTable& table, WallPlan& wall) {
    const bool heavy = table.has("mass");
    LoadPlan load;
    for (const auto& [key, member] : load_keys()) {
        const auto value = table.number(key);
        if (!value) continue;
        if (!heavy)
            table.fail(key.name, "only a wall with a mass has a load; give mass, in kg, too");
        load.*member = *value;
    }
    if (!heavy) return;
    if (table.has("pressure") != table.has("area")) {
        table.fail(table.has("pressure") ? "area" : "pressure",
                   "missing; give pressure, in Pa, and area, in m^2, or neither");
    }
    if (table.has("target_velocity") && !(load.gain > 0.0))
        table.fail("gain", "missing; expected a number above 0, in N s/m, that holds the velocity");
    constexpr double rounding = 1e-12;
    const double along = std::abs(dot(wall.velocity, wall.normal));
    if (has_drive(table) || along > rounding * std::sqrt(dot(wall.velocity, wall.velocity) *
                                                         dot(wall.normal, wall.normal))) {
        table.fail("mass",
                   "is given together with a prescribed motion along the normal or axis; a wall "
                   "has one of the two");
    }
    wall.load = load;
}

}  // namespace

Table<WallPlan> wall_table() {
    Table<WallPlan> t;
    t.add(
        "shape", words({kinds.begin(), kinds.end()}), &WallPlan::kind,
        "plane without end; cylinder, disc, cone and mesh are thin: particles touch them from both "
        "sides");
    t.add("point", vector3("m").needed(), &WallPlan::point,
          "a point on the plane; cylinder, cone: on the axis, where a length begins; disc: its "
          "centre; mesh: where the origin of its file is");
    const std::vector<ShapeKey> shapes = shape_keys();
    for (const ShapeKey& each : shapes)
        t.known(each.key);
    t.rule([shapes](const TomlTable& table, WallPlan& wall, Reading& reading) {
        const std::string_view kind = kinds.at(static_cast<std::size_t>(wall.kind));
        for (const ShapeKey& each : shapes) {
            Key key = each.key;
            if (table.has(key.name) && !each.known(wall.kind))
                table.fail(key.name, fmt::format("a {} does not have it", kind));
            if (key.name == "radius" && wall.kind == WallKind::cone)
                key.limits.lowest_allowed = true;
            if (each.needed(wall.kind)) key.required = true;
            each.read(table, key, wall, reading);
        }
        check_shape(table, wall);
    });
    t.add("material", material().needed(), &WallPlan::material, "material");
    t.add("velocity", vector3("m/s"), &WallPlan::velocity,
          "constant velocity; the motion of a driven wall along the normal adds to it. Of a wall "
          "with a "
          "mass: across its normal or axis, from `start` on");
    t.add("angular_velocity", any_number("rad/s"), &WallPlan::angular_velocity,
          "constant, about the normal or axis through `point`");
    t.add("temperature", above_zero("K").otherwise("none: the wall is insulated"),
          &WallPlan::temperature, "held at this temperature; needs `[heat]`");
    for (Key& key : drive_keys())
        t.known(std::move(key).otherwise("none"));
    for (const auto& [key, member] : load_keys())
        t.known(key);
    return t.rule([](const TomlTable& table, WallPlan& wall, Reading& reading) {
        read_load(table, wall);
        if (has_drive(table)) wall.drive = read_drive(table, reading);
    });
}

}  // namespace beadwave::io

#include "subjects/shapes/shape_case.hpp"

#include "io/scenario/common_tables.hpp"
#include "io/scenario/friction_table.hpp"
#include "io/scenario/law_reader.hpp"
#include "subjects/shapes/shape_tables.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace beadwave::io {
namespace {

struct ShapeDraft {
    std::string title;
    Materials materials;
    std::vector<ShapeBody> bodies;
    std::vector<ShapeWall> walls;
    laws::Friction friction;
};

const Table<ShapeDraft>& shape_case_table() {
    static const Table<ShapeDraft> table = [] {
        Table<ShapeDraft> t;
        t.add(title_key().under("Two bodies in space"), &ShapeDraft::title);
        t.row(materials_key().optional(),
              [](const TomlTable& root, const Key&, ShapeDraft& draft, Reading& reading) {
                  reading.materials = &draft.materials;
                  if (root.has("material")) read_materials(root, draft.materials, reading);
              });
        t.tables(plain("body", Kind::tables, "two bodies, or one and a wall").needed(),
                 &ShapeDraft::bodies, shape_body_table());
        t.tables(plain("wall", Kind::tables, "one wall, in place of the second body"),
                 &ShapeDraft::walls, shape_wall_table());
        t.rule([](const TomlTable& root, const ShapeDraft& draft, const Reading&) {
            const std::size_t bodies = draft.bodies.size(), walls = draft.walls.size();
            if (bodies == 1 && walls == 0) {
                root.fail("body",
                          "has one body; give a second [[body]], or a [[wall]] that it strikes");
            }
            if (bodies > 2)
                root.fail("body", fmt::format("has {} bodies; a collision has two", bodies));
            if (walls > 1)
                root.fail("wall", fmt::format("has {} walls; a collision has one body and one wall",
                                              walls));
            if (bodies == 2 && walls == 1) {
                root.fail("wall",
                          "is given together with two bodies; a collision has two [[body]], or one "
                          "and a [[wall]]");
            }
        });
        t.table(plain("friction", Kind::table), &ShapeDraft::friction, friction_table());
        return t.known(law_key());
    }();
    return table;
}

/// Shapes that are known but not offered here, and a wall in the place of a body.
void refuse_other_shapes(const TomlTable& root) {
    const auto bodies = root.tables("body");
    if (!bodies) return;
    for (const TomlTable& body : *bodies) {
        if (!body.has_text("shape")) continue;
        const auto shape = body.text(plain("shape", Kind::text));
        if (body.has("exponents") && (shape == "sphere" || shape == "ellipsoid")) {
            body.fail(
                "exponents",
                fmt::format("belongs to shape = \"superellipsoid\"; the shape is \"{}\"", *shape));
        }
        if (shape == "clump")
            body.fail("shape",
                      "is not offered by collide yet; expected \"sphere\", \"ellipsoid\" or "
                      "\"superellipsoid\"");
        if (shape == "plane") {
            body.fail("shape",
                      "is no shape of a body: a plane is a [[wall]] with point and normal; "
                      "expected \"sphere\", \"ellipsoid\" or \"superellipsoid\"");
        }
    }
}

}  // namespace

std::vector<Key> shape_case_keys() {
    return shape_case_table().keys();
}

ShapeCase read_shape_case(const TomlTable& root, Reading& reading) {
    refuse_other_shapes(root);
    ShapeDraft draft;
    shape_case_table().read(root, draft, reading);
    reading.materials = nullptr;  // they end here
    const ShapeBody& first = draft.bodies.front();
    if (!draft.walls.empty()) {
        const ShapeWall& wall = draft.walls.front();
        return {.pair = {.first = first.made(), .second = wall.made()},
                .materials = {first.material.elasticity, wall.material.elasticity},
                .friction = draft.friction};
    }
    const ShapeBody& second = draft.bodies.back();
    return {.pair = {.first = first.made(), .second = second.made()},
            .materials = {first.material.elasticity, second.material.elasticity},
            .friction = draft.friction};
}

}  // namespace beadwave::io

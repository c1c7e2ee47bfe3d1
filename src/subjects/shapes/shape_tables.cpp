#include "subjects/shapes/shape_tables.hpp"

#include "io/scenario/common_tables.hpp"
#include "io/scenario/orientation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::io {
namespace {

/// `material`, or its keys in the body itself.
Table<ShapeMaterial> shape_material_table(bool of_body) {
    const std::vector<Key> own = elasticity_table().keys();
    Table<ShapeMaterial> t;
    t.add("material", material().otherwise("needed without `youngs_modulus`"), &ShapeMaterial::name,
          "name of a `[material.NAME]`, in place of the keys of a material");
    for (Key key : own) {
        if (key.required) key.optional().otherwise("needed without `material`");
        t.known(std::move(key));
    }
    if (of_body) {
        t.add("density", above_zero("kg/m^3").otherwise("that of the material"),
              &ShapeMaterial::density, "density; a solid body has its mass and moments of inertia");
    }
    return t.rule([own](const TomlTable& table, ShapeMaterial& m, Reading& reading) {
        bool has_own = false;
        for (const Key& key : own) {
            if (!table.has(key.name)) continue;
            if (m.name)
                table.fail(key.name, "is given together with material; give one of the two");
            has_own = true;
        }
        if (!m.name && !has_own) {
            table.fail("material",
                       "missing; give the name of a [material.NAME], or youngs_modulus, in Pa, and "
                       "poisson_ratio");
        }
        if (!m.name) return elasticity_table().read_rows(table, m.elasticity, reading);
        const scenario::Material& named = reading.materials->at(*m.name);
        m.elasticity = named.elasticity;
        if (!m.density) m.density = named.density;
    });
}

/// A solid body whose mass cannot be said is none.
void check_mass(const TomlTable& table, const ShapeBody& body, Reading& reading) {
    if (body.mass && table.has("density"))
        reading.no_effect(table.key("density"), "the body has a mass");
    if (!body.mass && !body.material.density) {
        table.fail("density",
                   "missing; give a density, in kg/m^3, in the body or in its material, or a "
                   "mass, in kg");
    }
    const shapes::Body made = body.made();
    const bool normal = std::isnormal(made.mass) && std::isnormal(made.moments.x) &&
                        std::isnormal(made.moments.y) && std::isnormal(made.moments.z);
    if (!normal) {
        table.fail(body.kind == ShapeBody::Kind::sphere ? "radius" : "semi_axes",
                   fmt::format("gives the body the mass {:g} kg and no moments of inertia that a "
                               "number can hold; expected sizes in m",
                               std::abs(made.mass)));  // not -nan
    }
}

}  // namespace

shapes::Body ShapeBody::made() const {
    const shapes::Ellipsoid shape{
        .semi_axes = kind == Kind::sphere ? shapes::Vector{radius, radius, radius} : semi_axes,
        .centre = position,
        .orientation = orientation};
    const shapes::Superellipsoid solid_shape(shape, {.plane = exponents[0], .axis = exponents[1]});
    const double filled = mass ? *mass / volume(solid_shape) : material.density.value_or(0.0);
    shapes::Body body = solid(solid_shape, filled);
    body.velocity = velocity;
    set_spin(body, to_space(orientation, body_spin));
    return body;
}

shapes::HalfSpace ShapeWall::made() const {
    const shapes::Vector n = normal * (1.0 / shapes::length(normal));
    return {.normal = n, .offset = dot(n, point)};
}

Table<ShapeBody> shape_body_table() {
    Table<ShapeBody> sphere, ellipsoid, superellipsoid, t;
    sphere.add("radius", above_zero("m").needed(), &ShapeBody::radius, "radius");
    Key axes = above_zero("m");
    axes.kind = Kind::numbers;
    axes.ranges("[a, b, c], each above 0").needed();
    ellipsoid.add("semi_axes", axes, &ShapeBody::semi_axes,
                  "half its axes, along x, y and z of the body");
    superellipsoid.add("semi_axes", axes, &ShapeBody::semi_axes,
                       "half its axes, along x, y and z of the body");
    Key exponents = named("exponents", between(2.0, 8.0),
                          "in the plane of its first two axes, and towards the third; 2: ellipsoid")
                        .ranges("[n2, n1], each from 2 to 8")
                        .expects("[n2, n1], two exponents from 2 to 8")
                        .needed();
    exponents.kind = Kind::numbers;
    superellipsoid.add(std::move(exponents), &ShapeBody::exponents);
    t.choose(named("shape", words({"sphere", "ellipsoid", "superellipsoid"}).needed(),
                   "what the body is, solid"),
             &ShapeBody::kind, sphere, ellipsoid, superellipsoid);
    t.add("position", vector3("m").needed(), &ShapeBody::position,
          "its centre, before the flight to the first touch");
    t.row(orientation_key(
              "quaternion, scalar first, that turns vectors of the body into space; one that is "
              "not of unit length is divided by it, with a warning"),
          [](const TomlTable& table, const Key& key, ShapeBody& body, Reading& reading) {
              const auto q = read_orientation(table, key, reading);
              if (q) body.orientation = {(*q)[0], (*q)[1], (*q)[2], (*q)[3]};
          });
    t.add("velocity", vector3("m/s"), &ShapeBody::velocity, "velocity of the centre");
    t.add("angular_velocity", vector3("rad/s"), &ShapeBody::body_spin,
          "angular velocity about x, y and z of the body");
    t.include(shape_material_table(true), &ShapeBody::material);
    t.add("mass", above_zero("kg").otherwise("that of a solid body of this density"),
          &ShapeBody::mass, "mass, spread evenly in the body");
    return t.rule(check_mass);
}

Table<ShapeWall> shape_wall_table() {
    Table<ShapeWall> t;
    t.add("shape", words({"plane"}), &ShapeWall::kind, "what the wall is; it does not move");
    t.add("point", vector3("m").needed(), &ShapeWall::point, "a point on the plane");
    t.add("normal", vector3("-").needed(), &ShapeWall::normal,
          "from the wall to the body, of any length above 0");
    t.rule([](const TomlTable& table, const ShapeWall& wall, const Reading&) {
        const double size = dot(wall.normal, wall.normal);
        if (!std::isnormal(size)) {
            table.fail("normal", size > 0.0 ? "is too short or too long; expected a length near 1"
                                            : "has zero length; it must point from the wall to "
                                              "the body");
        }
    });
    return t.include(shape_material_table(false), &ShapeWall::material);
}

}  // namespace beadwave::io

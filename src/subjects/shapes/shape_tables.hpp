// [[body]] and [[wall]] of a collision in space.
#pragma once

#include "beadwave/laws/contact.hpp"
#include "io/scenario/table.hpp"
#include "shapes/body.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace beadwave::io {

/// A material by name, or given in the body itself.
struct ShapeMaterial {
    std::optional<std::string> name{};
    laws::Elasticity elasticity{};
    std::optional<double> density{};  ///< [kg/m^3]
};

struct ShapeBody {
    enum class Kind : std::uint8_t { sphere, ellipsoid, superellipsoid };
    Kind kind = Kind::sphere;
    double radius = 0.0;         ///< [m]
    shapes::Vector semi_axes{};  ///< [m]
    /// A superellipsoid's exponents in the plane of its first two axes and towards the third [-].
    std::array<double, 2> exponents{2.0, 2.0};
    shapes::Vector position{};   ///< of the centre [m]
    shapes::Vector velocity{};   ///< [m/s]
    shapes::Vector body_spin{};  ///< angular velocity in the body's axes [rad/s]
    shapes::Quaternion orientation{};
    ShapeMaterial material{};
    std::optional<double> mass{};  ///< [kg]

    shapes::Body made() const;
};

struct ShapeWall {
    enum class Kind : std::uint8_t { plane };
    Kind kind = Kind::plane;
    shapes::Vector point{};   ///< [m]
    shapes::Vector normal{};  ///< of any length above 0
    ShapeMaterial material{};

    shapes::HalfSpace made() const;
};

Table<ShapeBody> shape_body_table();
Table<ShapeWall> shape_wall_table();

}  // namespace beadwave::io

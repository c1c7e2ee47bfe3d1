// Ellipsoids of the reference tables; random ones come along.
#pragma once

#include "random_numbers.hpp"
#include "shapes/ellipsoid.hpp"
#include "table.hpp"

#include <string>

namespace beadwave::validation {

inline shapes::Vector vector_of(const Row& row, const std::string& x, const std::string& y,
                                const std::string& z) {
    return {number(row, x), number(row, y), number(row, z)};
}

/// Semi-axes, quaternion and centre of a row, with this number of the body in the columns' names.
inline shapes::Ellipsoid ellipsoid_of(const Row& row, const std::string& body = "") {
    shapes::Ellipsoid e{
        .semi_axes = vector_of(row, "a" + body + "_m", "b" + body + "_m", "c" + body + "_m"),
        .centre = {},
        .orientation = {number(row, "q" + body + "w"), number(row, "q" + body + "x"),
                        number(row, "q" + body + "y"), number(row, "q" + body + "z")}};
    if (row.contains("c" + body + "x_m"))
        e.centre = vector_of(row, "c" + body + "x_m", "c" + body + "y_m", "c" + body + "z_m");
    return shapes::require(e);
}

}  // namespace beadwave::validation

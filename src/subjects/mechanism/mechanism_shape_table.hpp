// A shape of a contact of two shapes: { shape = "circle", ... }
#pragma once

#include "io/scenario/table.hpp"
#include "mechanism/shapes/shape.hpp"

namespace beadwave::io {

/// A shape in its table.
struct ReadShape {
    mechanism::shapes::Shape shape{};
};

Table<ReadShape> shape_table();

}  // namespace beadwave::io

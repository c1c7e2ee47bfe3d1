// The shapes of the beads of a chain from arrays.
#pragma once

#include "chain/bead_shape.hpp"
#include "io/checkpoint/state_file.hpp"

#include <optional>
#include <vector>

namespace beadwave::python {

/// ArrayShapes of beads that are no spheres, and how far each is turned from the one before it
/// [rad].
struct ArrayShapes {
    std::vector<double> radius;  ///< along the chain [m]
    std::vector<chain::BeadShape> shape;
    std::vector<double> angle;
};

/// From the arrays semi_axes, orientation and angle, with three, four and one number per bead.
/// None: the beads are spheres. Throws InputError.
std::optional<ArrayShapes> shapes_of(const io::NamedNumbers& given);

}  // namespace beadwave::python

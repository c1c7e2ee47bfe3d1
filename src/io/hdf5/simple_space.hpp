// What datasets and attributes have the shape of.
#pragma once

#include "io/hdf5/hdf5.hpp"

namespace beadwave::io::hdf5 {

/// No shape is a scalar; `largest`: how far each dimension may grow, null: not at all.
Space simple_space(std::span<const hsize_t> shape, const hsize_t* largest = nullptr);

}  // namespace beadwave::io::hdf5

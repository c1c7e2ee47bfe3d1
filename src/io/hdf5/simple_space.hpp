// Dataspaces: the shapes of datasets and attributes.
#pragma once

#include "io/hdf5/hdf5.hpp"

namespace beadwave::io::hdf5 {

/// An empty shape is a scalar. `largest`: the maximum of each dimension; null: fixed.
Space simple_space(std::span<const hsize_t> shape, const hsize_t* largest = nullptr);

}  // namespace beadwave::io::hdf5

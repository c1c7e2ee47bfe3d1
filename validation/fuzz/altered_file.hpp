// An HDF5 file, in memory, altered as an input says.
#pragma once

#include "bytes.hpp"
#include "io/hdf5/hdf5.hpp"

#include <string>
#include <vector>

namespace beadwave::fuzz {

using Image = std::vector<std::uint8_t>;

/// `original`: a whole HDF5 file behind a user block of `user_block` bytes. What HDF5 itself
/// refuses is left as it was.
Image altered(const Image& original, std::size_t user_block, Bytes& choices);

}  // namespace beadwave::fuzz

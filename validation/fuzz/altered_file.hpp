// An HDF5 file in memory, with changes that the input selects.
#pragma once

#include "bytes.hpp"
#include "io/hdf5/hdf5.hpp"

#include <string>
#include <vector>

namespace beadwave::fuzz {

using Image = std::vector<std::uint8_t>;

/// `original`: an HDF5 file behind a user block of `user_block` bytes. Changes that HDF5 refuses
/// are skipped.
Image altered(const Image& original, std::size_t user_block, Bytes& choices);

}  // namespace beadwave::fuzz

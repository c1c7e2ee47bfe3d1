// What a file must be before anything is read from it: made as our own writers make it.
#pragma once

#include "io/hdf5/hdf5.hpp"

#include <filesystem>

namespace beadwave::io::hdf5 {

/// Throws std::runtime_error unless `path` is a regular file, so that opening it neither waits nor
/// has an effect.
void check_regular(const std::filesystem::path& path);

/// The same, and that it begins as an HDF5 file of our writers does: with a superblock of version
/// 2 or 3, whose checksum is right, at its start or behind a seal. Below such a superblock all that
/// describes the data has checksums too.
void check_beginning(const std::filesystem::path& path);

/// Throws std::runtime_error unless all of the open file is groups and datasets of numbers or
/// texts, held together by hard links, whose content stands in the file as it is, contiguous or in
/// chunks: no link leads out of it, nothing is stored elsewhere, and no dataset says that it is
/// larger than the file. `spare`: bytes by which the file may be behind what it says.
void check_structure(const File& file, hsize_t spare = 0);

}  // namespace beadwave::io::hdf5

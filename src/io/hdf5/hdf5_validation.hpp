// Checks of a file before anything is read from it: it must have the form that beadwave writes.
#pragma once

#include "io/hdf5/hdf5.hpp"

#include <filesystem>

namespace beadwave::io::hdf5 {

/// All lists of members and attributes are read in the order of the file. For any other order HDF5
/// 1.10 first makes a table of the members, and if one is damaged or cannot be read, it releases
/// the rest of the table, which it has not set.
constexpr H5_iter_order_t order_of_file = H5_ITER_NATIVE;

/// Throws std::runtime_error unless `path` is a regular file. Opening a regular file does not block
/// and has no side effects.
void check_regular(const std::filesystem::path& path);

/// Does check_regular(), and checks the beginning of the HDF5 file: a superblock of version 2 or 3
/// with a correct checksum, at the start or behind a checksum header. With such a superblock all
/// metadata have checksums too.
void check_beginning(const std::filesystem::path& path);

/// Throws std::runtime_error unless the open file consists of groups and of datasets of numbers or
/// texts, connected by hard links, with contents stored in this file, uncompressed, contiguous or
/// in chunks. No link may lead out of the file, no dataset may claim to be larger than the file,
/// and the heaps of texts of variable length must be as HDF5 writes them (text_heaps.hpp). `spare`:
/// bytes by which the datasets may exceed the size of the file.
void check_structure(const File& file, hsize_t spare = 0);

/// Throws std::runtime_error unless HDF5 can read where all chunks of the datasets are: a writer
/// needs that, and check_structure() does not look at it. The time grows with the number of chunks.
void check_chunks(const File& file);

}  // namespace beadwave::io::hdf5

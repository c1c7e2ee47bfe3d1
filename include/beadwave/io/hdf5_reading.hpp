// Reading and copying what HDF5 files hold; errors as in hdf5.hpp.
#pragma once

#include "beadwave/io/hdf5.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace beadwave::io::hdf5 {

File open_to_read(const std::filesystem::path& path);

Group open_group(hid_t parent, const std::string& name);

/// To read, or to write whole chunks; see create_extensible.
Dataset open_dataset(hid_t parent, const std::string& name);

/// Length of each dimension; none for a scalar.
std::vector<hsize_t> shape_of(const Dataset& dataset);

/// All numbers; there must be as many as `numbers` has room for.
void read_into(const Dataset& dataset, std::span<double> numbers);

std::vector<double> read_vector(hid_t parent, const std::string& name);
double read_number(hid_t parent, const std::string& name);
/// A scalar fixed-length string.
std::string read_text(hid_t parent, const std::string& name);

}  // namespace beadwave::io::hdf5

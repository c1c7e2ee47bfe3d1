// Reading what HDF5 files hold; errors as in hdf5.hpp.
#pragma once

#include "io/hdf5/hdf5.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace beadwave::io::hdf5 {

// The files may be damaged or made by others: each function that opens one does the checks of
// hdf5_validation.hpp.

File open_to_read(const std::filesystem::path& path);
/// Opens a file that another process is writing (see start_swmr()), or whose writer was killed, to
/// read it.
File open_while_growing(const std::filesystem::path& path);
/// The checks alone, of either of the two, before another library reads the file; that library may
/// have it open already, in this process.
void check_file(const std::filesystem::path& path);

/// Whether an object of this name exists.
bool has(hid_t parent, const std::string& name);

Group open_group(hid_t parent, const std::string& name);

/// The names of all members of the group, in alphabetical order.
std::vector<std::string> names_in(const Group& group);

/// Opens a dataset to read, or to write whole chunks; see create_extensible.
Dataset open_dataset(hid_t parent, const std::string& name);

/// Length of each dimension; empty for a scalar.
std::vector<hsize_t> shape_of(const Dataset& dataset);

/// Length of the first dimension; throws for a scalar.
hsize_t rows_of(const Dataset& dataset);
/// Throws unless the dataset is rows of this shape; `name` is for the message.
void check_shape(const Dataset& dataset, const std::string& name, std::span<const hsize_t> of_row);

/// Reads all numbers; the dataset must have numbers.size() of them.
void read_into(const Dataset& dataset, std::span<double> numbers);

/// Reads the block of `count` elements from `first`; both have one number per dimension. Throws if
/// numbers.size() is not their product, or the dataset is smaller.
void read_block(const Dataset& dataset, std::span<const hsize_t> first,
                std::span<const hsize_t> count, std::span<double> numbers);
/// Rows first, ..., first + count - 1 of a dataset of numbers.
std::vector<double> read_rows(const Dataset& dataset, hsize_t first, hsize_t count);
/// One number of a list of numbers.
double read_number_in_row(const Dataset& dataset, hsize_t row);
std::vector<std::int64_t> read_integers(hid_t object, const std::string& attribute);

std::vector<double> read_vector(hid_t parent, const std::string& name);
std::vector<std::int64_t> read_integer_list(hid_t parent, const std::string& name);
double read_number(hid_t parent, const std::string& name);
/// A scalar fixed-length string of at most 1,000 bytes; empty if the attribute does not exist.
std::string read_text_attribute(hid_t object, const std::string& name);
/// A scalar fixed-length string.
std::string read_text(hid_t parent, const std::string& name);

}  // namespace beadwave::io::hdf5

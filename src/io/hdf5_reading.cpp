#include "beadwave/io/hdf5_reading.hpp"

#include <fmt/format.h>

#include <functional>
#include <numeric>
#include <stdexcept>

namespace beadwave::io::hdf5 {

File open_to_read(const std::filesystem::path& path) {
    return File(checked("open", "the HDF5 file",
                        [&] { return H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT); }));
}

Group open_group(hid_t parent, const std::string& name) {
    return Group(
        checked("open group", name, [&] { return H5Gopen2(parent, name.c_str(), H5P_DEFAULT); }));
}

Dataset open_dataset(hid_t parent, const std::string& name) {
    const PropertyList access(checked("create a", "property list",
                                      [] { return H5Pcreate(H5P_DATASET_ACCESS); }));
    checked("set", "chunk cache", [&] { return H5Pset_chunk_cache(access.id(), 0, 0, 0.0); });
    return Dataset(checked("open dataset", name,
                           [&] { return H5Dopen2(parent, name.c_str(), access.id()); }));
}

std::vector<hsize_t> shape_of(const Dataset& dataset) {
    const Space space(checked("open", "dataspace", [&] { return H5Dget_space(dataset.id()); }));
    const int rank =
        checked("get", "rank", [&] { return H5Sget_simple_extent_ndims(space.id()); });
    std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
    checked("get", "shape",
            [&] { return H5Sget_simple_extent_dims(space.id(), shape.data(), nullptr); });
    return shape;
}

void read_into(const Dataset& dataset, std::span<double> numbers) {
    const std::vector<hsize_t> shape = shape_of(dataset);
    const hsize_t count =
        std::accumulate(shape.begin(), shape.end(), hsize_t{1}, std::multiplies<>());
    if (count != numbers.size()) {
        throw std::runtime_error(
            fmt::format("a dataset has {} numbers, not {}", count, numbers.size()));
    }
    checked("read", "dataset", [&] {
        return H5Dread(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                       numbers.data());
    });
}

std::vector<double> read_vector(hid_t parent, const std::string& name) {
    const Dataset dataset = open_dataset(parent, name);
    const std::vector<hsize_t> shape = shape_of(dataset);
    if (shape.size() != 1) throw std::runtime_error(name + " is not a list of numbers");
    // Before memory is asked for what no file holds. Nothing here is compressed.
    if (shape.front() > H5Dget_storage_size(dataset.id()))
        throw std::runtime_error(name + " is not as long as it says");
    std::vector<double> numbers(shape.front());
    read_into(dataset, numbers);
    return numbers;
}

double read_number(hid_t parent, const std::string& name) {
    double number = 0.0;
    read_into(open_dataset(parent, name), {&number, 1});
    return number;
}

std::string read_text(hid_t parent, const std::string& name) {
    const Dataset dataset = open_dataset(parent, name);
    const Type type(checked("get type of", name, [&] { return H5Dget_type(dataset.id()); }));
    const bool fixed_length = H5Tget_class(type.id()) == H5T_STRING && H5Tis_variable_str(type.id()) == 0;
    if (!fixed_length || !shape_of(dataset).empty()) throw std::runtime_error(name + " is not a text");
    std::string text(H5Tget_size(type.id()), '\0');
    checked("read", name, [&] {
        return H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data());
    });
    return text.substr(0, text.find('\0'));
}

}  // namespace beadwave::io::hdf5

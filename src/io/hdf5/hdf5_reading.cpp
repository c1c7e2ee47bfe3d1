#include "io/hdf5/hdf5_reading.hpp"

#include "io/durable/hdf5_driver.hpp"
#include "io/hdf5/dataset_access.hpp"
#include "io/hdf5/hdf5_validation.hpp"
#include "io/hdf5/simple_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace beadwave::io::hdf5 {

namespace {

/// The datasets of a growing history may exceed what is on the disk by this [bytes].
constexpr hsize_t ahead_of_disk = hsize_t{16} << 20;
/// HDF5 reads metadata again if their checksum is wrong, because they are just being written. It
/// waits twice as long each time, starting from a nanosecond: 17 ms in total. Its default is 100
/// attempts.
constexpr unsigned read_attempts = 24;

}  // namespace

File open_to_read(const std::filesystem::path& path) {
    check_beginning(path);
    File file(checked("open", "the HDF5 file",
                      [&] { return H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT); }));
    check_structure(file);
    return file;
}

File open_while_growing(const std::filesystem::path& path) {
    check_beginning(path);
    const PropertyList access(
        checked("create a", "property list", [] { return H5Pcreate(H5P_FILE_ACCESS); }));
    checked("set", "read attempts",
            [&] { return H5Pset_metadata_read_attempts(access.id(), read_attempts); });
    // The writer holds a lock that HDF5 does not know.
    checked("set", "file locking",
            [&] { return H5Pset_file_locking(access.id(), /*use=*/false, /*best_effort=*/true); });
    File file(checked("open", "the HDF5 file", [&] {
        return H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.id());
    }));
    check_structure(file, ahead_of_disk);
    return file;
}

void check_file(const std::filesystem::path& path) {
    check_beginning(path);
    const PropertyList access(
        checked("create a", "property list", [] { return H5Pcreate(H5P_FILE_ACCESS); }));
    checked("set", "read attempts",
            [&] { return H5Pset_metadata_read_attempts(access.id(), read_attempts); });
    // HDF5 shares what two openings of a file know only between openings with one driver.
    use_driver(access, nullptr);
    const auto check_as = [&](unsigned how, hsize_t spare) {
        const File file(checked("open", "the HDF5 file",
                                [&] { return H5Fopen(path.c_str(), how, access.id()); }));
        check_structure(file, spare);
    };
    try {
        check_as(H5F_ACC_RDONLY, 0);
    } catch (const std::runtime_error&) {
        check_as(H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, ahead_of_disk);  // or throws
    }
}

bool has(hid_t parent, const std::string& name) {
    const Silence silence;
    for (std::size_t end = 0;
         end != std::string::npos;) {  // each group of the path must be checked
        end = name.find('/', end + 1);
        if (H5Lexists(parent, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    }
    return true;
}

Group open_group(hid_t parent, const std::string& name) {
    return Group(
        checked("open group", name, [&] { return H5Gopen2(parent, name.c_str(), H5P_DEFAULT); }));
}

Dataset open_dataset(hid_t parent, const std::string& name) {
    return Dataset(checked("open dataset", name,
                           [&] { return H5Dopen2(parent, name.c_str(), without_chunk_cache()); }));
}

std::vector<std::string> names_in(const Group& group) {
    std::vector<std::string> names;
    const auto add = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
        static_cast<std::vector<std::string>*>(list)->emplace_back(name);
        return 0;
    };
    checked("list", "a group", [&] {
        return H5Literate(group.id(), H5_INDEX_NAME, order_of_file, nullptr, add, &names);
    });
    std::ranges::sort(names);
    return names;
}

std::vector<hsize_t> shape_of(const Dataset& dataset) {
    const Space space(checked("open", "dataspace", [&] { return H5Dget_space(dataset.id()); }));
    const int rank = checked("get", "rank", [&] { return H5Sget_simple_extent_ndims(space.id()); });
    std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
    checked("get", "shape",
            [&] { return H5Sget_simple_extent_dims(space.id(), shape.data(), nullptr); });
    return shape;
}

hsize_t rows_of(const Dataset& dataset) {
    const std::vector<hsize_t> shape = shape_of(dataset);
    if (shape.empty()) throw std::runtime_error("a dataset is a scalar, not rows of numbers");
    return shape.front();
}

void check_shape(const Dataset& dataset, const std::string& name, std::span<const hsize_t> of_row) {
    const std::vector<hsize_t> shape = shape_of(dataset);
    if (shape.empty() || !std::equal(shape.begin() + 1, shape.end(), of_row.begin(), of_row.end()))
        throw std::runtime_error(name + " does not have the shape of a history's dataset");
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

void read_block(const Dataset& dataset, std::span<const hsize_t> first,
                std::span<const hsize_t> count, std::span<double> numbers) {
    const hsize_t product =
        std::accumulate(count.begin(), count.end(), hsize_t{1}, std::multiplies<>());
    if (first.size() != count.size() || product != numbers.size())
        throw std::runtime_error("a block of a dataset has another shape than expected");
    const Space file(checked("open", "dataspace", [&] { return H5Dget_space(dataset.id()); }));
    const Space memory = simple_space(count);
    checked("select", "rows", [&] {
        return H5Sselect_hyperslab(file.id(), H5S_SELECT_SET, first.data(), nullptr, count.data(),
                                   nullptr);
    });
    checked("read", "dataset", [&] {
        return H5Dread(dataset.id(), H5T_NATIVE_DOUBLE, memory.id(), file.id(), H5P_DEFAULT,
                       numbers.data());
    });
}

std::vector<double> read_rows(const Dataset& dataset, hsize_t first, hsize_t count) {
    std::vector<hsize_t> block = shape_of(dataset), corner(block.size(), 0);
    if (block.empty() || first > block[0] || count > block[0] - first)
        throw std::runtime_error("a dataset has fewer rows than the datasets that belong to it");
    corner[0] = first;
    block[0] = count;
    std::vector<double> numbers(
        std::accumulate(block.begin(), block.end(), std::size_t{1}, std::multiplies<>()));
    read_block(dataset, corner, block, numbers);
    return numbers;
}

double read_number_in_row(const Dataset& dataset, hsize_t row) {
    const std::vector<double> numbers = read_rows(dataset, row, 1);
    if (numbers.size() != 1) throw std::runtime_error("a row does not have exactly one number");
    return numbers.front();
}

std::vector<std::int64_t> read_integers(hid_t object, const std::string& attribute) {
    const Attribute data(checked("open attribute", attribute,
                                 [&] { return H5Aopen(object, attribute.c_str(), H5P_DEFAULT); }));
    const Space space(checked("open", "dataspace", [&] { return H5Aget_space(data.id()); }));
    const hssize_t count =
        checked("get", "length", [&] { return H5Sget_simple_extent_npoints(space.id()); });
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
    checked("read attribute", attribute,
            [&] { return H5Aread(data.id(), H5T_NATIVE_INT64, numbers.data()); });
    return numbers;
}

namespace {

std::size_t length_of_list(const Dataset& dataset, const std::string& name) {
    const std::vector<hsize_t> shape = shape_of(dataset);
    if (shape.size() != 1) throw std::runtime_error(name + " is not a list of numbers");
    // Checked before memory is allocated for it. Nothing is compressed.
    if (shape.front() > H5Dget_storage_size(dataset.id()))
        throw std::runtime_error(name + " is shorter than its shape");
    return shape.front();
}

}  // namespace

std::vector<double> read_vector(hid_t parent, const std::string& name) {
    const Dataset dataset = open_dataset(parent, name);
    std::vector<double> numbers(length_of_list(dataset, name));
    read_into(dataset, numbers);
    return numbers;
}

std::vector<std::int64_t> read_integer_list(hid_t parent, const std::string& name) {
    const Dataset dataset = open_dataset(parent, name);
    std::vector<std::int64_t> numbers(length_of_list(dataset, name));
    checked("read", name, [&] {
        return H5Dread(dataset.id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                       numbers.data());
    });
    return numbers;
}

double read_number(hid_t parent, const std::string& name) {
    double number = 0.0;
    read_into(open_dataset(parent, name), {&number, 1});
    return number;
}

std::string read_text_attribute(hid_t object, const std::string& name) {
    constexpr std::size_t longest = 1000;
    const Silence silence;
    if (H5Aexists(object, name.c_str()) <= 0) return {};
    const Attribute attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT));
    const Type type(H5Aget_type(attribute.id()));
    const Space space(H5Aget_space(attribute.id()));
    const bool one_text = H5Tget_class(type.id()) == H5T_STRING &&
                          H5Tis_variable_str(type.id()) == 0 &&
                          H5Sget_simple_extent_npoints(space.id()) == 1;
    if (!one_text || H5Tget_size(type.id()) > longest) return {};
    std::string text(H5Tget_size(type.id()), '\0');
    if (H5Aread(attribute.id(), type.id(), text.data()) < 0) return {};
    return text.substr(0, text.find('\0'));
}

std::string read_text(hid_t parent, const std::string& name) {
    const Dataset dataset = open_dataset(parent, name);
    const Type type(checked("get type of", name, [&] { return H5Dget_type(dataset.id()); }));
    const bool fixed_length =
        H5Tget_class(type.id()) == H5T_STRING && H5Tis_variable_str(type.id()) == 0;
    if (!fixed_length || !shape_of(dataset).empty())
        throw std::runtime_error(name + " is not a text");
    std::string text(H5Tget_size(type.id()), '\0');
    checked("read", name, [&] {
        return H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data());
    });
    return text.substr(0, text.find('\0'));
}

}  // namespace beadwave::io::hdf5

#include "altered_file.hpp"

#include <array>

namespace beadwave::fuzz {
namespace {

using namespace beadwave::io;

/// The names of all groups and datasets, in HDF5's order, without the root.
std::vector<std::string> names_in(hid_t file) {
    std::vector<std::string> names;
    const auto add = [](hid_t, const char* name, const H5O_info_t*, void* into) -> herr_t {
        if (std::string_view(name) != ".")
            static_cast<std::vector<std::string>*>(into)->push_back(name);
        return 0;
    };
    H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, add, &names, H5O_INFO_BASIC);
    return names;
}

/// Relevant sizes: none, one, about the original, and more than any memory.
hsize_t extent(Bytes& choices) {
    constexpr std::array<hsize_t, 12> sizes = {
        0, 1, 2, 3, 4, 5, 7, 40, 1000, 1 << 20, hsize_t{1} << 40, hsize_t{1} << 61};
    return sizes[choices.below(sizes.size())];
}

hdf5::Type type(Bytes& choices) {
    switch (choices.below(8)) {
        case 0: {
            hdf5::Type text(H5Tcopy(H5T_C_S1));
            H5Tset_size(text.id(), 1 + choices.below(64));
            return text;
        }
        case 1: {
            hdf5::Type text(H5Tcopy(H5T_C_S1));
            H5Tset_size(text.id(), H5T_VARIABLE);
            return text;
        }
        case 2: {
            hdf5::Type pair(H5Tcreate(H5T_COMPOUND, 16));
            H5Tinsert(pair.id(), "a", 0, H5T_NATIVE_DOUBLE);
            H5Tinsert(pair.id(), "b", 8, H5T_NATIVE_INT64);
            return pair;
        }
        case 3:
            return hdf5::Type(H5Tcopy(H5T_NATIVE_INT64));
        case 4:
            return hdf5::Type(H5Tcopy(H5T_NATIVE_INT8));
        case 5:
            return hdf5::Type(H5Tcopy(H5T_NATIVE_FLOAT));
        default:
            return hdf5::Type(H5Tcopy(H5T_NATIVE_DOUBLE));
    }
}

/// Replaces a dataset by another one of this name, with content if it is small.
void replace_by_dataset(hid_t file, const std::string& name, Bytes& choices) {
    const std::size_t rank = choices.below(4);
    std::array<hsize_t, 3> shape{}, chunk{1, 1, 1};
    hsize_t count = 1;
    for (std::size_t d = 0; d < rank; ++d) {
        shape[d] = extent(choices);
        count = count > 4096 || shape[d] > 4096 ? 5000 : count * shape[d];
    }
    const hdf5::Type stored = type(choices);
    const auto dimensions = static_cast<int>(rank);
    const hdf5::Space space(rank == 0 ? H5Screate(H5S_SCALAR)
                                      : H5Screate_simple(dimensions, shape.data(), nullptr));
    const hdf5::PropertyList creation(H5Pcreate(H5P_DATASET_CREATE));
    const bool small = count <= 4096;
    if (!small) {  // uses no space until it is written
        if (rank > 0) H5Pset_chunk(creation.id(), dimensions, chunk.data());
    }
    H5Ldelete(file, name.c_str(), H5P_DEFAULT);
    const hdf5::Dataset dataset(H5Dcreate2(file, name.c_str(), stored.id(), space.id(), H5P_DEFAULT,
                                           creation.id(), H5P_DEFAULT));
    if (!small || H5Tget_class(stored.id()) == H5T_STRING) return;
    std::vector<std::uint8_t> content(count * H5Tget_size(stored.id()));
    const auto given = choices.take(content.size());
    std::copy(given.begin(), given.end(), content.begin());
    H5Dwrite(dataset.id(), stored.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, content.data());
}

void replace_by_text(hid_t file, const std::string& name, Bytes& choices) {
    const auto text = choices.take(choices.number<std::uint16_t>() % 2048);
    H5Ldelete(file, name.c_str(), H5P_DEFAULT);
    hdf5::write_text(file, name, std::string(text.begin(), text.end()));
}

/// Overwrites one number of a dataset of numbers.
void overwrite(hid_t file, const std::string& name, Bytes& choices) {
    const hdf5::Dataset dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT));
    const hdf5::Space space(H5Dget_space(dataset.id()));
    const hdf5::Type stored(H5Dget_type(dataset.id()));
    const hssize_t count = H5Sget_simple_extent_npoints(space.id());
    if (count < 1 || count > 4096 || H5Tget_class(stored.id()) == H5T_STRING) return;
    std::vector<double> numbers(static_cast<std::size_t>(count));
    H5Dread(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
    numbers[choices.below(numbers.size())] = choices.number<double>();
    H5Dwrite(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
}

void alter(hid_t file, Bytes& choices) {
    const std::vector<std::string> names = names_in(file);
    if (names.empty()) return;
    const std::string& name = names[choices.below(names.size())];
    switch (choices.below(8)) {
        case 0:
            H5Ldelete(file, name.c_str(), H5P_DEFAULT);
            break;
        case 1:
            replace_by_text(file, name, choices);
            break;
        case 2: {
            H5Ldelete(file, name.c_str(), H5P_DEFAULT);
            const hdf5::Group group(
                H5Gcreate2(file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
            break;
        }
        case 3: {
            const std::string& other = names[choices.below(names.size())];
            if (other.starts_with(name)) break;  // a group within itself has no end
            H5Ldelete(file, name.c_str(), H5P_DEFAULT);
            H5Lcreate_hard(file, other.c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
            break;
        }
        case 4:
        case 5:
            replace_by_dataset(file, name, choices);
            break;
        default:
            overwrite(file, name, choices);
            break;
    }
}

}  // namespace

Image altered(const Image& original, std::size_t user_block, Bytes& choices) {
    const hdf5::Silence silence;
    const hdf5::PropertyList access(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_fapl_core(access.id(), std::size_t{1} << 16, false);
    H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V110);
    Image image(original);
    H5Pset_file_image(access.id(), image.data(), image.size());
    const hdf5::File file(H5Fopen("altered", H5F_ACC_RDWR, access.id()));
    for (int i = 0; i < 4 && !choices.empty(); ++i)
        alter(file.id(), choices);
    H5Fflush(file.id(), H5F_SCOPE_LOCAL);
    const ssize_t size = H5Fget_file_image(file.id(), nullptr, 0);
    if (size <= 0) return original;
    image.assign(user_block + static_cast<std::size_t>(size), 0);
    H5Fget_file_image(file.id(), image.data() + user_block, static_cast<std::size_t>(size));
    return image;
}

}  // namespace beadwave::fuzz

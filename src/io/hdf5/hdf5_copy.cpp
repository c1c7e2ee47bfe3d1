// Copying what an HDF5 file holds. H5Ocopy would do, but HDF5 1.10.8 cannot use it on a file that
// others read while it is written: "ring type mismatch occurred for cache entry".
#include "io/hdf5/hdf5_reading.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <vector>

namespace beadwave::io::hdf5 {
namespace {

/// Bytes copied at a time, unless a chunk has more.
constexpr std::size_t piece_bytes = std::size_t{1} << 20;

hsize_t product(const std::vector<hsize_t>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), hsize_t{1}, std::multiplies<>());
}

/// Length of each dimension of a chunk; none if the dataset has no chunks.
std::vector<hsize_t> chunk_of(const Dataset& dataset) {
    const PropertyList creation(
        checked("get", "layout", [&] { return H5Dget_create_plist(dataset.id()); }));
    if (H5Pget_layout(creation.id()) != H5D_CHUNKED) return {};
    std::vector<hsize_t> chunk(shape_of(dataset).size());
    checked("get", "chunk size", [&] {
        return H5Pget_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data());
    });
    return chunk;
}

/// Pieces of whole chunks; of a vector that has none, a stretch.
std::vector<hsize_t> piece_of(const Dataset& dataset, const std::vector<hsize_t>& shape,
                              std::size_t number_bytes) {
    std::vector<hsize_t> piece = chunk_of(dataset);
    if (!piece.empty()) {
        piece[0] *= std::max<std::size_t>(1, piece_bytes / (product(piece) * number_bytes));
    } else {
        piece = shape;
        if (piece.size() == 1) piece[0] = std::max<std::size_t>(1, piece_bytes / number_bytes);
    }
    return piece;
}

/// The same chunks. Not the source's own list: it asks for the source's version of HDF5.
PropertyList layout_like(const Dataset& dataset) {
    PropertyList creation(
        checked("create a", "property list", [] { return H5Pcreate(H5P_DATASET_CREATE); }));
    const std::vector<hsize_t> chunk = chunk_of(dataset);
    if (!chunk.empty()) {
        checked("set", "chunk size", [&] {
            return H5Pset_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data());
        });
        checked("set", "fill time",
                [&] { return H5Pset_fill_time(creation.id(), H5D_FILL_TIME_NEVER); });
    }
    return creation;
}

/// The next corner, last dimension first; false after the last one.
bool step_on(std::vector<hsize_t>& corner, const std::vector<hsize_t>& piece,
             const std::vector<hsize_t>& shape) {
    for (std::size_t d = corner.size(); d-- > 0;) {
        corner[d] += piece[d];
        if (corner[d] < shape[d]) return true;
        corner[d] = 0;
    }
    return false;
}

void copy_numbers(const Dataset& from, const Dataset& to, hid_t type) {
    const std::vector<hsize_t> shape = shape_of(from);
    if (product(shape) == 0) return;
    const std::size_t number_bytes = H5Tget_size(type);
    const std::vector<hsize_t> piece = piece_of(from, shape, number_bytes);
    const Space whole(checked("open", "dataspace", [&] { return H5Dget_space(from.id()); }));
    const int rank = static_cast<int>(shape.size());
    std::vector<char> numbers;
    std::vector<hsize_t> corner(shape.size(), 0), count = shape;
    do {
        for (std::size_t d = 0; d < shape.size(); ++d)
            count[d] = std::min(piece[d], shape[d] - corner[d]);
        numbers.resize(product(count) * number_bytes);
        const Space memory(checked("create a", "dataspace", [&] {
            return rank == 0 ? H5Screate(H5S_SCALAR)
                             : H5Screate_simple(rank, count.data(), nullptr);
        }));
        if (rank > 0) {
            checked("select", "block", [&] {
                return H5Sselect_hyperslab(whole.id(), H5S_SELECT_SET, corner.data(), nullptr,
                                           count.data(), nullptr);
            });
        }
        checked("read", "dataset", [&] {
            return H5Dread(from.id(), type, memory.id(), whole.id(), H5P_DEFAULT, numbers.data());
        });
        checked("write", "dataset", [&] {
            return H5Dwrite(to.id(), type, memory.id(), whole.id(), H5P_DEFAULT, numbers.data());
        });
    } while (step_on(corner, piece, shape));
}

class Copier {
  public:
    Copier(const File& from, const File& to) : from_(from.id()), to_(to.id()) {}

    /// An object and all below it, by its path.
    void copy(const std::string& path) {
        H5O_info_t info;
        checked("look at", path, [&] {
            return H5Oget_info_by_name2(from_, path.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT);
        });
        const auto earlier = copied_.try_emplace(info.addr, path);
        if (!earlier.second) {
            checked("link", path, [&] {
                return H5Lcreate_hard(to_, earlier.first->second.c_str(), to_, path.c_str(),
                                      H5P_DEFAULT, H5P_DEFAULT);
            });
        } else if (info.type == H5O_TYPE_GROUP) {
            copy_group(path);
        } else {
            copy_dataset(path);
        }
    }

  private:
    void copy_group(const std::string& path) {
        const Group from = open_group(from_, path);
        copy_attributes(from.id(), create_group(to_, path).id());
        H5G_info_t info;
        checked("look at", path, [&] { return H5Gget_info(from.id(), &info); });
        for (hsize_t i = 0; i < info.nlinks; ++i)
            copy(path + "/" + name_of(from.id(), i));
    }

    static std::string name_of(hid_t group, hsize_t index) {
        const auto get = [&](char* name, std::size_t size) {
            return checked("list", "a group", [&] {
                return H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, index, name, size,
                                          H5P_DEFAULT);
            });
        };
        std::string name(static_cast<std::size_t>(get(nullptr, 0)), '\0');
        get(name.data(), name.size() + 1);
        return name;
    }

    void copy_dataset(const std::string& path) {
        const Dataset from = open_dataset(from_, path);
        const Type type(checked("get type of", path, [&] { return H5Dget_type(from.id()); }));
        const Space space(checked("open", "dataspace", [&] { return H5Dget_space(from.id()); }));
        const PropertyList creation = layout_like(from);
        const PropertyList access(
            checked("get access of", path, [&] { return H5Dget_access_plist(from.id()); }));
        const Dataset to(checked("create dataset", path, [&] {
            return H5Dcreate2(to_, path.c_str(), type.id(), space.id(), H5P_DEFAULT, creation.id(),
                              access.id());
        }));
        copy_attributes(from.id(), to.id());
        copy_numbers(from, to, type.id());
    }

    static void copy_attributes(hid_t from, hid_t to) {
        hsize_t next = 0;
        checked("list", "attributes", [&] {
            return H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_INC, &next, copy_attribute, &to);
        });
    }

    static herr_t copy_attribute(hid_t from_object, const char* name, const H5A_info_t*,
                                 void* to_object) {
        const Attribute from(H5Aopen(from_object, name, H5P_DEFAULT));
        const Type type(H5Aget_type(from.id()));
        const Space space(H5Aget_space(from.id()));
        const Attribute to(H5Acreate2(*static_cast<hid_t*>(to_object), name, type.id(), space.id(),
                                      H5P_DEFAULT, H5P_DEFAULT));
        const hssize_t count = H5Sget_simple_extent_npoints(space.id());
        if (to.id() < 0 || count < 0) return -1;
        std::vector<char> value(static_cast<std::size_t>(count) * H5Tget_size(type.id()));
        if (H5Aread(from.id(), type.id(), value.data()) < 0) return -1;
        const herr_t written = H5Awrite(to.id(), type.id(), value.data());
        // Reading a text of variable length has made room for it.
        if (H5Tis_variable_str(type.id()) > 0)
            H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, value.data());
        return written;
    }

    hid_t from_, to_;
    std::map<haddr_t, std::string> copied_;  ///< under which name, by the address in the source
};

}  // namespace

void copy_objects(const File& from, std::span<const char* const> names, const File& to) {
    // HDF5 1.10.8 may crash when the disk is full in the middle of it: room for all of it first.
    constexpr hsize_t own_structure = 64 * 1024;
    hsize_t reserved = 0;
    reserve(to, size_of(from) + own_structure, reserved);
    Copier copier(from, to);
    for (const char* name : names)
        copier.copy(name);
    cut_to_size(to, reserved);
}

}  // namespace beadwave::io::hdf5

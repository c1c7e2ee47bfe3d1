#include "io/hdf5/hdf5_validation.hpp"

#include "io/hdf5/hdf5_reading.hpp"
#include "io/hdf5/text_heaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace beadwave::io::hdf5 {
namespace {

constexpr int deepest = 16;  ///< beadwave's own files: 5

[[noreturn]] void refuse(const std::string& path, const char* what) {
    throw std::runtime_error(
        fmt::format("does not have the form of beadwave's files: {} {}", path, what));
}

/// Whether beadwave writes datasets and attributes of this type.
bool is_ours(const Type& type) {
    switch (H5Tget_class(type.id())) {
        case H5T_INTEGER:
        case H5T_FLOAT:
        case H5T_STRING:
        case H5T_ENUM:
            return true;
        default:
            return false;
    }
}

/// Larger than any file; sums and products are limited to this.
constexpr hsize_t endless = hsize_t{1} << 62;

hsize_t times(hsize_t a, hsize_t b) {
    return b != 0 && a > endless / b ? endless : a * b;
}

bool is_of_variable_length(const Type& type) {
    return H5Tget_class(type.id()) == H5T_STRING && H5Tis_variable_str(type.id()) != 0;
}

struct Link {
    std::string name;
    bool hard;
};

class Walk {
  public:
    explicit Walk(hid_t file) : file_(file) {}

    void object(const std::string& path, int depth) {
        H5O_info_t info;
        checked("look at", path, [&] {
            return H5Oget_info_by_name2(file_, path.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT);
        });
        if (!seen_.insert(info.addr).second) return;
        if (info.type == H5O_TYPE_GROUP) {
            group(path, depth);
        } else if (info.type == H5O_TYPE_DATASET) {
            dataset(path);
        } else {
            refuse(path, "is neither a group nor a dataset");
        }
    }

    /// Size of all datasets and attributes; each object is counted once.
    hsize_t bytes() const { return bytes_; }

  private:
    void group(const std::string& path, int depth) {
        if (depth == deepest) refuse(path, "is nested too deeply");
        const Group group = open_group(file_, path);
        attributes(group.id(), path);
        std::vector<Link> links;
        const auto add_link = [](hid_t, const char* name, const H5L_info_t* info, void* list) {
            static_cast<std::vector<Link>*>(list)->push_back({name, info->type == H5L_TYPE_HARD});
            return herr_t{0};
        };
        checked("list", path, [&] {
            return H5Literate(group.id(), H5_INDEX_NAME, order_of_file, nullptr, add_link, &links);
        });
        std::ranges::sort(links, {}, &Link::name);
        for (const Link& link : links) {
            const std::string its_path = (path == "/" ? path : path + "/") + link.name;
            if (!link.hard) refuse(its_path, "is a link that leads elsewhere");
            object(its_path, depth + 1);
        }
    }

    void dataset(const std::string& path) {
        const Dataset dataset = open_dataset(file_, path);
        attributes(dataset.id(), path);
        const Type type(checked("get type of", path, [&] { return H5Dget_type(dataset.id()); }));
        if (!is_ours(type)) refuse(path, "holds neither numbers nor text");
        const PropertyList how(
            checked("get layout of", path, [&] { return H5Dget_create_plist(dataset.id()); }));
        if (H5Pget_external_count(how.id()) != 0) refuse(path, "is stored in another file");
        if (H5Pget_nfilters(how.id()) != 0) refuse(path, "is compressed or filtered");
        const H5D_layout_t layout = H5Pget_layout(how.id());
        if (layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED)
            refuse(path, "has an unknown storage layout");
        hsize_t size = H5Tget_size(type.id());
        std::vector<hsize_t> shape = shape_of(dataset), chunk(shape.size(), 1);
        if (layout == H5D_CHUNKED) {
            checked("get chunk size of", path, [&] {
                return H5Pget_chunk(how.id(), static_cast<int>(chunk.size()), chunk.data());
            });
        }
        // Chunks are stored completely, also those at the edge.
        for (std::size_t d = 0; d < shape.size(); ++d)
            size = times(size, times(shape[d] / chunk[d] + (shape[d] % chunk[d] != 0), chunk[d]));
        add(size);
        if (is_of_variable_length(type)) heaps().check_dataset(dataset, path);
    }

    void attributes(hid_t object, const std::string& path) {
        std::string not_ours;
        std::exception_ptr damage;
        struct Context {
            Walk& walk;
            const std::string& path;
            std::string& not_ours;
            std::exception_ptr& damage;
        } context{*this, path, not_ours, damage};
        const auto check = [](hid_t owner, const char* name, const H5A_info_t* info, void* given) {
            const auto& [walk, where, wrong, thrown] = *static_cast<Context*>(given);
            const Attribute attribute(H5Aopen(owner, name, H5P_DEFAULT));
            const Type type(H5Aget_type(attribute.id()));
            if (attribute.id() < 0 || type.id() < 0) return herr_t{-1};
            if (!is_ours(type)) wrong = name;
            walk.add(info->data_size);
            if (!is_of_variable_length(type)) return herr_t{0};
            try {
                walk.heaps().check_attribute(attribute.id(), where + ": " + name);
            } catch (...) {  // no exception may pass through HDF5
                thrown = std::current_exception();
                return herr_t{-1};
            }
            return herr_t{0};
        };
        hsize_t next = 0;
        const Silence silence;
        const herr_t listed =
            H5Aiterate2(object, H5_INDEX_NAME, order_of_file, &next, check, &context);
        if (damage) std::rethrow_exception(damage);
        if (listed < 0) fail("list the attributes of", path);
        if (!not_ours.empty()) refuse(path, "has an attribute that is neither numbers nor text");
    }

    TextHeaps& heaps() {
        if (!heaps_) heaps_.emplace(file_);
        return *heaps_;
    }

    void add(hsize_t size) { bytes_ = size > endless - bytes_ ? endless : bytes_ + size; }

    hid_t file_;
    std::set<haddr_t> seen_;
    std::optional<TextHeaps> heaps_;
    hsize_t bytes_ = 0;
};

}  // namespace

void check_regular(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found)
        throw std::runtime_error("no such file");
    if (error) throw std::runtime_error(fmt::format("cannot be read: {}", error.message()));
    if (!std::filesystem::is_regular_file(status))
        throw std::runtime_error("is not a regular file");
}

void check_structure(const File& file, hsize_t spare) {
    Walk walk(file.id());
    walk.object("/", 0);
    const hsize_t size = size_of(file);
    if (walk.bytes() > size + spare) {
        throw std::runtime_error(fmt::format(
            "does not have the form of beadwave's files: its datasets need {} bytes, and "
            "it has {}",
            walk.bytes(), size));
    }
}

void check_chunks(const File& file) {
    std::vector<std::string> datasets;
    const auto add = [](hid_t, const char* name, const H5O_info_t* info, void* list) -> herr_t {
        if (info->type == H5O_TYPE_DATASET)
            static_cast<std::vector<std::string>*>(list)->emplace_back(name);
        return 0;
    };
    checked("list", "its datasets", [&] {
        return H5Ovisit2(file.id(), H5_INDEX_NAME, order_of_file, add, &datasets, H5O_INFO_BASIC);
    });
    for (const std::string& name : datasets) {
        const Dataset dataset = open_dataset(file.id(), name);
        const PropertyList how(
            checked("get layout of", name, [&] { return H5Dget_create_plist(dataset.id()); }));
        if (H5Pget_layout(how.id()) != H5D_CHUNKED) continue;
        const Space space(
            checked("open dataspace of", name, [&] { return H5Dget_space(dataset.id()); }));
        hsize_t chunks = 0;
        checked("find the chunks of", name,
                [&] { return H5Dget_num_chunks(dataset.id(), space.id(), &chunks); });
    }
}

}  // namespace beadwave::io::hdf5

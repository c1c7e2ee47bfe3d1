#include "io/hdf5/hdf5.hpp"

#include "io/hdf5/dataset_access.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace beadwave::io::hdf5 {
namespace {

/// At exit HDF5 would try to complete abandoned files after all: that ruins them, and can crash.
/// This works only before any other call to HDF5.
[[maybe_unused]] const herr_t no_cleanup_at_exit = H5dont_atexit();

/// Keeps the description of the first error walked to: the innermost one, walking upwards.
herr_t keep_innermost(unsigned position, const H5E_error2_t* error, void* reason) {
    if (position == 0 && error->desc != nullptr) *static_cast<std::string*>(reason) = error->desc;
    return 0;
}

std::string innermost_reason() {
    std::string reason;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &reason);
    // A failed system call is described with time, descriptor, buffer and so on; a person needs
    // only the system's own words.
    constexpr std::string_view opening = "error message = '";
    const std::size_t start = reason.find(opening);
    if (start == std::string::npos) return reason.empty() ? "no reason given by HDF5" : reason;
    const std::size_t text = start + opening.size();
    return reason.substr(text, reason.find('\'', text) - text);
}

Space simple_space(std::span<const hsize_t> shape, const hsize_t* largest = nullptr) {
    const int rank = static_cast<int>(shape.size());
    return Space(checked("create a", "dataspace", [&] {
        return rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, shape.data(), largest);
    }));
}

PropertyList property_list(hid_t kind) {
    return PropertyList(checked("create a", "property list", [&] { return H5Pcreate(kind); }));
}

H5T_cset_t character_set(const std::string& text) {
    const bool ascii = std::all_of(text.begin(), text.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 128; });
    return ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8;
}

/// Strings of at most `length` bytes and a terminating zero, so that C programs can read them.
Type text_type(std::size_t length, H5T_cset_t characters) {
    Type type(checked("create a", "string type", [] { return H5Tcopy(H5T_C_S1); }));
    checked("set", "string length", [&] { return H5Tset_size(type.id(), length + 1); });
    checked("set", "character set", [&] { return H5Tset_cset(type.id(), characters); });
    return type;
}

/// Texts in cells of equal width, zero-padded.
struct Cells {
    Type type;
    std::string packed;
};

Cells in_cells(std::span<const std::string> texts) {
    std::size_t length = 0;
    for (const std::string& text : texts)
        length = std::max(length, text.size());
    std::string packed;
    for (const std::string& text : texts) {
        packed.append(text).append(length + 1 - text.size(), '\0');
    }
    Type type = text_type(length, character_set(packed));
    return {std::move(type), std::move(packed)};
}

void write_attribute(hid_t object, const std::string& name, hid_t type,
                     std::span<const hsize_t> shape, const void* data) {
    // Above 64 KiB HDF5 keeps attributes in a heap, in which it has lost and hung on large ones.
    constexpr std::size_t most_bytes = 60'000;
    const Space space = simple_space(shape);
    const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id()));
    if (count * H5Tget_size(type) > most_bytes)
        throw std::runtime_error("cannot create attribute " + name + ": it is too long");
    const Attribute attribute(checked("create attribute", name, [&] {
        return H5Acreate2(object, name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT);
    }));
    checked("write attribute", name, [&] { return H5Awrite(attribute.id(), type, data); });
}

int descriptor_of(const File& file) {
    void* descriptor = nullptr;
    checked("get", "file descriptor",
            [&] { return H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &descriptor); });
    return *static_cast<int*>(descriptor);
}

}  // namespace

Silence::Silence() {
    H5Eget_auto2(H5E_DEFAULT, &printer_, &stream_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Silence::~Silence() {
    H5Eset_auto2(H5E_DEFAULT, printer_, stream_);
}

void fail(std::string_view action, std::string_view name) {
    std::string message = "cannot ";
    message.append(action).append(" ").append(name).append(": ").append(innermost_reason());
    throw std::runtime_error(message);
}

template <>
hid_t type_of<int>() {
    return H5T_NATIVE_INT;
}
template <>
hid_t type_of<std::int64_t>() {
    return H5T_NATIVE_INT64;
}
template <>
hid_t type_of<double>() {
    return H5T_NATIVE_DOUBLE;
}

namespace {

enum class Lock { by_hdf5, by_caller };

PropertyList access_to(H5F_libver_t version, Lock lock) {
    PropertyList access = property_list(H5P_FILE_ACCESS);
    checked("set", "file version",
            [&] { return H5Pset_libver_bounds(access.id(), version, version); });
    // Some network file systems know no locks; that is no reason to refuse the run.
    checked("set", "file locking", [&] {
        return H5Pset_file_locking(access.id(), lock == Lock::by_hdf5, /*best_effort=*/true);
    });
    return access;
}

File create(const std::filesystem::path& path, hsize_t user_block, const PropertyList& access) {
    const PropertyList creation = property_list(H5P_FILE_CREATE);
    checked("set", "user block", [&] { return H5Pset_userblock(creation.id(), user_block); });
    return File(checked("create", "the HDF5 file", [&] {
        return H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.id(), access.id());
    }));
}

/// What would stand in a file that `fill` has filled.
std::string image_of(const std::function<void(const File&)>& fill, H5F_libver_t version) {
    constexpr std::size_t grows_by = 4096;
    const PropertyList access = access_to(version, Lock::by_caller);
    checked("keep", "the file in memory",
            [&] { return H5Pset_fapl_core(access.id(), grows_by, /*backing_store=*/false); });
    const File file = create("in memory", 0, access);
    fill(file);
    flush(file);
    const auto size =
        checked("get", "the file's size", [&] { return H5Fget_file_image(file.id(), nullptr, 0); });
    std::string image(static_cast<std::size_t>(size), '\0');
    checked("get", "the file's bytes",
            [&] { return H5Fget_file_image(file.id(), image.data(), image.size()); });
    unmark_image(image);  // HDF5 1.10.8 does that, and leaves a wrong checksum
    return image;
}

/// In one call, so that a killed process has written all of it or nothing.
void write_at_once(const std::filesystem::path& path, const std::string& bytes) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const ssize_t written = descriptor < 0 ? -1 : ::write(descriptor, bytes.data(), bytes.size());
    const int error = written < 0 ? errno : ENOSPC;
    if (descriptor >= 0) ::close(descriptor);
    if (written == static_cast<ssize_t>(bytes.size())) return;
    throw std::runtime_error("cannot create the file: " + std::generic_category().message(error));
}

}  // namespace

File create_file(const std::filesystem::path& path, hsize_t user_block) {
    // 1.8: old enough for every reader.
    return create(path, user_block, access_to(H5F_LIBVER_V18, Lock::by_hdf5));
}

File create_file_to_share(const std::filesystem::path& path,
                          const std::function<void(const File&)>& head) {
    constexpr auto version = H5F_LIBVER_V110;
    write_at_once(path, image_of(head, version));
    const PropertyList access = access_to(version, Lock::by_caller);
    return File(checked("create", "the HDF5 file",
                        [&] { return H5Fopen(path.c_str(), H5F_ACC_RDWR, access.id()); }));
}

void let_readers_in(const File& file) {
    checked("share", "the file", [&] { return H5Fstart_swmr_write(file.id()); });
}

hsize_t size_of(const File& file) {
    hsize_t size = 0;
    checked("get", "file size", [&] { return H5Fget_filesize(file.id(), &size); });
    return size;
}

void reserve(const File& file, hsize_t size, hsize_t& reserved) {
#ifdef __linux__
    if (size <= reserved) return;
    const auto begin = static_cast<off_t>(reserved), length = static_cast<off_t>(size - reserved);
    if (::fallocate(descriptor_of(file), 0, begin, length) == 0) {
        reserved = size;
    } else if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) {
        throw std::runtime_error("cannot extend the file: " +
                                 std::generic_category().message(errno));
    }  // else the file system cannot reserve
#else
    static_cast<void>(file);
    static_cast<void>(size);
    static_cast<void>(reserved);
#endif
}

void reserve(const File& file, hsize_t& reserved) {
    reserve(file, size_of(file), reserved);
}

void cut_to_size(const File& file, hsize_t& reserved) {
    reserve(file, size_of(file), reserved);
    flush(file);
    const hsize_t size = size_of(file);  // only now do parts of large groups have their place
    if (reserved > size && ::ftruncate(descriptor_of(file), static_cast<off_t>(size)) != 0)
        throw std::runtime_error("cannot cut the file: " + std::generic_category().message(errno));
}

void flush(const File& file) {
    checked("flush", "the file", [&] { return H5Fflush(file.id(), H5F_SCOPE_LOCAL); });
}

void flush(const Dataset& dataset) {
    checked("flush", "dataset", [&] { return H5Dflush(dataset.id()); });
}

void close(File& file) {
    checked("close", "the file", [&] { return H5Fclose(file.release()); });
}

void abandon(File& file) {
    file.release();
}

Group create_group(hid_t parent, const std::string& name) {
    // The names stand in the group's own header, however many: the heaps of a group of more than
    // eight would take room that is not asked for before the flush.
    const PropertyList creation = property_list(H5P_GROUP_CREATE);
    checked("set", "group size",
            [&] { return H5Pset_link_phase_change(creation.id(), 1000, 1000); });
    return Group(checked("create group", name, [&] {
        return H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, creation.id(), H5P_DEFAULT);
    }));
}

Dataset create_dataset(hid_t parent, const std::string& name, hid_t type,
                       std::span<const hsize_t> shape) {
    const Space space = simple_space(shape);
    return Dataset(checked("create dataset", name, [&] {
        return H5Dcreate2(parent, name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT,
                          H5P_DEFAULT);
    }));
}

hid_t without_chunk_cache() {
    static const hid_t shared = [] {
        PropertyList access = property_list(H5P_DATASET_ACCESS);
        checked("set", "chunk cache", [&] { return H5Pset_chunk_cache(access.id(), 0, 0, 0.0); });
        return access.release();
    }();
    return shared;
}

Dataset create_extensible(hid_t parent, const std::string& name, hid_t type,
                          std::span<const hsize_t> chunk, std::span<const hsize_t> shape) {
    std::vector<hsize_t> now(shape.begin(), shape.end());
    std::vector<hsize_t> largest = now;
    now.front() = 0;
    largest.front() = H5S_UNLIMITED;
    const Space space = simple_space(now, largest.data());

    const PropertyList creation = property_list(H5P_DATASET_CREATE);
    const int rank = static_cast<int>(chunk.size());
    checked("set", "chunk size", [&] { return H5Pset_chunk(creation.id(), rank, chunk.data()); });
    checked("set", "fill time",
            [&] { return H5Pset_fill_time(creation.id(), H5D_FILL_TIME_NEVER); });

    return Dataset(checked("create dataset", name, [&] {
        return H5Dcreate2(parent, name.c_str(), type, space.id(), H5P_DEFAULT, creation.id(),
                          without_chunk_cache());
    }));
}

void extend(const Dataset& dataset, std::span<const hsize_t> shape) {
    checked("extend", "dataset", [&] { return H5Dset_extent(dataset.id(), shape.data()); });
}

void write_all(const Dataset& dataset, hid_t type, const void* data) {
    checked("write", "dataset",
            [&] { return H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data); });
}

void write_block(const Dataset& dataset, hid_t type, std::span<const hsize_t> first,
                 std::span<const hsize_t> count, const void* data) {
    const Space file(checked("open", "dataspace", [&] { return H5Dget_space(dataset.id()); }));
    const Space memory = simple_space(count);
    checked("select", "block", [&] {
        return H5Sselect_hyperslab(file.id(), H5S_SELECT_SET, first.data(), nullptr, count.data(),
                                   nullptr);
    });
    checked("write", "dataset", [&] {
        return H5Dwrite(dataset.id(), type, memory.id(), file.id(), H5P_DEFAULT, data);
    });
}

void write_text(hid_t parent, const std::string& name, const std::string& text) {
    const Type type = text_type(text.size(), H5T_CSET_UTF8);
    write_all(create_dataset(parent, name, type.id(), {}), type.id(), text.c_str());
}

void write_texts(hid_t parent, const std::string& name, std::span<const std::string> texts) {
    const Cells cells = in_cells(texts);
    const hsize_t size = texts.size();
    write_all(create_dataset(parent, name, cells.type.id(), {&size, 1}), cells.type.id(),
              cells.packed.data());
}

Dataset create_text_list(hid_t parent, const std::string& name, std::size_t longest) {
    constexpr hsize_t one = 1;
    return create_extensible(parent, name, text_type(longest, H5T_CSET_UTF8).id(), {&one, 1},
                             {&one, 1});
}

void write_text_list(const Dataset& list, std::span<const std::string> texts, std::size_t longest) {
    const hsize_t first = 0, count = texts.size();
    extend(list, {&count, 1});
    if (texts.empty()) return;
    std::string packed;
    for (const std::string& text : texts) {
        std::size_t size = std::min(text.size(), longest);
        const auto inside_character = [&] {
            return size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80;
        };
        while (size > 0 && inside_character())
            --size;
        packed.append(text, 0, size).append(longest + 1 - size, '\0');
    }
    write_block(list, text_type(longest, H5T_CSET_UTF8).id(), {&first, 1}, {&count, 1},
                packed.data());
}

void set_attribute(hid_t object, const std::string& name, int value) {
    write_attribute(object, name, type_of<int>(), {}, &value);
}

void set_attribute(hid_t object, const std::string& name, std::span<const int> values) {
    const hsize_t size = values.size();
    write_attribute(object, name, type_of<int>(), {&size, 1}, values.data());
}

void set_attribute(hid_t object, const std::string& name, std::span<const std::int64_t> values) {
    const hsize_t size = values.size();
    write_attribute(object, name, type_of<std::int64_t>(), {&size, 1}, values.data());
}

void set_attribute(hid_t object, const std::string& name, const std::string& text) {
    const Type type = text_type(text.size(), character_set(text));
    write_attribute(object, name, type.id(), {}, text.c_str());
}

void set_free_text(hid_t object, const std::string& name, const std::string& text) {
    const Type type(checked("create a", "string type", [] { return H5Tcopy(H5T_C_S1); }));
    checked("set", "string length", [&] { return H5Tset_size(type.id(), H5T_VARIABLE); });
    checked("set", "character set", [&] { return H5Tset_cset(type.id(), H5T_CSET_UTF8); });
    const char* const start = text.c_str();
    write_attribute(object, name, type.id(), {}, &start);
}

void set_attribute(hid_t object, const std::string& name, std::span<const std::string> texts) {
    const Cells cells = in_cells(texts);
    const hsize_t size = texts.size();
    write_attribute(object, name, cells.type.id(), {&size, 1}, cells.packed.data());
}

}  // namespace beadwave::io::hdf5

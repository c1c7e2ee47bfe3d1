#include "io/hdf5/hdf5.hpp"

#include "io/durable/full_io.hpp"
#include "io/durable/hdf5_driver.hpp"
#include "io/hdf5/dataset_access.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/hdf5/simple_space.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace beadwave::io::hdf5 {

Space simple_space(std::span<const hsize_t> shape, const hsize_t* largest) {
    const int rank = static_cast<int>(shape.size());
    return Space(checked("create a", "dataspace", [&] {
        return rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, shape.data(), largest);
    }));
}

namespace {

/// Otherwise HDF5 would try to complete discarded files at exit, which damages them and can crash.
/// This call works only before any other call to HDF5.
[[maybe_unused]] const herr_t no_cleanup_at_exit = H5dont_atexit();

/// Keeps the description of the first error of the walk: upwards, this is the innermost error.
herr_t keep_innermost(unsigned position, const H5E_error2_t* error, void* reason) {
    if (position == 0 && error->desc != nullptr) *static_cast<std::string*>(reason) = error->desc;
    return 0;
}

std::string innermost_reason() {
    std::string reason;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &reason);
    // HDF5 describes a failed system call with time, descriptor, buffer and so on. Only the
    // system's own message is useful to a person.
    constexpr std::string_view opening = "error message = '";
    const std::size_t start = reason.find(opening);
    if (start == std::string::npos) return reason.empty() ? "no reason given by HDF5" : reason;
    const std::size_t text = start + opening.size();
    return reason.substr(text, reason.find('\'', text) - text);
}

PropertyList property_list(hid_t kind) {
    return PropertyList(checked("create a", "property list", [&] { return H5Pcreate(kind); }));
}

int descriptor_of(const File& file) {
    void* descriptor = nullptr;
    checked("get", "file descriptor",
            [&] { return H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &descriptor); });
    return *static_cast<int*>(descriptor);
}

}  // namespace

namespace {

thread_local int silences = 0;  ///< only the outermost one calls HDF5: these calls take their time

}  // namespace

Silence::Silence() {
    if (silences++ > 0) return;
    H5Eget_auto2(H5E_DEFAULT, &printer_, &stream_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Silence::~Silence() {
    if (--silences > 0) return;
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

constexpr auto version_to_share = H5F_LIBVER_V110;

PropertyList access_to(H5F_libver_t version) {
    PropertyList access = property_list(H5P_FILE_ACCESS);
    checked("set", "file version",
            [&] { return H5Pset_libver_bounds(access.id(), version, version); });
    // The caller has locked a file that others may know: see writer_lock.hpp.
    checked("set", "file locking",
            [&] { return H5Pset_file_locking(access.id(), false, /*best_effort=*/true); });
    return access;
}

File create(const std::filesystem::path& path, hsize_t user_block, const PropertyList& access) {
    const PropertyList creation = property_list(H5P_FILE_CREATE);
    checked("set", "user block", [&] { return H5Pset_userblock(creation.id(), user_block); });
    return File(checked("create", "the HDF5 file", [&] {
        return H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.id(), access.id());
    }));
}

/// The bytes of a file with the content that `fill` writes.
std::string image_of(const std::function<void(const File&)>& fill, H5F_libver_t version) {
    constexpr std::size_t grows_by = 4096;
    const PropertyList access = access_to(version);
    checked("keep", "the file in memory",
            [&] { return H5Pset_fapl_core(access.id(), grows_by, /*backing_store=*/false); });
    // A unique name: HDF5 treats two files in memory with the same name as one file, opened twice.
    static std::atomic<unsigned> count{0};
    const File file = create("in memory " + std::to_string(++count), 0, access);
    fill(file);
    flush(file);
    const auto size =
        checked("get", "the file's size", [&] { return H5Fget_file_image(file.id(), nullptr, 0); });
    std::string image(static_cast<std::size_t>(size), '\0');
    checked("get", "the file's bytes",
            [&] { return H5Fget_file_image(file.id(), image.data(), image.size()); });
    clear_swmr_flag_in(image);  // HDF5 1.10.8 clears it too, but leaves a wrong checksum
    return image;
}

}  // namespace

File create_file(const std::filesystem::path& path, hsize_t user_block) {
    // 1.8: all readers support it.
    const PropertyList access = access_to(H5F_LIBVER_V18);
    use_driver(access, nullptr);
    return create(path, user_block, access);
}

File create_swmr_file(const std::filesystem::path& path, MetadataWriteHook& hook,
                      const std::function<void(const File&)>& head) {
    // In one call: a killed process has written everything or nothing.
    write_whole_file(path, image_of(head, version_to_share));
    return open_swmr_file(path, hook);
}

File open_swmr_file(const std::filesystem::path& path, MetadataWriteHook& hook) {
    const PropertyList access = access_to(version_to_share);
    use_driver(access, &hook);
    return File(checked("open", "the HDF5 file",
                        [&] { return H5Fopen(path.c_str(), H5F_ACC_RDWR, access.id()); }));
}

void start_swmr(const File& file) {
    checked("share", "the file", [&] { return H5Fstart_swmr_write(file.id()); });
    check_writes(file);
}

void check_writes(const File& file) {
    const auto errors = write_errors_of(file);
    if (errors) errors->check();
}

hsize_t size_of(const File& file) {
    hsize_t size = 0;
    checked("get", "file size", [&] { return H5Fget_filesize(file.id(), &size); });
    return size;
}

void reserve(const File& file, hsize_t& reserved) {
#ifdef __linux__
    const hsize_t size = size_of(file);
    if (size <= reserved) return;
    const auto begin = static_cast<off_t>(reserved), length = static_cast<off_t>(size - reserved);
    if (::fallocate(descriptor_of(file), 0, begin, length) == 0) {
        reserved = size;
    } else if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) {
        throw std::runtime_error("cannot extend the file: " +
                                 std::generic_category().message(errno));
    }  // otherwise the file system cannot reserve space
#else
    static_cast<void>(file);
    static_cast<void>(reserved);
#endif
}

void flush(const File& file) {
    checked("flush", "the file", [&] { return H5Fflush(file.id(), H5F_SCOPE_LOCAL); });
    check_writes(file);
}

void flush(const Dataset& dataset) {
    checked("flush", "dataset", [&] { return H5Dflush(dataset.id()); });
}

void close(File& file) {
    const auto errors = write_errors_of(file);
    checked("close", "the file", [&] { return H5Fclose(file.release()); });
    if (errors) errors->check();
}

void discard(File& file) {
    if (file.id() < 0) return;
    const Silence silence;
    stop_writing(file);
    // Really closed: otherwise HDF5 would treat the same file, opened again, as this one.
    void* descriptor = nullptr;
    const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere < 0 || H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &descriptor) < 0 ||
        ::dup2(nowhere, *static_cast<int*>(descriptor)) < 0) {
        file.release();
    } else {
        file = {};
    }
    if (nowhere >= 0) ::close(nowhere);
}

void write_file(const std::filesystem::path& path, hsize_t user_block,
                const std::function<void(hid_t)>& content) {
    File file = create_file(path, user_block);
    try {
        content(file.id());
        hsize_t reserved = 0;
        reserve(file, reserved);
        flush(file);
        close(file);
    } catch (...) {
        discard(file);
        throw;
    }
}

Group create_group(hid_t parent, const std::string& name, std::size_t names) {
    // All names are in the group's own header. With more than eight names HDF5 would otherwise use
    // heaps, whose disk space is not reserved before the flush. But its time for a header grows
    // with the third power of their number (5000 names: half a minute), and it moves a thousand
    // names to a heap in hours.
    constexpr std::size_t most_in_header = 500;
    const unsigned in_header = names > most_in_header ? 0 : 1000;
    const PropertyList creation = property_list(H5P_GROUP_CREATE);
    checked("set", "group size",
            [&] { return H5Pset_link_phase_change(creation.id(), in_header, in_header); });
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

namespace {

/// The properties of datasets that get their place in the file immediately; HDF5 itself writes no
/// fill values there.
PropertyList allocated_early() {
    PropertyList creation = property_list(H5P_DATASET_CREATE);
    checked("set", "fill time",
            [&] { return H5Pset_fill_time(creation.id(), H5D_FILL_TIME_NEVER); });
    checked("set", "allocation time",
            [&] { return H5Pset_alloc_time(creation.id(), H5D_ALLOC_TIME_EARLY); });
    return creation;
}

}  // namespace

Dataset create_to_fill(hid_t parent, const std::string& name, hid_t type, hsize_t length) {
    const Space space = simple_space({&length, 1});
    const PropertyList creation = allocated_early();
    return Dataset(checked("create dataset", name, [&] {
        return H5Dcreate2(parent, name.c_str(), type, space.id(), H5P_DEFAULT, creation.id(),
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

    // When rows are added, their places in the file are fixed: see places_of_row().
    const PropertyList creation = allocated_early();
    const int rank = static_cast<int>(chunk.size());
    checked("set", "chunk size", [&] { return H5Pset_chunk(creation.id(), rank, chunk.data()); });

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

std::vector<hsize_t> chunk_of(const Dataset& dataset) {
    const PropertyList creation(
        checked("get", "layout", [&] { return H5Dget_create_plist(dataset.id()); }));
    std::vector<hsize_t> chunk(static_cast<std::size_t>(
        checked("get", "chunk rank", [&] { return H5Pget_chunk(creation.id(), 0, nullptr); })));
    checked("get", "chunk size", [&] {
        return H5Pget_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data());
    });
    return chunk;
}

namespace {

/// The chunks along a dimension up to item `end`, beginning with the one that has the start of a
/// row.
RowPlaces places_along(const Dataset& dataset, std::size_t dimension, hsize_t row, hsize_t end) {
    const std::vector<hsize_t> chunk = chunk_of(dataset);
    RowPlaces places{.items_per_chunk = static_cast<std::int64_t>(chunk.at(dimension)),
                     .bytes_per_item = static_cast<std::int64_t>(sizeof(double))};
    std::size_t bytes = sizeof(double);
    for (std::size_t d = 0; d < chunk.size(); ++d) {
        bytes *= chunk[d];
        if (d > dimension) places.bytes_per_item *= static_cast<std::int64_t>(chunk[d]);
    }
    std::vector<std::byte> room(bytes);
    std::vector<hsize_t> at(chunk.size(), 0);
    for (at[0] = row - row % chunk[0]; at[dimension] < end; at[dimension] += chunk[dimension]) {
        // HDF5's own search looks through all chunks before it.
        const haddr_t place = place_of_read([&] {
            std::uint32_t filters = 0;
#if H5_VERSION_GE(2, 0, 0)
            return H5Dread_chunk2(dataset.id(), H5P_DEFAULT, at.data(), &filters, room.data(),
                                  &bytes);
#else
            return H5Dread_chunk(dataset.id(), H5P_DEFAULT, at.data(), &filters, room.data());
#endif
        });
        if (place == HADDR_UNDEF) fail("find", "a chunk");
        places.chunks.push_back(static_cast<std::int64_t>(place));
    }
    return places;
}

}  // namespace

RowPlaces places_of_row(const Dataset& dataset, hsize_t row) {
    RowPlaces places = places_along(dataset, 1, row, shape_of(dataset).at(1));
    const auto before = static_cast<std::int64_t>(row % chunk_of(dataset)[0]);
    for (std::int64_t& chunk : places.chunks)
        chunk += before * places.items_per_chunk * places.bytes_per_item;
    return places;
}

RowPlaces places_of_rows(const Dataset& dataset, hsize_t first, hsize_t end) {
    RowPlaces places = places_along(dataset, 0, first, end);
    places.before = static_cast<std::int64_t>(first) % places.items_per_chunk;
    return places;
}

std::int64_t place_of(const Dataset& dataset) {
    const haddr_t place = H5Dget_offset(dataset.id());
    if (place == HADDR_UNDEF) fail("find", "a dataset in the file");
    return static_cast<std::int64_t>(place);
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

}  // namespace beadwave::io::hdf5

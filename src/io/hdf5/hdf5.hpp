// HDF5 identifiers that close themselves, and HDF5 calls that throw instead of returning a status.
//
// Everything here throws std::runtime_error with the innermost reason HDF5 knows: "cannot write
// dataset value: No space left on device". The caller adds the name of the file. HDF5 never prints
// its own error stack.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace beadwave::io::hdf5 {

/// While an object of this class exists, HDF5 prints nothing on this thread. Scoped, because the
/// setting is global: a program that embeds beadwave may want HDF5's messages elsewhere.
class Silence {
  public:
    Silence();
    ~Silence();
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

  private:
    H5E_auto2_t printer_ = nullptr;
    void* stream_ = nullptr;
};

/// Throws "cannot <action> <name>: <innermost reason on HDF5's error stack>".
[[noreturn]] void fail(std::string_view action, std::string_view name);

/// The result of one HDF5 call. Throws if it is negative: then the call has failed.
template <typename Call>
auto checked(std::string_view action, std::string_view name, const Call& call) {
    const Silence silence;
    const auto result = call();
    if (result < 0) fail(action, name);
    return result;
}

class MetadataWriteHook;

/// Owns one HDF5 identifier.
template <herr_t (*Close)(hid_t)>
class Handle {
  public:
    Handle() = default;
    explicit Handle(hid_t id) : id_(id) {}
    Handle(Handle&& other) noexcept : id_(other.release()) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    ~Handle() {
        if (id_ < 0) return;
        const Silence silence;
        Close(id_);
    }

    hid_t id() const { return id_; }
    /// Releases the identifier; the caller closes it.
    hid_t release() { return std::exchange(id_, hid_t{H5I_INVALID_HID}); }

  private:
    hid_t id_ = H5I_INVALID_HID;
};

using File = Handle<H5Fclose>;
using Group = Handle<H5Gclose>;
using Dataset = Handle<H5Dclose>;
using Attribute = Handle<H5Aclose>;
using Space = Handle<H5Sclose>;
using Type = Handle<H5Tclose>;
using PropertyList = Handle<H5Pclose>;

/// The HDF5 type of a C++ number. HDF5 owns it.
template <typename T>
hid_t type_of();
template <>
hid_t type_of<int>();
template <>
hid_t type_of<std::int64_t>();
template <>
hid_t type_of<double>();

/// Creates a file, or empties an existing one. HDF5 1.8 and later can read it. HDF5 does not use
/// the first `user_block` bytes: 0, 512 or a larger power of two.
File create_file(const std::filesystem::path& path, hsize_t user_block = 0);
/// Creates a file that other programs read while it is written (SWMR: single writer, multiple
/// readers). The caller has locked it. Needs HDF5 1.10. `head` first writes a few kilobytes; if
/// this process is killed, the file is empty or holds all of them. `hook`: see hdf5_driver.hpp.
File create_swmr_file(const std::filesystem::path& path, MetadataWriteHook& hook,
                      const std::function<void(const File&)>& head);
/// Opens such a file again to continue it. The caller has validated it.
File open_swmr_file(const std::filesystem::path& path, MetadataWriteHook& hook);
/// From now on others can read the file while its datasets grow. All groups, datasets and
/// attributes must exist, and none may be open.
void start_swmr(const File& file);
/// Clears the SWMR flag of a file: the flag in its superblock that says that a writer has it open.
/// HDF5 clears it on closing; for a file that was discarded or whose writer was killed this
/// function does, otherwise others could not open the file. Does nothing to a file without a valid
/// superblock.
void clear_swmr_flag(int descriptor);
/// Clears the SWMR flag in the bytes of a file.
void clear_swmr_flag_in(std::string& image);

/// Size of the file [bytes], including what is not flushed yet.
hsize_t size_of(const File& file);
/// Reserves disk space for the whole file. A full disk is then found before a flush, not in the
/// middle of one, which would make the file unreadable. `reserved` [bytes]: the part of the file
/// that has disk space, 0 at first; this function updates it.
void reserve(const File& file, hsize_t& reserved);
/// Throws the first error of a write to the file, if any. Closing a dataset writes, and cannot
/// report an error: after the last one of a file this function, flush() or close() must be called.
void check_writes(const File& file);
/// Passes everything to the operating system. After a killed process the file is as last flushed.
void flush(const File& file);
/// Makes one dataset visible to readers.
void flush(const Dataset& dataset);
/// Closes the file and reports the error, which a destructor cannot do.
void close(File& file);
/// Releases a file after a failed write; the file remains as last flushed. Closing it normally
/// would write metadata that refer to missing data, and the file would be unreadable.
void discard(File& file);
/// A whole file in one call: `content` writes into the new file, which is then flushed and closed.
/// After an exception nothing more is written, and the file is incomplete.
void write_file(const std::filesystem::path& path, hsize_t user_block,
                const std::function<void(hid_t)>& content);

/// `names`: how many objects it will have, if that can be more than a few hundred.
Group create_group(hid_t parent, const std::string& name, std::size_t names = 0);

/// A dataset of the given shape; an empty shape is a scalar. `type` may differ from a C++ number's.
Dataset create_dataset(hid_t parent, const std::string& name, hid_t type,
                       std::span<const hsize_t> shape);
/// A list whose content others write directly to the file, starting at place_of().
Dataset create_to_fill(hid_t parent, const std::string& name, hid_t type, hsize_t length);
/// An empty dataset with an extensible first dimension, stored in chunks of shape `chunk`.
Dataset create_extensible(hid_t parent, const std::string& name, hid_t type,
                          std::span<const hsize_t> chunk, std::span<const hsize_t> shape);
void extend(const Dataset& dataset, std::span<const hsize_t> shape);

void write_all(const Dataset& dataset, hid_t type, const void* data);
/// The chunks of items of a dataset with an extensible first dimension, and their places in the
/// file. All chunks have the same length; the last one may have fewer items.
struct RowPlaces {
    std::int64_t items_per_chunk = 1, bytes_per_item = 0;
    std::int64_t before = 0;  ///< items of the first chunk before these
    std::vector<std::int64_t> chunks{};
};
/// The shape of a chunk of a dataset in chunks.
std::vector<hsize_t> chunk_of(const Dataset& dataset);

/// The items of one row.
RowPlaces places_of_row(const Dataset& dataset, hsize_t row);
/// The rows from `first` to `end`, each an item that is in one chunk.
RowPlaces places_of_rows(const Dataset& dataset, hsize_t first, hsize_t end);
/// Position in the file of the first byte of a written dataset without chunks.
std::int64_t place_of(const Dataset& dataset);
/// Writes the block of `count` elements from `first`; both have one number per dimension.
void write_block(const Dataset& dataset, hid_t type, std::span<const hsize_t> first,
                 std::span<const hsize_t> count, const void* data);

template <typename T>
Dataset write_scalar(hid_t parent, const std::string& name, const T& value) {
    Dataset dataset = create_dataset(parent, name, type_of<T>(), {});
    write_all(dataset, type_of<T>(), &value);
    return dataset;
}

template <typename T>
Dataset write_vector(hid_t parent, const std::string& name, std::span<const T> values) {
    const hsize_t size = values.size();
    Dataset dataset = create_dataset(parent, name, type_of<T>(), {&size, 1});
    write_all(dataset, type_of<T>(), values.data());
    return dataset;
}

/// A scalar fixed-length UTF-8 string.
void write_text(hid_t parent, const std::string& name, const std::string& text);
/// A vector of fixed-length strings, ASCII if possible.
Dataset write_texts(hid_t parent, const std::string& name, std::span<const std::string> texts);
/// An empty extensible list of UTF-8 strings of up to `longest` bytes.
Dataset create_text_list(hid_t parent, const std::string& name, std::size_t longest);
/// Replaces the content of such a list. Longer texts are cut.
void write_text_list(const Dataset& list, std::span<const std::string> texts, std::size_t longest);

// Attributes. Text is a fixed-length string, ASCII if possible, except where stated.

void set_attribute(hid_t object, const std::string& name, int value);
void set_attribute(hid_t object, const std::string& name, std::span<const int> values);
void set_attribute(hid_t object, const std::string& name, std::span<const std::int64_t> values);
void set_attribute(hid_t object, const std::string& name, const std::string& text);
void set_attribute(hid_t object, const std::string& name, std::span<const std::string> texts);
/// A scalar variable-length UTF-8 string, which h5py reads as str.
void set_free_text(hid_t object, const std::string& name, const std::string& text);

}  // namespace beadwave::io::hdf5

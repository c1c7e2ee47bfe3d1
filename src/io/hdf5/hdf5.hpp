// HDF5 identifiers that close themselves, and HDF5 calls that throw instead of returning a status.
//
// Everything here throws std::runtime_error with the innermost reason HDF5 knows: "cannot write
// dataset value: No space left on device". The name of the file is the caller's to add. HDF5 never
// prints its own error stack.
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

/// While one lives, HDF5 prints nothing on this thread. Scoped, because the setting belongs to the
/// whole process: a program that embeds beadwave may want HDF5's messages elsewhere.
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

/// The result of one HDF5 call; throws if it is negative, which is how HDF5 says that it failed.
template <typename Call>
auto checked(std::string_view action, std::string_view name, const Call& call) {
    const Silence silence;
    const auto result = call();
    if (result < 0) fail(action, name);
    return result;
}

class Overwrites;

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
    /// Gives the identifier away; the caller closes it.
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

/// The HDF5 type of a C++ number; HDF5 owns it.
template <typename T>
hid_t type_of();
template <>
hid_t type_of<int>();
template <>
hid_t type_of<std::int64_t>();
template <>
hid_t type_of<double>();

/// Creates a file, or empties an existing one. HDF5 1.8 and later can read it. HDF5 leaves the
/// first `user_block` bytes to others: 0, 512 or a larger power of two.
File create_file(const std::filesystem::path& path, hsize_t user_block = 0);
/// The same for a file that others will read while it is written, and that the caller has locked.
/// Needs HDF5 1.10. `head` fills it first, with a few kilobytes: at any moment, whenever this
/// process is killed, the file is empty or holds all of these.
/// `told` hears of what is overwritten; see hdf5_driver.hpp.
File create_file_to_share(const std::filesystem::path& path, Overwrites& told,
                          const std::function<void(const File&)>& head);
/// Opens such a file again to go on with it; the caller has seen that it is made as ours are.
File open_to_share(const std::filesystem::path& path, Overwrites& told);
/// Lets others read the file from now on, while its datasets grow (single writer, multiple
/// readers). All groups, datasets and attributes must be there by now, and none be open.
void let_readers_in(const File& file);
/// Makes a file that was abandoned after let_readers_in() an ordinary one: takes away the mark that
/// it is being written, which would keep others from opening it. Does nothing if it cannot.
void unmark(const std::filesystem::path& path) noexcept;
/// The same in the bytes of a file of such.
void unmark_image(std::string& image);

/// Bytes that the file takes, those not flushed yet included.
hsize_t size_of(const File& file);
/// Makes the disk set aside room for the whole file, so that it is full before a flush rather than
/// half-way through, which would leave the file unreadable. `reserved` [bytes] is how much of the
/// file surely has room: 0 at first, then kept here.
void reserve(const File& file, hsize_t& reserved);
/// Hands everything to the operating system: what a killed process leaves is what was flushed last.
void flush(const File& file);
/// Hands one dataset to the readers.
void flush(const Dataset& dataset);
/// Closes with the error that a destructor would have to swallow.
void close(File& file);
/// Lets go of a file that a write has failed on, as it was flushed last. Closing it would write
/// metadata that refer to what could not be written, and leave it unreadable.
void abandon(File& file);

Group create_group(hid_t parent, const std::string& name);

/// A dataset of the given shape; no shape is a scalar. `type` may differ from a C++ number's.
Dataset create_dataset(hid_t parent, const std::string& name, hid_t type,
                       std::span<const hsize_t> shape);
/// A list that others write to the file itself, from place_of() on.
Dataset create_to_fill(hid_t parent, const std::string& name, hid_t type, hsize_t length);
/// A dataset with an extensible first dimension, empty so far, stored in chunks of `chunk`.
Dataset create_extensible(hid_t parent, const std::string& name, hid_t type,
                          std::span<const hsize_t> chunk, std::span<const hsize_t> shape);
void extend(const Dataset& dataset, std::span<const hsize_t> shape);

void write_all(const Dataset& dataset, hid_t type, const void* data);
/// Of a dataset with an extensible first dimension: chunks of one row, each as long, at these
/// places in the file; every chunk has several items but those at the end.
struct RowPlaces {
    std::int64_t items_a_chunk = 1, bytes_an_item = 0;
    std::vector<std::int64_t> chunks{};
};
RowPlaces places_of_row(const Dataset& dataset, hsize_t row);
/// Where in the file the first byte of a dataset stands that was written and has no chunks.
std::int64_t place_of(const Dataset& dataset);
/// Writes the block of `count` elements from `first`, one number a dimension in each.
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
/// A vector of fixed-length strings, ASCII where they can be.
void write_texts(hid_t parent, const std::string& name, std::span<const std::string> texts);
/// A list of UTF-8 strings of up to `longest` bytes, extensible, empty so far.
Dataset create_text_list(hid_t parent, const std::string& name, std::size_t longest);
/// Makes such a list hold these. What is longer is cut.
void write_text_list(const Dataset& list, std::span<const std::string> texts, std::size_t longest);

// Attributes. Text is a fixed-length string, ASCII where it can be, unless said otherwise.

void set_attribute(hid_t object, const std::string& name, int value);
void set_attribute(hid_t object, const std::string& name, std::span<const int> values);
void set_attribute(hid_t object, const std::string& name, std::span<const std::int64_t> values);
void set_attribute(hid_t object, const std::string& name, const std::string& text);
void set_attribute(hid_t object, const std::string& name, std::span<const std::string> texts);
/// A scalar variable-length UTF-8 string, which h5py reads as str.
void set_free_text(hid_t object, const std::string& name, const std::string& text);

}  // namespace beadwave::io::hdf5

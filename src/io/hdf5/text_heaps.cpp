#include "io/hdf5/text_heaps.hpp"

#include "io/durable/full_io.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>
#include <utility>

namespace beadwave::io::hdf5 {
namespace {

// Format of HDF5 files, version 3: "Global Heap". Numbers are little-endian.
constexpr std::size_t place_bytes =
    16;  ///< of a text: length (4), address of the heap (8), index (4)
constexpr std::size_t header_bytes = 16;  ///< of a heap: "GCOL", version (4), its size (8)
constexpr std::size_t item_bytes = 16;    ///< before a text: index (2), uses (2), 0 (4), length (8)

template <class Number>
Number number_in(std::string_view bytes, std::size_t at) {
    Number number{};
    for (std::size_t k = sizeof number; k-- > 0;)
        number = static_cast<Number>(number << 8U | static_cast<unsigned char>(bytes[at + k]));
    return number;
}

[[noreturn]] void refuse(const std::string& path) {
    throw std::runtime_error(
        fmt::format("is damaged: the text of {} is not where it should be", path));
}

/// A conversion of HDF5 from strings of variable length to their places, which are what the file
/// has in place of the strings. HDF5 itself only reads the strings.
herr_t keep_places(hid_t from, hid_t to, H5T_cdata_t* data, std::size_t, std::size_t, std::size_t,
                   void*, void*, hid_t) {
    if (data->command != H5T_CONV_INIT) return 0;
    data->need_bkg = H5T_BKG_NO;
    return H5Tis_variable_str(from) > 0 && H5Tget_size(from) == place_bytes &&
                   H5Tget_size(to) == place_bytes
               ? 0
               : -1;
}

/// The type of a place in memory. HDF5 keeps it to its end.
hid_t type_of_place() {
    static const hid_t type = [] {
        Type place(checked("create a", "type of bytes",
                           [] { return H5Tcreate(H5T_OPAQUE, place_bytes); }));
        const Type text(checked("create a", "string type", [] { return H5Tcopy(H5T_C_S1); }));
        checked("set", "string length", [&] { return H5Tset_size(text.id(), H5T_VARIABLE); });
        checked("register", "a conversion", [&] {
            return H5Tregister(H5T_PERS_SOFT, "beadwave places", text.id(), place.id(),
                               keep_places);
        });
        return place.release();
    }();
    return type;
}

/// `count` places that `read` stores.
template <class Read>
std::string places_of(hssize_t count, const std::string& path, const Read& read) {
    std::string places(static_cast<std::size_t>(count) * place_bytes, '\0');
    if (count > 0) checked("read", path, [&] { return read(type_of_place(), places.data()); });
    return places;
}

}  // namespace

TextHeaps::TextHeaps(hid_t file) {
    void* descriptor = nullptr;
    checked("get", "the file descriptor",
            [&] { return H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor); });
    descriptor_ = *static_cast<int*>(descriptor);
    const PropertyList how(
        checked("get", "properties of the file", [&] { return H5Fget_create_plist(file); }));
    hsize_t before = 0, all = 0;
    std::size_t of_address = 0, of_length = 0;
    checked("get", "its formats", [&] { return H5Pget_sizes(how.id(), &of_address, &of_length); });
    if (of_address != 8 || of_length != 8)
        throw std::runtime_error(
            "does not have the form of beadwave's files: its numbers are short");
    checked("get", "its user block", [&] { return H5Pget_userblock(how.id(), &before); });
    checked("get", "its size", [&] { return H5Fget_filesize(file, &all); });
    start_ = before;
    bytes_ = all > before ? all - before : 0;
}

void TextHeaps::check_attribute(hid_t attribute, const std::string& path) {
    const Space space(checked("open dataspace of", path, [&] { return H5Aget_space(attribute); }));
    const hssize_t count =
        checked("get size of", path, [&] { return H5Sget_simple_extent_npoints(space.id()); });
    check_places(
        places_of(count, path,
                  [&](hid_t place, char* into) { return H5Aread(attribute, place, into); }),
        path);
}

void TextHeaps::check_dataset(const Dataset& dataset, const std::string& path) {
    const Space space(
        checked("open dataspace of", path, [&] { return H5Dget_space(dataset.id()); }));
    const hssize_t count =
        checked("get size of", path, [&] { return H5Sget_simple_extent_npoints(space.id()); });
    if (static_cast<std::uint64_t>(count) > bytes_ / place_bytes) refuse(path);
    const auto read = [&](hid_t place, char* into) {
        return H5Dread(dataset.id(), place, H5S_ALL, H5S_ALL, H5P_DEFAULT, into);
    };
    check_places(places_of(count, path, read), path);
}

void TextHeaps::check_places(const std::string& places, const std::string& path) {
    for (std::size_t at = 0; at < places.size(); at += place_bytes) {
        const auto length = number_in<std::uint32_t>(places, at);
        const auto address = number_in<std::uint64_t>(places, at + 4);
        const auto index = number_in<std::uint32_t>(places, at + 12);
        if (address == 0) continue;  // no text was written
        const Lengths& lengths = heap_at(address, path);
        const auto found = lengths.find(index);
        // HDF5 copies as much as the heap says to a place of the length that the file says.
        if (found == lengths.end() || found->second != length) refuse(path);
    }
}

const TextHeaps::Lengths& TextHeaps::heap_at(haddr_t address, const std::string& path) {
    const auto known = heaps_.find(address);
    if (known != heaps_.end()) return known->second;
    return heaps_.emplace(address, read_heap(address, path)).first->second;
}

TextHeaps::Lengths TextHeaps::read_heap(haddr_t address, const std::string& path) const {
    constexpr std::uint64_t smallest = 4096;  // HDF5 reads at least this much
    if (bytes_ < smallest || address > bytes_ - smallest) refuse(path);
    const auto read = [&](std::uint64_t count) {
        std::string bytes(count, '\0');
        const auto at = static_cast<off_t>(start_ + address);
        if (full_read(descriptor_, bytes.data(), count, at) != count) refuse(path);
        return bytes;
    };
    using namespace std::string_view_literals;
    std::string heap = read(smallest);
    if (!heap.starts_with("GCOL\1\0\0\0"sv)) refuse(path);
    const auto size = number_in<std::uint64_t>(heap, 8);
    if (size < smallest || size > bytes_ - address) refuse(path);
    heap = read(size);

    Lengths lengths;
    std::size_t at = header_bytes;
    while (size - at >= item_bytes) {  // less than that at the end is not used
        const auto index = number_in<std::uint16_t>(heap, at);
        const auto length = number_in<std::uint64_t>(heap, at + 8);
        if (index == 0) {  // the rest is free, and its length counts from here
            if (length != size - at) refuse(path);
            break;
        }
        const std::uint64_t most = size - at - item_bytes;
        const std::uint64_t padded = length + (8 - length % 8) % 8;
        if (length > most || padded > most || !lengths.emplace(index, length).second) refuse(path);
        at += item_bytes + padded;
    }
    return lengths;
}

}  // namespace beadwave::io::hdf5

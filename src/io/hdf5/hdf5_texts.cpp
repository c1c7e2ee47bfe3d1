// Texts and attributes of HDF5 files.
#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/simple_space.hpp"

#include <algorithm>
#include <stdexcept>

namespace beadwave::io::hdf5 {
namespace {

H5T_cset_t character_set(const std::string& text) {
    const bool ascii = std::all_of(text.begin(), text.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 128; });
    return ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8;
}

/// Strings of at most `length` bytes with a terminating zero, for readers in C.
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
    // HDF5 keeps attributes above 64 KiB in a heap, where it has lost large ones or got stuck.
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

}  // namespace

void write_text(hid_t parent, const std::string& name, const std::string& text) {
    const Type type = text_type(text.size(), H5T_CSET_UTF8);
    write_all(create_dataset(parent, name, type.id(), {}), type.id(), text.c_str());
}

Dataset write_texts(hid_t parent, const std::string& name, std::span<const std::string> texts) {
    const Cells cells = in_cells(texts);
    const hsize_t size = texts.size();
    Dataset dataset = create_dataset(parent, name, cells.type.id(), {&size, 1});
    write_all(dataset, cells.type.id(), cells.packed.data());
    return dataset;
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

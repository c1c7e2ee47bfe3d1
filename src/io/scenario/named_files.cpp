#include "io/scenario/named_files.hpp"

#include "beadwave/input_error.hpp"
#include "io/files/text_file.hpp"

namespace beadwave::io {

NamedFiles NamedFiles::relative_to(const std::filesystem::path& input) {
    NamedFiles files;
    files.reads_ = true;
    files.folder_ = input.parent_path();
    return files;
}

NamedFiles NamedFiles::from_texts(std::map<std::string, std::string> texts) {
    NamedFiles files;
    files.texts_ = std::move(texts);
    return files;
}

template <class Read>
NamedFile NamedFiles::read_by(const TomlTable& table, const Key& key, Read read_text) {
    const std::string given = table.need(table.text(key), key);
    if (given.empty()) table.fail(key.name, "must be " + key.allowed());
    const std::string place = table.key(key.name);
    if (!reads_) {
        const auto text = texts_.find(place);
        if (text == texts_.end()) table.fail(key.name, "the text of this file is not known");
        return {.name = given, .text = text->second};
    }
    const std::filesystem::path path = folder_ / given;  // an absolute path is unchanged
    try {
        texts_[place] = read_text(path);
    } catch (const InputError& error) {
        table.fail(key.name, error.what());
    }
    return {.name = path.string(), .text = texts_[place]};
}

NamedFile NamedFiles::read(const TomlTable& table, std::string_view name, std::string_view kind,
                           std::size_t largest) {
    return read_by(table, plain(name, Kind::file, {}), [&](const std::filesystem::path& path) {
        return read_text_file(path, kind, largest);
    });
}

NamedFile NamedFiles::read(const TomlTable& table, const Key& key, std::string_view kind,
                           std::string (*as_text)(std::string_view, const std::string&),
                           bool hdf5) {
    return read_by(table, key, [&](const std::filesystem::path& path) {
        return as_text(read_file_bytes(path, kind, hdf5), path.string());
    });
}

}  // namespace beadwave::io

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

NamedFile NamedFiles::read(const TomlTable& table, std::string_view name, std::string_view kind) {
    const Key key = plain(name, Kind::file, {});
    const std::string given = table.need(table.text(key), key);
    if (given.empty()) table.fail(name, "must be " + key.allowed());
    const std::string place = table.key(name);
    if (!reads_) {
        const auto text = texts_.find(place);
        if (text == texts_.end()) table.fail(name, "the text of this file is not known");
        return {.name = given, .text = text->second};
    }
    const std::filesystem::path path = folder_ / given;  // an absolute path is unchanged
    try {
        texts_[place] = read_text_file(path, kind);
    } catch (const InputError& error) {
        table.fail(name, error.what());
    }
    return {.name = path.string(), .text = texts_[place]};
}

}  // namespace beadwave::io

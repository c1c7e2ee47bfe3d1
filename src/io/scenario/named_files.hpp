// The files that a scenario or a collision case names: read from the disk, or known as text.
#pragma once

#include "io/toml/toml_table.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace beadwave::io {

struct NamedFile {
    std::string name;  ///< its path, for messages
    std::string text;
};

class NamedFiles {
  public:
    /// Reads files. Relative paths start at the folder of this input file.
    static NamedFiles relative_to(const std::filesystem::path& input);
    /// Reads no file: the texts are given by dotted key, as from texts().
    static NamedFiles from_texts(std::map<std::string, std::string> texts);

    /// The text file that the key names. Throws InputError if the key is missing or the file cannot
    /// be read. `kind`: its format, for messages; `largest`: in MiB.
    NamedFile read(const TomlTable& table, std::string_view name, std::string_view kind = "CSV",
                   std::size_t largest = 64);

    /// Reads a file that may be binary, which as_text(bytes, path) makes a text of; `hdf5`: also an
    /// HDF5 file.
    NamedFile read(const TomlTable& table, const Key& key, std::string_view kind,
                   std::string (*as_text)(std::string_view, const std::string&), bool hdf5 = false);

    /// All texts that were read, by dotted key.
    const std::map<std::string, std::string>& texts() const { return texts_; }

  private:
    template <class Read>
    NamedFile read_by(const TomlTable& table, const Key& key, Read read_text);

    bool reads_ = false;
    std::filesystem::path folder_;
    std::map<std::string, std::string> texts_;
};

}  // namespace beadwave::io

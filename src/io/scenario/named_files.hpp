// The files that a scenario or a collision case names: read beside it, or kept from an earlier run.
#pragma once

#include "io/toml/toml_table.hpp"

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
    /// Relative paths start at the folder of this input file.
    static NamedFiles beside(const std::filesystem::path& input);
    /// No file is read: the texts by dotted key, as texts() has them.
    static NamedFiles kept(std::map<std::string, std::string> texts);

    /// The text file that the key names. Throws InputError if the key is not there, or its file
    /// cannot be read.
    NamedFile read(const TomlTable& table, std::string_view key, std::string_view kind);

    /// By dotted key, all that was read.
    const std::map<std::string, std::string>& texts() const { return texts_; }

  private:
    bool reads_ = false;
    std::filesystem::path folder_;
    std::map<std::string, std::string> texts_;
};

}  // namespace beadwave::io

// A whole file of text, as people write them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace beadwave::io {

/// `kind` is what the file should be ("TOML"). Throws InputError "<file>: <why>" for a file that
/// cannot be read, is larger than `largest` MiB or is binary.
std::string read_text_file(const std::filesystem::path& file, std::string_view kind,
                           std::size_t largest = 64);

}  // namespace beadwave::io

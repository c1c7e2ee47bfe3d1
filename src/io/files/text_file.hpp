// Reading a whole text file, for example a scenario.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace beadwave::io {

/// Throws InputError "<file>: <why>".
[[noreturn]] void refuse_file(const std::string& file, std::string_view why);

/// `kind` is the expected format ("TOML"). Throws InputError "<file>: <why>" for a file that
/// cannot be read, is larger than `largest` MiB or is binary.
std::string read_text_file(const std::filesystem::path& file, std::string_view kind,
                           std::size_t largest = 64);

/// Reads a file as read_text_file() does, but the file may be binary; `hdf5`: also HDF5.
std::string read_file_bytes(const std::filesystem::path& file, std::string_view kind,
                            bool hdf5 = false, std::size_t largest = 64);

}  // namespace beadwave::io

// What is checked of a place before a result is written there.
#pragma once

#include <filesystem>
#include <string>

namespace beadwave::io {

/// A kind of result, and how an earlier one is known, which alone may be replaced.
struct ResultKind {
    const char* name;  ///< "an HDF5 file"
    bool (*is_one)(const std::filesystem::path& file);
};

extern const ResultKind hdf5_result;

/// Throws InputError "<path>: <why>".
[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why);

/// Throws InputError if the folder is missing, or if `path` is a folder, write-protected or of
/// another kind.
void check_place(const std::filesystem::path& path, const ResultKind& kind);

/// Throws for an open(2) in the folder of `path` that failed with `error`: InputError, or
/// std::runtime_error where the disk is to blame.
[[noreturn]] void refuse_folder(const std::filesystem::path& path, int error);

std::filesystem::path folder_of(const std::filesystem::path& path);

/// The file itself, where the name is a symbolic link.
std::filesystem::path without_links(const std::filesystem::path& path);

/// The system's words.
std::string reason(int error);

}  // namespace beadwave::io

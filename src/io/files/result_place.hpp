// What is checked of a place before a result is written there.
#pragma once

#include "write_error.hpp"

#include <concepts>
#include <filesystem>
#include <string>

namespace beadwave::io {

/// The name that a person gives a result.
struct Output {
    template <std::convertible_to<std::filesystem::path> Name>
    Output(const Name& name,
           bool overwrite = false)  // NOLINT: mostly a name is all there is to say
        : path(name), force(overwrite) {}

    std::filesystem::path path;
    bool force;  ///< whatever file stands there now may be replaced
};

/// A kind of result, and how an earlier one of beadwave's own is known, which alone may be
/// replaced.
struct ResultKind {
    const char* name;  ///< "a history that beadwave wrote"
    bool (*is_one)(const std::filesystem::path& file);
};

/// Throws InputError "<path>: <why>".
[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why);

/// Throws InputError if the folder is missing, if the name is too long, or if what stands there is
/// a folder, write-protected or, unless forced, of another kind.
void check_place(const Output& output, const ResultKind& kind);

/// Throws InputError if no file `needed` can be named beside `path`: its name is longer than the
/// file system takes. For names that are made of a person's own.
void check_name(const std::filesystem::path& path, const std::filesystem::path& needed);

/// Throws for an open(2) in the folder of `path` that failed with `error`: InputError, or
/// std::runtime_error where the disk is to blame.
[[noreturn]] void refuse_folder(const std::filesystem::path& path, int error);

std::filesystem::path folder_of(const std::filesystem::path& path);

/// The file itself, where the name is a symbolic link.
std::filesystem::path without_links(const std::filesystem::path& path);

/// The name under which a result is written until it is whole.
std::filesystem::path partial_beside(const std::filesystem::path& path);

/// The system's words.
std::string reason(int error);

}  // namespace beadwave::io

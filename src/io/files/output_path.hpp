// Paths of results, and what is checked before a result is written to one.
#pragma once

#include "base/write_error.hpp"

#include <concepts>
#include <filesystem>
#include <string>

namespace beadwave::io {

/// Where a result is written, as a person names it.
struct Output {
    template <std::convertible_to<std::filesystem::path> Name>
    Output(const Name& name, bool may_overwrite = false,
           bool may_fill_disk = false)  // NOLINT: a path alone is the usual case
        : path(name), overwrite(may_overwrite), ignore_disk_space(may_fill_disk) {}

    std::filesystem::path path;
    bool overwrite;          ///< any existing file may be replaced, not only an earlier result
    bool ignore_disk_space;  ///< the run starts although the disk cannot hold its history
};

/// A kind of result, and how an earlier result of this kind is recognised. Without
/// Output::overwrite only such a file may be replaced.
struct ResultKind {
    const char* name;  ///< "a history that beadwave wrote"
    bool (*is_one)(const std::filesystem::path& file);
};

/// Throws InputError "<path>: <why>".
[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why);

/// Throws InputError if the folder is missing or the name is too long; also if a folder, a link
/// without a target or a write-protected file has this path or, without Output::overwrite, a file
/// of another kind.
void check_output(const Output& output, const ResultKind& kind);

/// Throws InputError if the name of `needed`, a file in the folder of `path`, is longer than the
/// file system allows. For names that are derived from the name a person has given.
void check_name(const std::filesystem::path& path, const std::filesystem::path& needed);

/// Throws for an open(2) in the folder of `path` that failed with `error`: std::runtime_error if
/// the disk is the cause, otherwise InputError.
[[noreturn]] void refuse_folder(const std::filesystem::path& path, int error);

/// Whether the disk or the system is the cause of an error, not what a person has given.
bool is_storage_error(int error);

std::filesystem::path folder_of(const std::filesystem::path& path);

/// The file itself if the path is a symbolic link.
std::filesystem::path without_links(const std::filesystem::path& path);

/// The path under which a result is written until it is complete.
std::filesystem::path partial_path(const std::filesystem::path& path);
/// The path of a file that a result replaces, until all files of the result have their names.
std::filesystem::path earlier_path(const std::filesystem::path& path);

/// The operating system's message for an error number.
std::string reason(int error);

}  // namespace beadwave::io

#include "io/files/output_path.hpp"

#include "beadwave/input_error.hpp"
#include "io/durable/full_io.hpp"
#include "io/durable/read_descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace beadwave::io {
namespace {

namespace fs = std::filesystem;

void check_folder(const fs::path& path) {
    const fs::path folder = folder_of(path);
    std::error_code error;
    const fs::file_status status = fs::status(folder, error);
    if (status.type() == fs::file_type::not_found) {
        refuse(path, fmt::format("the folder {} does not exist", folder.string()));
    }
    if (error) {
        refuse(path,
               fmt::format("the folder {} cannot be used ({})", folder.string(), error.message()));
    }
    if (!fs::is_directory(status)) {
        refuse(path, fmt::format("{} is not a folder", folder.string()));
    }
}

/// Whether the file is an earlier result. A "no" may come from a read that failed for a moment: the
/// question is then asked again. Throws std::runtime_error if the file cannot be read at all.
bool is_result(const fs::path& path, const ResultKind& kind) {
    if (kind.is_one(path)) return true;
    naming(path, [&] {
        const ReadDescriptor file(path);
        if (file.descriptor() < 0) throw std::runtime_error(reason(errno));
        char first = 0;
        full_read(file.descriptor(), &first, sizeof first, 0);
    });
    return kind.is_one(path);
}

/// An existing file may be replaced only if it is an earlier result, unless overwriting is allowed.
void check_replaceable(const Output& output, const ResultKind& kind) {
    const fs::path& path = output.path;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) {
        if (!fs::is_symlink(fs::symlink_status(path, error))) return;
        // A result is renamed to its final name, which is not possible through such a link.
        refuse(path, fmt::format("is a link to {}, which does not exist",
                                 fs::read_symlink(path, error).string()));
    }
    if (error) refuse(path, fmt::format("cannot be used ({})", error.message()));
    if (fs::is_directory(status)) refuse(path, "is a folder, not a file");
    if (!fs::is_regular_file(status)) refuse(path, "is not a regular file");
    if (::faccessat(AT_FDCWD, path.c_str(), R_OK | W_OK, AT_EACCESS) != 0) {
        refuse(path, fmt::format("exists and is not writable ({})", reason(errno)));
    }
    if (!output.overwrite && !is_result(path, kind)) {
        refuse(path,
               fmt::format("exists and is not {}; refusing to overwrite it without --overwrite",
                           kind.name));
    }
}

/// The largest number of bytes in the name of a file in this folder.
std::size_t longest_name(const fs::path& folder) {
    constexpr std::size_t usual = 255;
    const long longest = ::pathconf(folder.c_str(), _PC_NAME_MAX);
    return longest > 0 ? static_cast<std::size_t>(longest) : usual;
}

}  // namespace

bool is_storage_error(int error) {
    return error == ENOSPC || error == EDQUOT || error == EIO || error == EMFILE ||
           error == ENFILE || error == ENOMEM;
}

std::string reason(int error) {
    return std::generic_category().message(error);
}

void refuse(const fs::path& path, const std::string& why) {
    throw InputError(fmt::format("{}: {}", path.string(), why));
}

fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

fs::path without_links(const fs::path& path) {
    std::error_code error;
    if (!fs::is_symlink(path, error)) return path;
    const fs::path target = fs::canonical(path, error);
    return error ? path : target;  // the link has no target yet
}

fs::path partial_path(const fs::path& path) {
    return folder_of(path) / fmt::format(".{}.partial-{}", path.filename().string(), ::getpid());
}

fs::path earlier_path(const fs::path& path) {  // as long as partial_path()
    return folder_of(path) / fmt::format(".{}.earlier-{}", path.filename().string(), ::getpid());
}

void check_name(const fs::path& path, const fs::path& needed) {
    const std::size_t has = path.filename().string().size(),
                      needs = needed.filename().string().size(),
                      longest = longest_name(folder_of(path));
    if (needs <= longest) return;
    refuse(path, fmt::format(
                     "the name is too long: it has {} bytes; at most {} are possible here, because "
                     "other files in the folder get longer names made from it",
                     has, longest - std::min(longest, needs - has)));
}

void check_output(const Output& output, const ResultKind& kind) {
    const fs::path& path = output.path;
    if (!path.has_filename()) refuse(path, "is a folder, not a file");
    check_folder(path);
    check_name(path, partial_path(without_links(path)));
    check_replaceable(output, kind);
}

void refuse_folder(const fs::path& path, int error) {
    if (is_storage_error(error)) {
        throw std::runtime_error(
            fmt::format("{}: cannot create the file: {}", path.string(), reason(error)));
    }
    if (error == ENAMETOOLONG) refuse(path, "the name is too long");
    refuse(path, fmt::format("the folder {} is not writable ({})",
                             folder_of(without_links(path)).string(), reason(error)));
}

}  // namespace beadwave::io

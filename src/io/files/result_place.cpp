#include "io/files/result_place.hpp"

#include "beadwave/input_error.hpp"
#include "io/hdf5/hdf5.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

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

/// What stands at `path` may be replaced only if it is an earlier result.
void check_replaceable(const fs::path& path, const ResultKind& kind) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) return;
    if (error) refuse(path, fmt::format("cannot be used ({})", error.message()));
    if (fs::is_directory(status)) refuse(path, "is a folder, not a file");
    if (!fs::is_regular_file(status)) refuse(path, "is not a regular file");
    if (::faccessat(AT_FDCWD, path.c_str(), R_OK | W_OK, AT_EACCESS) != 0) {
        refuse(path, fmt::format("exists and is not writable ({})", reason(errno)));
    }
    if (!kind.is_one(path)) {
        refuse(path, fmt::format("exists and is not {}; refusing to overwrite it", kind.name));
    }
}

bool is_storage_error(int error) {
    return error == ENOSPC || error == EDQUOT || error == EIO || error == EMFILE || error == ENFILE;
}

}  // namespace

const ResultKind hdf5_result{.name = "an HDF5 file", .is_one = [](const fs::path& file) {
                                 const hdf5::Silence silence;
                                 return H5Fis_hdf5(file.c_str()) > 0;
                             }};

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
    return error ? path : target;  // it leads nowhere yet
}

void check_place(const fs::path& path, const ResultKind& kind) {
    if (!path.has_filename()) refuse(path, "is a folder, not a file");
    check_folder(path);
    check_replaceable(path, kind);
}

void refuse_folder(const fs::path& path, int error) {
    if (is_storage_error(error)) {
        throw std::runtime_error(
            fmt::format("{}: cannot create the file: {}", path.string(), reason(error)));
    }
    refuse(path, fmt::format("the folder {} is not writable ({})",
                             folder_of(without_links(path)).string(), reason(error)));
}

}  // namespace beadwave::io

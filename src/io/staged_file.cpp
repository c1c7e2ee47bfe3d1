#include "staged_file.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/io/hdf5.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

namespace beadwave::io {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) {
    return std::generic_category().message(error);
}

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
    throw InputError(fmt::format("{}: {}", path.string(), why));
}

fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

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
    if (status.type() == fs::file_type::not_found)
        return;
    if (error)
        refuse(path, fmt::format("cannot be used ({})", error.message()));
    if (fs::is_directory(status))
        refuse(path, "is a folder, not a file");
    if (!fs::is_regular_file(status))
        refuse(path, "is not a regular file");
    if (::faccessat(AT_FDCWD, path.c_str(), R_OK | W_OK, AT_EACCESS) != 0) {
        refuse(path, fmt::format("exists and is not writable ({})", reason(errno)));
    }
    if (!kind.is_one(path)) {
        refuse(path, fmt::format("exists and is not {}; refusing to overwrite it", kind.name));
    }
}

fs::path without_links(const fs::path& path) {
    std::error_code error;
    const fs::path target = fs::canonical(path, error);
    return error ? path : target;  // nothing there yet
}

void sync(const fs::path& path, int how) {
    const int descriptor = ::open(path.c_str(), how | O_CLOEXEC);
    const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
    const int error = errno;
    if (descriptor >= 0)
        ::close(descriptor);
    if (!synced && error != EINVAL && error != ENOTSUP) {  // those: nothing to sync there
        throw std::runtime_error(
            fmt::format("cannot write {} to the disk: {}", path.string(), reason(error)));
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

StagedFile::StagedFile(const fs::path& final_path, const ResultKind& kind) {
    if (!final_path.has_filename())
        refuse(final_path, "is a folder, not a file");
    check_folder(final_path);
    check_replaceable(final_path, kind);

    target_ = without_links(final_path);
    const fs::path folder = folder_of(target_);
    path_ = folder / fmt::format(".{}.partial-{}", target_.filename().string(), ::getpid());
    const int descriptor =
        ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor >= 0) {
        ::close(descriptor);
        return;
    }
    const int error = errno;
    if (is_storage_error(error)) {
        throw std::runtime_error(
            fmt::format("{}: cannot create the file: {}", final_path.string(), reason(error)));
    }
    refuse(final_path,
           fmt::format("the folder {} is not writable ({})", folder.string(), reason(error)));
}

StagedFile::~StagedFile() {
    std::error_code ignored;
    if (!published_)
        fs::remove(path_, ignored);
}

void StagedFile::publish() {
    std::error_code error;
    fs::rename(path_, target_, error);
    if (error) {
        throw std::runtime_error(fmt::format("cannot rename {} to {}: {}", path_.string(),
                                             target_.string(), error.message()));
    }
    published_ = true;
}

void StagedFile::publish_synced() {
    sync(path_, O_WRONLY);
    publish();
    sync(folder_of(target_), O_RDONLY | O_DIRECTORY);
}

}  // namespace beadwave::io

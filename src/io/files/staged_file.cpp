#include "io/files/staged_file.hpp"

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

void sync(const fs::path& path, int how) {
    const int descriptor = ::open(path.c_str(), how | O_CLOEXEC);
    const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
    const int error = errno;
    if (descriptor >= 0) ::close(descriptor);
    if (!synced && error != EINVAL && error != ENOTSUP) {  // those: nothing to sync there
        throw std::runtime_error(
            fmt::format("cannot write {} to the disk: {}", path.string(), reason(error)));
    }
}

}  // namespace

StagedFile::StagedFile(const fs::path& final_path, const ResultKind& kind) {
    check_place(final_path, kind);
    target_ = without_links(final_path);
    const fs::path folder = folder_of(target_);
    path_ = folder / fmt::format(".{}.partial-{}", target_.filename().string(), ::getpid());
    const int descriptor =
        ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor >= 0) {
        ::close(descriptor);
        return;
    }
    refuse_folder(final_path, errno);
}

StagedFile::~StagedFile() {
    std::error_code ignored;
    if (!published_) fs::remove(path_, ignored);
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

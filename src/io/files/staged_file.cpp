#include "io/files/staged_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
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

StagedFile::StagedFile(const Output& output, const ResultKind& kind)
    : target_(output, kind), path_(partial_beside(target_.path())) {
    const int descriptor =
        ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor < 0) refuse_folder(output.path, errno);
    ours_ = identity_of(descriptor);
    ::close(descriptor);
}

StagedFile::~StagedFile() {
    std::error_code ignored;
    if (!left_ && identity_of(path_) == ours_) fs::remove(path_, ignored);
}

void StagedFile::publish() {
    left_ = true;
    target_.take(path_, ours_);
}

void StagedFile::publish_synced(const std::function<void(const fs::path&)>& published) {
    sync(path_, O_WRONLY);
    publish();
    try {
        sync(folder_of(target_.path()), O_RDONLY | O_DIRECTORY);
    } catch (const std::exception&) {
        published(target_.path());
        throw;
    }
    published(target_.path());
}

}  // namespace beadwave::io

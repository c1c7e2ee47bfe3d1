#include "io/durable/atomic_file.hpp"

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
    if (!synced && error != EINVAL && error != ENOTSUP) {  // these two: nothing to sync
        throw std::runtime_error(
            fmt::format("cannot write {} to the disk: {}", path.string(), reason(error)));
    }
}

}  // namespace

AtomicFile::AtomicFile(const Output& output, const ResultKind& kind)
    : output_(output, kind), path_(partial_path(output_.path())) {
    const int descriptor =
        ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor < 0) refuse_folder(output.path, errno);
    ours_ = identity_of(descriptor);
    ::close(descriptor);
}

AtomicFile::~AtomicFile() {
    std::error_code ignored;
    if (!committed_ && identity_of(path_) == ours_) fs::remove(path_, ignored);
}

void AtomicFile::commit() {
    committed_ = true;
    output_.commit(path_, ours_);
}

void AtomicFile::commit_synced(const std::function<void(const fs::path&)>& committed) {
    sync(path_, O_WRONLY);
    commit();
    try {
        sync(folder_of(output_.path()), O_RDONLY | O_DIRECTORY);
    } catch (const std::exception&) {
        committed(output_.path());
        throw;
    }
    committed(output_.path());
}

}  // namespace beadwave::io

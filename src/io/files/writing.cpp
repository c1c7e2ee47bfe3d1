#include "io/files/writing.hpp"

#include "io/files/result_place.hpp"
#include "io/files/whole_writes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

namespace beadwave::io {

Writing::Writing(const std::filesystem::path& path)
    : descriptor_(::open(path.c_str(), O_WRONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) throw std::runtime_error(path.string() + ": " + reason(errno));
}

Writing::~Writing() {
    ::close(descriptor_);
}

void Writing::write(std::int64_t place, const void* bytes, std::size_t count) const {
    write_whole(descriptor_, bytes, count, static_cast<off_t>(place));
}

void Writing::sync() const {
    if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP)
        throw std::runtime_error(reason(errno));
}

}  // namespace beadwave::io

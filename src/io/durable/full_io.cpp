#include "io/durable/full_io.hpp"

#include "io/files/output_path.hpp"

#include <unistd.h>

#include <cerrno>
#include <stdexcept>

namespace beadwave::io {
namespace {

/// Repeats `move(done)`, which continues after `done` bytes. Returns the number of bytes moved.
template <typename Move>
std::size_t all_of(std::size_t count, const Move& move) {
    std::size_t done = 0;
    while (done < count) {
        const ssize_t moved = move(done);
        if (moved < 0 && errno == EINTR) continue;
        if (moved < 0) throw std::runtime_error(reason(errno));
        if (moved == 0) break;
        done += static_cast<std::size_t>(moved);
    }
    return done;
}

}  // namespace

void full_write(int descriptor, const void* bytes, std::size_t count, off_t at) {
    const std::size_t done = all_of(count, [&](std::size_t before) {
        return ::pwrite(descriptor, static_cast<const char*>(bytes) + before, count - before,
                        at + static_cast<off_t>(before));
    });
    if (done < count) throw std::runtime_error(reason(ENOSPC));
}

std::size_t full_read(int descriptor, void* bytes, std::size_t count, off_t at) {
    return all_of(count, [&](std::size_t before) {
        return ::pread(descriptor, static_cast<char*>(bytes) + before, count - before,
                       at + static_cast<off_t>(before));
    });
}

}  // namespace beadwave::io

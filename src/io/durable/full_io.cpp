#include "io/durable/full_io.hpp"

#include "io/files/output_path.hpp"

#include <fcntl.h>
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

void check_synced(int result) {
    if (result != 0 && errno != EINVAL && errno != ENOTSUP)  // these two: nothing to sync
        throw std::runtime_error("cannot be written to the disk: " + reason(errno));
}

template <typename Call>
int again(const Call& call) {
    int result = 0;
    do {
        result = call();
    } while (result < 0 && errno == EINTR);
    return result;
}

void open_and_sync(const std::filesystem::path& path, int how) {
    const int descriptor = open_again(path.c_str(), how | O_CLOEXEC);
    if (descriptor < 0) throw std::runtime_error("cannot be written to the disk: " + reason(errno));
    try {
        sync_to_disk(descriptor);
    } catch (...) {
        ::close(descriptor);
        throw;
    }
    ::close(descriptor);
}

}  // namespace

int open_again(const char* path, int flags, unsigned mode) {
    return again([&] { return ::open(path, flags, mode); });
}

void full_truncate(int descriptor, off_t bytes) {
    if (again([&] { return ::ftruncate(descriptor, bytes); }) != 0)
        throw std::runtime_error(reason(errno));
}

void sync_to_disk(int descriptor) {
    check_synced(again([&] { return ::fsync(descriptor); }));
}

void sync_file(const std::filesystem::path& path) {
    open_and_sync(path, O_WRONLY);
}

void sync_folder_of(const std::filesystem::path& path) {
    const std::filesystem::path folder = folder_of(path);
    if (::access(folder.c_str(), R_OK) != 0) return;  // such a folder cannot be opened
    naming(path, [&] { open_and_sync(folder, O_RDONLY | O_DIRECTORY); });
}

void sync_data_to_disk(int descriptor) {
    check_synced(again([&] { return ::fdatasync(descriptor); }));
}

void write_whole_file(const std::filesystem::path& path, std::string_view bytes) {
    const int descriptor = open_again(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) throw std::runtime_error("cannot be opened to write: " + reason(errno));
    try {
        full_write(descriptor, bytes.data(), bytes.size(), 0);
    } catch (...) {
        ::close(descriptor);
        throw;
    }
    if (::close(descriptor) != 0) throw std::runtime_error(reason(errno));
}

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

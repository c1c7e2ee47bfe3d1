#include "io/durable/writer_lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace beadwave::io {
namespace {

FileIdentity identity_in(const struct stat& status) {
    return {.device = status.st_dev, .number = status.st_ino};
}

#ifdef F_OFD_SETLK
/// The lock belongs to the open file, not to the process: it remains when HDF5 closes another
/// descriptor of the same file.
int lock(int descriptor, int command, struct flock& whole) {
    whole.l_whence = SEEK_SET;
    int done = 0;
    do {
        done = ::fcntl(descriptor, command, &whole);
    } while (done != 0 && errno == EINTR);
    return done;
}
#endif

}  // namespace

FileIdentity identity_of(int descriptor) {
    struct stat status {};
    return ::fstat(descriptor, &status) == 0 ? identity_in(status) : FileIdentity{};
}

FileIdentity identity_of(const std::filesystem::path& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? identity_in(status) : FileIdentity{};
}

bool lock_to_write([[maybe_unused]] int descriptor) {
#ifdef F_OFD_SETLK
    // A reader that is just opening the file can hold a lock for a moment.
    for (int attempt = 0; attempt < 10; ++attempt) {
        struct flock whole {};
        whole.l_type = F_WRLCK;
        if (lock(descriptor, F_OFD_SETLK, whole) == 0) return true;
        if (errno != EAGAIN && errno != EACCES) return true;  // this file system has no locks
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
#else
    return true;
#endif
}

void share_lock([[maybe_unused]] int descriptor) {
#ifdef F_OFD_SETLK
    struct flock whole {};
    whole.l_type = F_RDLCK;
    lock(descriptor, F_OFD_SETLK, whole);
#endif
}

bool has_writer([[maybe_unused]] int descriptor) {
#ifdef F_OFD_SETLK
    struct flock whole {};
    whole.l_type = F_WRLCK;
    return lock(descriptor, F_OFD_GETLK, whole) != 0 || whole.l_type != F_UNLCK;
#else
    return true;
#endif
}

}  // namespace beadwave::io

#include "io/history/growing_file.hpp"

#include "io/files/result_place.hpp"
#include "io/files/writer_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace beadwave::io {
namespace {

namespace fs = std::filesystem;

}  // namespace

GrowingFile::GrowingFile(const fs::path& final_path) {
    check_place(final_path, hdf5_result);
    if (is_running_name(final_path))
        refuse(final_path, "names that end in .running.h5 are those of histories that still grow");
    target_ = without_links(final_path);
    path_ = running_beside(final_path);
    while (!take(final_path)) {  // another run was just finished
    }
    // Nothing yet, or what was left by a process that was killed.
    std::error_code error;
    const bool empty = fs::is_regular_file(path_, error) && fs::is_empty(path_, error);
    if (!empty && !(fs::is_regular_file(path_, error) && hdf5_result.is_one(path_))) {
        ::close(descriptor_);
        refuse(path_, "exists and is not an HDF5 file; the history could not grow there");
    }
}

bool GrowingFile::take(const fs::path& final_path) {
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor_ < 0) {
        const int error = errno;
        std::error_code ignored;
        if (fs::exists(fs::symlink_status(path_, ignored)))
            refuse(path_, fmt::format("cannot be written ({})", reason(error)));
        refuse_folder(final_path, error);
    }
    const bool locked = lock_to_write(descriptor_);
    const bool ours = locked && identity_of(descriptor_) == identity_of(path_);
    if (ours) return true;
    ::close(descriptor_);
    if (locked) return false;
    throw std::runtime_error(
        fmt::format("{}: another run is writing it, so far as {}; name another with -o",
                    final_path.string(), path_.string()));
}

GrowingFile::~GrowingFile() {
    std::error_code ignored;
    if (!kept_) fs::remove(path_, ignored);
    ::close(descriptor_);
}

void GrowingFile::let_readers_in() {
    io::let_readers_in(descriptor_);
}

void GrowingFile::publish() {
    kept_ = true;
    std::error_code error;
    fs::rename(path_, target_, error);
    if (error) {
        throw std::runtime_error(fmt::format("cannot rename {} to {}: {}", path_.string(),
                                             target_.string(), error.message()));
    }
}

bool GrowingFile::publish_if_new() {
    kept_ = true;
    std::error_code error;
    const bool something = fs::exists(fs::symlink_status(target_, error));
    if (!something) fs::rename(path_, target_, error);
    return !something && !error;
}

}  // namespace beadwave::io

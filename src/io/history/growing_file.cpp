#include "io/history/growing_file.hpp"

#include "io/files/hdf5_results.hpp"
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

GrowingFile::GrowingFile(const Output& output)
    : target_(output, history_result), path_(running_beside(target_.path())) {
    if (is_running_name(output.path)) {
        refuse(output.path, "names that end in .running.h5 are those of histories that still grow");
    }
    check_name(output.path, path_);
    while (!open_and_lock(output.path)) {  // another run was just finished
    }
    // Nothing yet, or what was left by a process that was killed.
    std::error_code error;
    const bool regular = fs::is_regular_file(path_, error);
    if (regular && (output.force || fs::is_empty(path_, error) || is_left_history(path_))) return;
    ::close(descriptor_);
    refuse(path_, regular ? "exists and is not a history that beadwave left; refusing to overwrite "
                            "it without --force"
                          : "is not a regular file; the history could not grow there");
}

bool GrowingFile::open_and_lock(const fs::path& name) {
    descriptor_ =
        ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (descriptor_ < 0) {
        const int error = errno;
        std::error_code ignored;
        if (fs::exists(fs::symlink_status(path_, ignored)))
            refuse(path_, fmt::format("cannot be written ({})", reason(error)));
        refuse_folder(name, error);
    }
    const bool locked = lock_to_write(descriptor_);
    const bool ours = locked && !lost();
    if (ours) return true;
    ::close(descriptor_);
    if (locked) return false;
    throw std::runtime_error(
        fmt::format("{}: another run is writing it, so far as {}; name another with -o",
                    name.string(), path_.string()));
}

GrowingFile::~GrowingFile() {
    std::error_code ignored;
    if (!kept_ && !lost()) fs::remove(path_, ignored);
    ::close(descriptor_);
}

bool GrowingFile::lost() const {
    return identity_of(descriptor_) != identity_of(path_);
}

void GrowingFile::let_readers_in() {
    io::let_readers_in(descriptor_);
}

void GrowingFile::publish() {
    kept_ = true;
    target_.take(path_, identity_of(descriptor_));
}

bool GrowingFile::publish_if_new() {
    kept_ = true;
    return target_.take_if_free(path_, identity_of(descriptor_));
}

}  // namespace beadwave::io

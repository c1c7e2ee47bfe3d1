#include "io/history/growing_file.hpp"

#include "io/files/hdf5_results.hpp"
#include "io/files/whole_writes.hpp"
#include "io/files/writer_lock.hpp"
#include "io/hdf5/hdf5_reading.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace beadwave::io {
namespace {

namespace fs = std::filesystem;

void copy_bytes(int from, int to, std::int64_t bytes) {
    std::vector<char> piece(std::size_t{1} << 22);
    for (std::int64_t at = 0; at < bytes;) {
        const auto wanted = static_cast<std::size_t>(
            std::min<std::int64_t>(static_cast<std::int64_t>(piece.size()), bytes - at));
        const std::size_t got = read_whole(from, piece.data(), wanted, static_cast<off_t>(at));
        if (got == 0) return;
        write_whole(to, piece.data(), got, static_cast<off_t>(at));
        at += static_cast<std::int64_t>(got);
    }
}

/// The whole file into an open one.
void copy(const fs::path& source, int to) {
    const int from = ::open(source.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (from < 0) refuse(source, "cannot be read: " + reason(errno));
    try {
        if (::ftruncate(to, 0) != 0) throw std::runtime_error(reason(errno));
        copy_bytes(from, to, static_cast<std::int64_t>(fs::file_size(source)));
    } catch (const std::exception& error) {
        ::close(from);
        throw WriteError(fmt::format("{}: cannot be copied: {}", source.string(), error.what()));
    }
    ::close(from);
}

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

GrowingFile::GrowingFile(const Output& output, const KeptHistory& earlier)
    : GrowingFile(output, earlier, earlier.find()) {}

GrowingFile::GrowingFile(const Output& output, const KeptHistory& earlier, const fs::path& source)
    : GrowingFile(output) {
    const FileIdentity its = identity_of(source);
    goes_on_ = its == identity_of(path_) || its == identity_of(target_.path());
    const auto damaged = [&](const std::exception& error) {
        refuse(source, std::string("is damaged: ") + error.what());
    };
    if (goes_on_) {
        take_over(source, output);
    } else {
        copy(source, descriptor_);
    }
    earlier.check(goes_on_ ? path_ : source);  // nobody has gone on with it meanwhile
    earlier.put_back(descriptor_);
    hdf5::unmark(path_);
    try {
        hdf5::open_to_read(path_);
    } catch (const std::runtime_error& error) {
        damaged(error);
    }
}

void GrowingFile::take_over(const fs::path& source, const Output& output) {
    if (identity_of(source) == identity_of(descriptor_)) return;
    // The lock on what stood there is ours, so that nobody begins under this name meanwhile.
    const int before = descriptor_;
    const bool renamed = std::rename(source.c_str(), path_.c_str()) == 0;
    const int error = errno;
    if (!renamed) {
        goes_on_ = false;
        refuse(source, fmt::format("cannot be renamed to {}: {}", path_.string(), reason(error)));
    }
    while (!open_and_lock(output.path)) {
    }
    ::close(before);
}

GrowingFile::~GrowingFile() {
    std::error_code ignored;
    if (!kept_ && !lost()) {
        if (goes_on_) {
            hdf5::unmark(path_);
            target_.take_if_free(path_, identity_of(descriptor_));
        } else {
            fs::remove(path_, ignored);
        }
    }
    ::close(descriptor_);
}

void GrowingFile::sync() const {
    if (::fsync(descriptor_) == 0 || errno == EINVAL || errno == ENOTSUP) return;
    throw std::runtime_error("cannot write it to the disk: " + reason(errno));
}

std::string GrowingFile::rescue(std::int64_t bytes) const {
    const fs::path place = fs::path(path_).replace_extension(fmt::format("{}.h5", ::getpid()));
    const int copied = ::open(place.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    try {
        if (copied < 0) throw std::runtime_error(reason(errno));
        copy_bytes(descriptor_, copied, bytes);
        if (::fsync(copied) != 0) throw std::runtime_error(reason(errno));
    } catch (const std::runtime_error& error) {
        if (copied >= 0) ::close(copied);
        throw std::runtime_error(
            fmt::format("{}: cannot be written: {}", place.string(), error.what()));
    }
    ::close(copied);
    return place.filename().string();
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

#include "io/durable/swmr_file.hpp"

#include "io/durable/full_io.hpp"
#include "io/durable/writer_lock.hpp"
#include "io/files/hdf5_results.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/hdf5/hdf5_validation.hpp"
#include "io/history/format_version.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
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
        const std::size_t got = full_read(from, piece.data(), wanted, static_cast<off_t>(at));
        if (got == 0) return;
        full_write(to, piece.data(), got, static_cast<off_t>(at));
        at += static_cast<std::int64_t>(got);
    }
}

/// Copies a file into an open file.
void copy(const fs::path& source, int to) {
    const int from = open_again(source.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (from < 0) refuse(source, "cannot be read: " + reason(errno));
    try {
        full_truncate(to, 0);
        copy_bytes(from, to, static_cast<std::int64_t>(fs::file_size(source)));
    } catch (const std::exception& error) {
        ::close(from);
        throw WriteError(fmt::format("{}: cannot be copied: {}", source.string(), error.what()));
    }
    ::close(from);
}

bool is(const FileIdentity& file, const fs::path& path) {
    return file != FileIdentity{} && identity_of(path) == file;
}

/// Clears the SWMR flag; ignores errors, so that destructors may call it.
void clear_flag_if_possible(int descriptor) noexcept {
    try {
        hdf5::clear_swmr_flag(descriptor);
    } catch (const std::exception&) {  // the next resume clears it
    }
}

}  // namespace

SwmrFile::SwmrFile(const Output& output) : SwmrFile(output, FileIdentity{}) {}

SwmrFile::SwmrFile(const Output& output, const FileIdentity& ours)
    : output_(Output(output.path, output.overwrite || is(ours, output.path)), history_result),
      path_(running_path(output_.path())) {
    if (is_running_name(output.path)) {
        refuse(output.path,
               "names that end in .running.h5 are reserved for histories that are being written");
    }
    check_name(output.path, path_);
    while (!open_and_lock(output.path)) {  // another run has just finished
    }
    look_again(output, ours);
    // The file is new, or a killed process has left it.
    std::error_code error;
    const bool regular = fs::is_regular_file(path_, error);
    if (regular && (output.overwrite || is(ours, path_) || fs::is_empty(path_, error) ||
                    is_orphaned_history(path_)))
        return;
    ::close(descriptor_);
    refuse(path_, regular ? "exists and is not an unfinished history of beadwave; refusing to "
                            "overwrite it without --overwrite"
                          : "is not a regular file; the history cannot be written there");
}

// A run of this name may have ended since the first look. While the lock is held none can end.
void SwmrFile::look_again(const Output& output, const FileIdentity& ours) {
    try {
        output_ = OutputChecks(Output(output.path, output.overwrite || is(ours, output.path)),
                               history_result);
    } catch (...) {
        std::error_code ignored;
        if (fs::is_empty(path_, ignored)) fs::remove(path_, ignored);
        ::close(descriptor_);
        throw;
    }
}

bool SwmrFile::open_and_lock(const fs::path& name) {
    descriptor_ =
        open_again(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (descriptor_ < 0) {
        const int error = errno;
        if (is_storage_error(error)) refuse_folder(name, error);
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
        fmt::format("{}: another run is writing it, now as {}; choose another name with -o",
                    name.string(), path_.string()));
}

SwmrFile::SwmrFile(const Output& output, const ResumePoint& earlier)
    : SwmrFile(output, earlier, earlier.find()) {}

// A resume that failed may have left a file that is rolled back in part, which HDF5 cannot open. It
// is known by its token.
SwmrFile::SwmrFile(const Output& output, const ResumePoint& earlier, const fs::path& source)
    : SwmrFile(output, identity_of(source)) {
    const FileIdentity its = identity_of(source);
    continues_ = its == identity_of(path_) || its == identity_of(output_.path());
    const auto damaged = [&](const std::exception& error) {
        refuse(source, std::string("is damaged: ") + error.what());
    };
    if (continues_) {
        take_over(source, output);
    } else {
        copy(source, descriptor_);
    }
    earlier.check(continues_ ? path_ : source);  // no other run has continued it in the meantime
    try {
        earlier.roll_back(descriptor_);
        hdf5::clear_swmr_flag(descriptor_);
    } catch (const std::exception& error) {
        throw WriteError(fmt::format("{}: cannot be put back to its checkpoint: {}",
                                     source.string(), message_of(error)));
    }
    hdf5::File file;
    try {
        file = hdf5::open_to_read(path_);
        hdf5::check_chunks(file);
    } catch (const std::runtime_error& error) {
        damaged(error);
    }
    check_format_version(file, source.string());
}

void SwmrFile::take_over(const fs::path& source, const Output& output) {
    if (identity_of(source) == identity_of(descriptor_)) return;
    // The lock on the earlier file is kept, so that no other run starts under this name.
    const int before = descriptor_;
    const bool renamed = std::rename(source.c_str(), path_.c_str()) == 0;
    const int error = errno;
    if (!renamed) {
        continues_ = false;
        throw WriteError(fmt::format("{}: cannot be renamed to {}: {}", source.string(),
                                     path_.string(), reason(error)));
    }
    while (!open_and_lock(output.path)) {
    }
    ::close(before);
}

SwmrFile::~SwmrFile() {
    std::error_code ignored;
    if (!committed_ && !lost()) {
        if (continues_) {
            clear_flag_if_possible(descriptor_);
            output_.commit_if_free(path_, identity_of(descriptor_));
        } else {
            fs::remove(path_, ignored);
        }
    }
    ::close(descriptor_);
}

void SwmrFile::sync() const {
    sync_to_disk(descriptor_);
}

std::string SwmrFile::rescue(std::int64_t bytes) const {
    const fs::path place = fs::path(path_).replace_extension(fmt::format("{}.h5", ::getpid()));
    std::error_code ignored;
    fs::create_directories(folder_of(place), ignored);  // the folder may have been removed too
    const int copied = open_again(place.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    try {
        if (copied < 0) throw std::runtime_error(reason(errno));
        copy_bytes(descriptor_, copied, bytes);
        sync_to_disk(copied);
    } catch (const std::runtime_error& error) {
        if (copied >= 0) ::close(copied);
        throw std::runtime_error(
            fmt::format("{}: cannot be written: {}", place.string(), error.what()));
    }
    ::close(copied);
    return place.filename().string();
}

std::filesystem::path SwmrFile::rescue() const {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0)
        throw std::runtime_error(fmt::format("{}: {}", path_.string(), reason(errno)));
    return path_.parent_path() / rescue(status.st_size);
}

bool SwmrFile::lost() const {
    return identity_of(descriptor_) != identity_of(path_);
}

void SwmrFile::share_lock() {
    io::share_lock(descriptor_);
}

void SwmrFile::commit() {
    committed_ = true;
    naming(path_, [&] { sync(); });
    output_.commit(path_, identity_of(descriptor_));
    sync_folder_of(output_.path());
}

bool SwmrFile::commit_if_new() {
    committed_ = true;
    return output_.commit_if_free(path_, identity_of(descriptor_));
}

}  // namespace beadwave::io

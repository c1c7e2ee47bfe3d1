#include "io/durable/rows_file.hpp"

#include "io/durable/full_io.hpp"
#include "io/durable/writer_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace beadwave::io {

RowsFile::RowsFile(const Output& hdf5, const std::string& what)
    : path_(without_links(hdf5.path).concat(".rows")) {
    check_name(hdf5.path, path_);
    while (!open_and_lock(hdf5, what)) {  // another one has just finished, and removed it
    }
}

RowsFile::~RowsFile() {
    ::close(descriptor_);
}

bool RowsFile::open_and_lock(const Output& hdf5, const std::string& what) {
    descriptor_ =
        open_again(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (descriptor_ < 0) refuse_folder(hdf5.path, errno);
    struct stat status {};
    const bool regular = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
    const bool locked = regular && lock_to_write(descriptor_);
    if (locked && identity_of(descriptor_) == identity_of(path_)) return true;
    ::close(descriptor_);
    if (!regular) refuse(path_, "is not a regular file");
    if (locked) return false;
    throw std::runtime_error(
        fmt::format("{}: another {} is writing it; choose another name with "
                    "-o",
                    hdf5.path.string(), what));
}

off_t RowsFile::size() const {
    struct stat status {};
    naming(path_, [&] {
        if (::fstat(descriptor_, &status) != 0) throw std::runtime_error(reason(errno));
    });
    return status.st_size;
}

void RowsFile::keep(off_t bytes) {
    naming(path_, [&] { full_truncate(descriptor_, bytes); });
}

void RowsFile::put(const std::string& text, bool to_disk) {
    struct stat before {};
    try {
        if (::fstat(descriptor_, &before) != 0) throw std::runtime_error(reason(errno));
        full_write(descriptor_, text.data(), text.size(), before.st_size);
        if (to_disk) sync_data_to_disk(descriptor_);
    } catch (const std::runtime_error& error) {
        write_error_ = error.what();
        [[maybe_unused]] const int cut = ::ftruncate(descriptor_, before.st_size);
    }
}

void RowsFile::remove() {
    std::error_code ignored;
    if (identity_of(descriptor_) == identity_of(path_)) std::filesystem::remove(path_, ignored);
}

}  // namespace beadwave::io

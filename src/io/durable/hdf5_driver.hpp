// The HDF5 file driver of all results: POSIX files like HDF5's own driver, with four additions.
//
// The first error of a write is kept. HDF5 loses some: those of small datasets that it writes when
// it closes them. So every later write fails with the same error, and check_writes() throws it.
//
// A hook is called before metadata are written.
//
// A read of damaged metadata fails after two seconds. HDF5 would repeat it without end.
//
// A read of data can tell its place instead: see place_of_read().
#pragma once

#include "io/hdf5/hdf5.hpp"

#include <array>
#include <functional>
#include <memory>

namespace beadwave::io::hdf5 {

class MetadataWriteHook {
  public:
    virtual ~MetadataWriteHook() = default;
    /// Called before `bytes` bytes of metadata are written at `first`. Metadata describe the data;
    /// the data themselves are only appended. An exception becomes the error of the write.
    virtual void before(int descriptor, haddr_t first, std::size_t bytes) = 0;
    /// HDF5 never cuts the file below this length [bytes].
    virtual haddr_t shortest() const = 0;
};

/// The first error of a write to a file. It needs no allocation, because the write may have failed
/// for want of memory, and no exception may pass through HDF5.
class WriteErrors {
  public:
    bool any() const { return first_.front() != '\0'; }
    const char* first() const { return first_.data(); }  ///< empty: there was none
    void add(const char* why) noexcept;                  ///< cut off where it is very long
    /// Throws std::runtime_error.
    void check() const;

  private:
    std::array<char, 1024> first_{};
};

/// `hook` must outlive the file; it may be null.
void use_driver(const PropertyList& access, MetadataWriteHook* hook);

/// The write errors of an open file, also after it is closed. Null for files of other drivers.
std::shared_ptr<const WriteErrors> write_errors_of(const File& file);

/// Where `read` reads data in its file; nothing is read. HADDR_UNDEF: it fails.
haddr_t place_of_read(const std::function<herr_t()>& read);

/// From now on nothing of the file reaches the disk, and the hook is not called. Has no effect on
/// files of other drivers.
void stop_writing(const File& file);

}  // namespace beadwave::io::hdf5
